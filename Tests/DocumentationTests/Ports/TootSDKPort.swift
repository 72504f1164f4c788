import Foundation
import MultipartFormCodec
import Testing

private struct CredentialsUpdate: Encodable {
    struct Field: Encodable {
        var name: String
        var value: String
    }

    struct Source: Encodable {
        var privacy: String?
        var sensitive: Bool?
        var language: String?
        var quotePolicy: String?
    }

    var avatar: FormFile?
    var header: FormFile?
    var displayName: String?
    var note: String?
    var locked: Bool?
    var bot: Bool?
    var fieldsAttributes: [String: Field]?
    var source: Source?
    var attributionDomains: [String]?
}

extension CredentialsUpdate {
    func form() throws -> MultipartFormData {
        var encoder = FormDataEncoder()
        encoder.keyEncoding = .convertToSnakeCase
        encoder.emptyArrayEncoding = .dropValue
        return try encoder.encode(self)
    }
}

/// The update of a Mastodon profile in TootSDK.
@Suite struct TootSDKPort {
    @Test func `a profile is updated by every property that is set`() throws {
        let update = CredentialsUpdate(
            avatar: FormFile(Data("PNG".utf8), filename: "avatar", contentType: "image/png"),
            displayName: "Ada",
            note: "Line 1\nLine 2",
            locked: false,
            fieldsAttributes: [
                "0": .init(name: "Site", value: "https://example.com"), "1": .init(name: "A", value: ""),
            ],
            source: .init(privacy: "unlisted", sensitive: true, quotePolicy: "followers"),
            attributionDomains: ["example.com", "example.org"]
        )
        #expect(
            try update.form().received() == [
                "avatar; avatar; image/png = PNG", "display_name = Ada", "note = Line 1\nLine 2", "locked = false",
                "fields_attributes[0][name] = Site", "fields_attributes[0][value] = https://example.com",
                "fields_attributes[1][name] = A", "fields_attributes[1][value] = ",
                "source[privacy] = unlisted", "source[sensitive] = true", "source[quote_policy] = followers",
                "attribution_domains[] = example.com", "attribution_domains[] = example.org",
            ]
        )
    }

    @Test func `an empty list is sent, so that the server clears its own`() throws {
        #expect(try CredentialsUpdate(attributionDomains: []).form().received() == ["attribution_domains[] = "])
    }
}
