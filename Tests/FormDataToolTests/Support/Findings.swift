import Foundation
import MultipartFormCodec
import TestSupport
import formdata

/// What `inspect` finds in a message, without running the tool.
enum Findings {
    /// The lines of the findings, after the whole message has been read. Throws if it is refused.
    static func lines(_ message: Data, _ boundary: Boundary) throws -> [String] {
        let analyzer = MessageAnalyzer(MessageOpening(Array(message)[...]))
        analyzer.begin(try MessageBoundary(.lenient) { _ in boundary }, MultipartParser.Options())
        try analyzer.take(message.span) { _, _, _ in }
        try analyzer.finish { _, _, _ in }
        return analyzer.summary.findings.lines
    }

    /// The notes on a message with one part and the boundary `b`.
    static func notes(_ fields: String, _ content: Data) throws -> [String] {
        let head = Data("--b\r\nContent-Disposition: form-data; \(fields)\r\n\r\n".utf8)
        let message = head + content + "\r\n--b--\r\n".utf8
        return try lines(message, Boundary(parsing: "b")).filter { $0.hasPrefix("note: ") }
    }
}
