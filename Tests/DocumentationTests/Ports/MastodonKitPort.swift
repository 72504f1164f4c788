import Foundation
import MultipartFormCodec
import Testing

private struct MediaUpload {
    var data: Data
    var fileExtension: String
    var description: String?
    var focus: String?
}

extension MediaUpload {
    func form() -> MultipartFormData {
        let type = BodyPart.contentType(ofPathExtension: fileExtension)
        var form = MultipartFormData()
        form.append(data, withName: "file", fileName: "file.\(fileExtension)", mimeType: type)
        form.append(description, withName: "description")
        form.append(focus, withName: "focus")
        return form
    }
}

/// The upload of a medium in MastodonKit.
@Suite struct MastodonKitPort {
    @Test func `a medium is typed by its extension, and described if there is a description`() throws {
        var upload = MediaUpload(data: Data("JFIF".utf8), fileExtension: "jpg")
        #expect(try upload.form().received() == ["file; file.jpg; image/jpeg = JFIF"])
        upload.description = "A lighthouse, at \"dusk\""
        upload.focus = "0.0,-0.5"
        #expect(
            try upload.form().received() == [
                "file; file.jpg; image/jpeg = JFIF", "description = A lighthouse, at \"dusk\"", "focus = 0.0,-0.5",
            ]
        )
    }

    @Test func `a medium with another message in it is one part`() throws {
        let inner = MediaUpload(data: Data("GIF".utf8), fileExtension: "gif").form()
        let outer = MediaUpload(data: try inner.encode(), fileExtension: "gif").form()
        let received = try MultipartFormData(parsing: outer.encode(), contentType: outer.contentType)
        #expect(try received.map { try $0.data() } == [inner.encode()])
    }
}
