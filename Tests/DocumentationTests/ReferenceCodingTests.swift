import Foundation
import MultipartForm
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

    private struct Settings: Codable {
        var newsletter: Bool
    }

    private struct User: Codable {
        var homeURL: String
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `a value is appended to a form with other fields`() throws {
        let (token, order) = ("0123", Order(customer: "Ada"))

        var form = MultipartFormData()
        form.append(token, withName: "csrf-token")
        try FormDataEncoder().encode(order, into: &form)

        #expect(form.map(\.name) == ["csrf-token", "customer"])
    }

    @Test func `the receiver decides the options of an encoder`() throws {
        var encoder = FormDataEncoder()
        encoder.keyEncoding = .convertToSnakeCase
        encoder.keyPathEncoding = .dots
        encoder.arrayEncoding = .noBrackets

        struct Form: Encodable {
            struct Owner: Encodable { var homePhones = ["1", "2"] }
            var carOwner = Owner()
        }
        #expect(try encoder.encode(Form()).map(\.name) == ["car_owner.home_phones", "car_owner.home_phones"])
    }

    @Test func `a decoder is tightened for a program's own clients`() throws {
        struct Profile: Codable {
            var displayName: String
            var age: Int?
        }
        func read(_ form: MultipartFormData) throws -> Profile {
            var decoder = FormDataDecoder()
            decoder.keyEncoding = .convertToSnakeCase
            decoder.unknownNames = .reject
            decoder.nilDecoding = .absence
            let profile = try decoder.decode(Profile.self, from: form)
            return profile
        }
        var form = MultipartFormData()
        form.append("Ada", withName: "display_name")
        #expect(try read(form).displayName == "Ada")
        var unknown = form
        unknown.append("x", withName: "colour")
        #expect(throws: DecodingError.self) { try read(unknown) }
        form.append("", withName: "age")
        #expect(throws: DecodingError.self) { try read(form) }
    }

    @Test func `a box that is not checked is false`() throws {
        let sent = MultipartFormData()
        let (body, contentType) = (try sent.encode(), sent.contentType)

        var decoder = FormDataDecoder()
        decoder.absentBoolsAreFalse = true
        let settings = try decoder.decode(Settings.self, from: body, contentType: contentType)

        #expect(!settings.newsletter)
    }

    @Test func `keys are written in snake case`() throws {
        var encoder = FormDataEncoder()
        encoder.keyEncoding = .convertToSnakeCase
        let form = try encoder.encode(["user": User(homeURL: "https://example.com")])  // user[home_url]

        #expect(form.map(\.name) == ["user[home_url]"])
    }

    @Test func `a closure names the elements of an array`() throws {
        var encoder = FormDataEncoder()
        encoder.arrayEncoding = .custom { key, index in "\(key)_\(index)" }
        let form = try encoder.encode(["tag": ["a", "b"]])  // tag_0 and tag_1

        #expect(form.map(\.name) == ["tag_0", "tag_1"])
    }

    #if FullFoundation
        @Test func `a formatter writes dates`() throws {
            let days = DateFormatter()
            days.locale = Locale(identifier: "en_US_POSIX")
            days.timeZone = TimeZone(identifier: "UTC")
            days.dateFormat = "yyyy-MM-dd"
            var encoder = FormDataEncoder()
            encoder.dateEncoding = .formatted(days)

            #expect(try encoder.encode(["d": Date(timeIntervalSince1970: 0)])["d"]?.text() == "1970-01-01")
        }
    #endif

    @Test func `a value has files in memory and on disk`() throws {
        struct Profile: Codable {
            var name: String
            var avatar: FormFile
            var resume: FormFile?
        }
        let png = Data("png".utf8)
        let resumeURL = try directory.write(Data("pdf".utf8), as: "ada.pdf")

        let profile = Profile(
            name: "Ada",
            avatar: FormFile(png, filename: "ada.png", contentType: "image/png"),
            resume: try FormFile(contentsOf: resumeURL)
        )
        let form = try FormDataEncoder().encode(profile)

        #expect(form.map(\.contentType) == [nil, "image/png", "application/pdf"])
    }

    @Test func `a part holds a value as JSON`() throws {
        struct Metadata: Codable {
            var title: String
            var tags: [String]
        }
        struct Upload: Codable {
            var metadata: FormJSON<Metadata>
            var file: FormFile
        }
        let pdf = Data("pdf".utf8)

        let upload = Upload(
            metadata: FormJSON(Metadata(title: "Notes", tags: ["a", "b"])),
            file: FormFile(pdf, filename: "notes.pdf", contentType: "application/pdf")
        )
        let form = try FormDataEncoder().encode(upload)
        let title = try FormDataDecoder().decode(Upload.self, from: form).metadata.value.title

        #expect(title == "Notes")
        #expect(form.map(\.contentType) == ["application/json", "application/pdf"])
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
