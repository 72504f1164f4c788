import Foundation
import MultipartFormCodec
import TestSupport
import Testing

private struct InvalidColour: Error {}

private struct Colour: FormPartDecodable {
    var hex: String

    static var requiresFile: Bool { false }

    init(formPart: BodyPart) throws {
        hex = try formPart.text()
        guard hex.hasPrefix("#") else { throw InvalidColour() }
    }
}

/// The code of the reference pages on encoding and decoding values, compiled and run.
@Suite struct ReferenceCodingTests {
    private struct Order: Codable {
        var customer: String
    }

    @Test func `a value is appended to a form with other fields`() throws {
        let (token, order) = ("0123", Order(customer: "Ada"))

        var form = MultipartFormData()
        form.append(token, withName: "csrf-token")
        try FormDataEncoder().encode(order, into: &form)

        #expect(form.map(\.name) == ["csrf-token", "customer"])
    }

    @Test func `a closure names the elements of an array`() throws {
        var encoder = FormDataEncoder()
        encoder.arrayEncoding = .custom { key, index in "\(key)_\(index)" }
        let form = try encoder.encode(["tag": ["a", "b"]])  // tag_0 and tag_1

        #expect(form.map(\.name) == ["tag_0", "tag_1"])
    }

    @Test func `a type reads its own part`() throws {
        var form = MultipartFormData()
        form.append("#ff0000", withName: "good")
        form.append("red", withName: "bad")
        #expect(try FormDataDecoder().decode([String: String].self, from: form).count == 2)
        #expect(throws: InvalidColour.self) { try FormDataDecoder().decode([String: Colour].self, from: form) }
        form.removeAll(named: "bad")
        #expect(try FormDataDecoder().decode([String: Colour].self, from: form)["good"]?.hex == "#ff0000")
    }
}
