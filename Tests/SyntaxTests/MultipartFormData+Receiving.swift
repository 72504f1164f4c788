import Foundation
import MultipartFormCodec

extension MultipartFormData {
    /// A form with the boundary `B` of one part, which was received with header lines and the content `x`.
    init(receiving lines: some Sequence<UInt8>, mode: ParsingMode = .lenient) throws {
        let message = Data("--B\r\n".utf8) + Data(lines) + Data("\r\n\r\nx\r\n--B--\r\n".utf8)
        let options = MultipartParser.Options(mode: mode)
        try self.init(parsing: message, contentType: "multipart/form-data; boundary=B", options: options)
    }

    init(receiving lines: String, mode: ParsingMode = .lenient) throws {
        try self.init(receiving: lines.utf8, mode: mode)
    }

    /// The header section of the only part, as it is sent: without the delimiter, the content and the blank line.
    func sentSection() throws -> String {
        let message = String(decoding: try encode(), as: UTF8.self)
        let head = "--\(boundary)\r\n"
        guard message.hasPrefix(head), let end = message.firstRange(of: "\r\n\r\n") else { return message }
        return String(message[..<end.lowerBound].dropFirst(head.count))
    }
}
