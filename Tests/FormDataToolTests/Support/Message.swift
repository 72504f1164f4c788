import Foundation

/// Messages with the boundary `b`, written by hand.
enum Message {
    /// A message of parts, each with its headers.
    static func text(_ parts: String...) -> Data {
        Data((parts.map { "--b\r\n\($0)\r\n" }.joined() + "--b--\r\n").utf8)
    }

    /// A field with its headers.
    static func field(_ name: String, _ value: String) -> String {
        "Content-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)"
    }

    /// A file with its headers.
    static func file(_ name: String, _ filename: String, _ content: String) -> String {
        "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(filename)\"\r\n\r\n\(content)"
    }

    /// Two parts; the second is cut off.
    static let cutOff = Data(text(field("a", "1"), file("f", "x.bin", "abcdef")).dropLast(12))
}

/// The JSON that `inspect --json` prints and `decode` writes to its manifest.
struct Report: Decodable, Equatable {
    /// A part of the report.
    struct Part: Decodable, Equatable {
        /// The name of the form's field.
        let name: String?
        /// The file name as it was sent.
        let filename: String?
        /// The media type.
        let contentType: String?
        /// The header fields.
        let headers: [[String]]
        /// The length of the body in bytes.
        let length: Int
        /// The text of a short field.
        let text: String?
        /// The body, if it was requested.
        let body: Data?
        /// The part's file, in a manifest.
        let file: String?
        /// Whether the part is complete, in the report of a message that is not.
        let complete: Bool?
    }

    /// What strict mode refuses, or what looks wrong.
    struct Finding: Decodable, Equatable {
        /// The code of strict mode's error; nil if it accepts this.
        let code: String?
        /// The offset, in bytes.
        let offset: Int?
        /// The index of the part.
        let part: Int?
        /// The reason and its place.
        let message: String
    }

    /// The head of an HTTP message.
    struct Head: Decodable, Equatable {
        /// The request line or the status line.
        let startLine: String?
        /// The length in bytes.
        let length: Int
    }

    /// The error of a report.
    struct Failure: Decodable, Equatable {
        /// The error code.
        let code: String
        /// The offset, in bytes.
        let offset: Int?
        /// The index of the part.
        let part: Int?
        /// The line on standard error without its prefix.
        let message: String
    }

    /// The parts.
    let parts: [Part]
    /// What there is to say of the message, if there is anything.
    let findings: [Finding]?
    /// How many more findings there are, if these are very many.
    let moreFindings: Int?
    /// The head, if the message follows one.
    let head: Head?
    /// The error, if there was one.
    let error: Failure?

    /// Reads a report.
    init(_ json: Data) throws {
        self = try JSONDecoder().decode(Report.self, from: json)
    }
}
