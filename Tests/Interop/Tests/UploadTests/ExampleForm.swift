import Foundation
import MultipartFormCodec

/// The kinds of form that are uploaded.
enum ExampleForm: String, CaseIterable {
    case fields, files, streams, unicode, empty

    /// Makes the form.
    ///
    /// - Parameter workspace: The directory for its files.
    /// - Returns: The form.
    /// - Throws: An error from writing a file.
    func make(in workspace: TemporaryDirectory) throws -> MultipartFormData {
        var form = MultipartFormData()
        switch self {
        case .fields:
            form.append("Ada", withName: "name")
            form.append("", withName: "nothing")
            form.append("first\r\nsecond\n--\r\n", withName: "lines")
            form.append("again", withName: "name")
        case .files:
            let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) })
            form.append(try workspace.write(bytes, as: "photo.png"), withName: "photo")
            form.append(try workspace.write(Data(), as: "empty.txt"), withName: "empty")
            form.append("beside", withName: "note")
            form.append(Data("\r\n\r\r\n--".utf8), withName: "bytes", fileName: "b.bin", mimeType: "x-a/y")
        case .streams:
            let bytes = Data(repeating: 13, count: 100_000)
            form.append(
                BodyPart(length: nil, name: "unknown", filename: "u.bin", contentType: "application/x-a") {
                    InputStream(data: bytes)
                }
            )
            form.append(
                BodyPart(length: 100_000, name: "known", filename: "k.bin", contentType: "application/x-b") {
                    InputStream(data: bytes)
                }
            )
        case .unicode:
            form.append("süß — 漢字 🏔", withName: "größe 🏔")
            form.append(Data("x".utf8), withName: "файл; a=b", fileName: "日本語 %41 '.txt", mimeType: "text/plain")
        case .empty:
            break
        }
        return form
    }
}
