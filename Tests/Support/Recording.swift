package import Foundation
package import MultipartFormCodec

/// A body that a client sent, and the parts that must be parsed from it. See `Fixtures/README.md`.
package struct Recording: Sendable, CustomStringConvertible {
    /// The name and version of the client.
    package let client: String
    /// The form that the client sent, after a prefix for the way in which it sent it.
    package let form: String
    package let contentType: String
    package var body: Data { Data(bytes) }
    // Not `Data`: a leak checker does not follow its tagged pointers, and `all` lives until the process ends.
    private let bytes: [UInt8]
    /// The number of bytes that the client sent.
    package let length: Int
    /// The CRC-32 of the bytes that the client sent, in hexadecimal digits.
    package let crc32: String
    private let parts: [CasePart]
    private let strictError: String?

    package var description: String { "\(client), \(form)" }

    /// The expected outcome in a mode.
    package func outcome(_ mode: ParsingMode) -> ParseCase.Outcome {
        guard mode == .strict, let strictError else { return ParseCase.Outcome(parts: parts, error: nil) }
        return ParseCase.Outcome(parts: nil, error: strictError)
    }

    /// All recordings, in the order of the clients' and the forms' names.
    package static let all: [Recording] = clients.flatMap(recordings)

    /// The names of the clients' files, without extension.
    package static let clients = Fixtures.names(in: "clients")

    /// The recordings of a client's file.
    package static func recordings(of client: String) -> [Recording] {
        do {
            let file = try Fixtures.json(File.self, "clients/\(client).json")
            return file.forms.sorted { $0.key < $1.key }.map { form, recorded in
                Recording(
                    client: file.client,
                    form: form,
                    contentType: recorded.contentType,
                    bytes: recorded.body.flatMap(\.bytes),
                    length: recorded.length,
                    crc32: recorded.crc32,
                    parts: recorded.parts,
                    strictError: recorded.strictError
                )
            }
        } catch {
            fatalError("Fixtures/clients/\(client).json: \(error)")
        }
    }

    private struct File: Decodable {
        let client: String
        let forms: [String: Form]
    }

    private struct Form: Decodable {
        let contentType: String
        let length: Int
        let crc32: String
        let body: [Line]
        let parts: [CasePart]
        let strictError: String?
    }

    /// A line with its line break: text, or, if it is not UTF-8, an object with its bytes in Base64.
    private struct Line: Decodable {
        let bytes: [UInt8]

        private enum CodingKeys: CodingKey {
            case base64
        }

        init(from decoder: any Decoder) throws {
            if let object = try? decoder.container(keyedBy: CodingKeys.self) {
                bytes = Array(try object.decode(Data.self, forKey: .base64))
            } else {
                bytes = Array(try decoder.singleValueContainer().decode(String.self).utf8)
            }
        }
    }
}
