import Foundation
import MultipartFormCodec
import MultipartKit
import NIOHTTP1
import Testing

/// The code of `FromMultipartKit.md` for programs that use MultipartKit 4 without Vapor.
@Suite struct MultipartKitPartTests {
    @Test func `parts are written`() throws {
        let parts = [
            MultipartPart(headers: ["Content-Disposition": "form-data; name=\"a\""], body: "1"),
            MultipartPart(
                headers: [
                    "Content-Disposition": "form-data; name=\"f\"; filename=\"a;b.gif\"",
                    "Content-Type": "image/gif",
                ],
                body: "GIF"
            ),
        ]
        var form = MultipartFormCodec.MultipartFormData(boundary: "x")
        for part in parts { form.append(BodyPart(part)) }
        let body = try form.encode()

        let theirs = try MultipartSerializer().serialize(parts: parts, boundary: "x")
        #expect(String(decoding: body, as: UTF8.self) == theirs)
        #expect(form["f"]?.filename == "a;b.gif" && form["f"]?.contentType == "image/gif")
    }

    @Test func `a part without a disposition has an empty name`() {
        let part = BodyPart(MultipartPart(headers: ["Content-Type": "text/csv"], body: "1"))
        #expect(part.name == "" && part.filename == nil && part.contentType == "text/csv")
    }
}
