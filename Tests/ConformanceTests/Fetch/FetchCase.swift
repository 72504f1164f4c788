import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// A message of the kind that web-platform-tests' `formdata-parsing.any.js` has, with what the Fetch Standard's parser
/// makes of it, and this library in each mode.
///
/// The cases are those of the file's commit 59dabd5, in messages of our own.
struct FetchCase: Sendable {
    /// An entry of a form.
    struct Entry: Equatable, Sendable {
        let name: String?
        var filename: String?
        /// The Content-Type as it was sent.
        var type: String?
        let body: Data

        init(_ name: String?, file filename: String? = nil, type: String? = nil, _ body: Data) {
            (self.name, self.filename, self.type, self.body) = (name, filename, type, body)
        }

        init(_ name: String?, file filename: String? = nil, type: String? = nil, _ text: String) {
            self.init(name, file: filename, type: type, Data(text.utf8))
        }

        /// Equality is by bytes: Unicode equivalence would hide a normalisation.
        static func == (left: Entry, right: Entry) -> Bool {
            func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
            return bytes(left.name) == bytes(right.name) && bytes(left.filename) == bytes(right.filename)
                && bytes(left.type) == bytes(right.type) && left.body == right.body
        }
    }

    /// What becomes of the message.
    enum Outcome: Equatable, Sendable {
        /// It is read, with the case's entries.
        case read
        /// It is refused.
        case error(MultipartError.Code)

        /// The table's cell for it.
        var cell: String {
            switch self {
            case .read: "read"
            case .error(let code): "`\(code)`"
            }
        }
    }

    /// What the message has, as the documentation's table says it.
    let title: String
    let contentType: String
    let message: Data
    /// The entries, if the message is read by anyone.
    let entries: [Entry]
    /// Whether Fetch's parser accepts the message.
    let isValid: Bool
    let lenient: Outcome
    let strict: Outcome
    /// Why a mode does otherwise than Fetch, or what else differs; empty if nothing does.
    let reason: String

    private init(
        _ title: String,
        _ message: Data,
        _ contentType: String,
        _ entries: [Entry],
        _ isValid: Bool,
        _ outcomes: (lenient: Outcome, strict: Outcome),
        _ reason: String
    ) {
        self.title = title
        self.message = message
        self.contentType = contentType
        self.entries = entries
        self.isValid = isValid
        (lenient, strict) = outcomes
        self.reason = reason
    }

    /// The row of the documentation's table.
    var row: String {
        let why = reason.isEmpty ? "" : "\(reason) "
        return "| \(title) | \(isValid ? "read" : "fails") | \(lenient.cell) | \(strict.cell) | \(why)|"
    }

    /// Every case. Not a constant, whose texts and data would count as leaks of the tests.
    static var all: [FetchCase] { parts + values + framing + types + boundaries + failures + refusals }

    /// The boundary of the messages that have no other.
    static let usualType = "multipart/form-data; boundary=b0"
}

extension FetchCase {
    /// A message that Fetch's parser reads, and lenient mode, too.
    static func valid(
        _ title: String,
        _ message: Data,
        _ entries: [Entry],
        contentType: String = usualType,
        strict code: MultipartError.Code? = nil,
        _ reason: String = ""
    ) -> FetchCase {
        let strict = code.map(Outcome.error) ?? .read
        return FetchCase(title, message, contentType, entries, true, (.read, strict), reason)
    }

    /// A message that Fetch's parser refuses, and both modes, too.
    static func invalid(
        _ title: String,
        _ message: Data,
        contentType: String = usualType,
        _ lenient: MultipartError.Code,
        strict: MultipartError.Code? = nil,
        _ reason: String = ""
    ) -> FetchCase {
        let outcomes = (Outcome.error(lenient), Outcome.error(strict ?? lenient))
        return FetchCase(title, message, contentType, [], false, outcomes, reason)
    }

    /// A message that Fetch's parser and strict mode refuse, and lenient mode reads.
    static func tolerated(
        _ title: String,
        _ message: Data,
        _ entries: [Entry],
        strict: MultipartError.Code,
        _ reason: String
    ) -> FetchCase {
        FetchCase(title, message, usualType, entries, false, (.read, .error(strict)), reason)
    }

    /// A message of these lines, each with CR LF after it.
    static func lines(_ lines: String...) -> Data {
        Data(lines.map { "\($0)\r\n" }.joined().utf8)
    }

    /// A message of one part with these header lines and this content.
    static func part(_ headers: String..., content: String = "hello") -> Data {
        part(headers, content: Data(content.utf8))
    }

    static func part(_ headers: [String], content: Data) -> Data {
        let head = "--b0\r\n" + headers.map { "\($0)\r\n" }.joined() + "\r\n"
        return Data(head.utf8) + content + Data("\r\n--b0--\r\n".utf8)
    }

    /// A Content-Disposition line.
    static func field(_ name: String, file: String? = nil) -> String {
        "Content-Disposition: form-data; name=\"\(name)\"" + (file.map { "; filename=\"\($0)\"" } ?? "")
    }
}
