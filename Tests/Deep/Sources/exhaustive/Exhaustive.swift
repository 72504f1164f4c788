import Dispatch
import Foundation
import MultipartFormCodec
import TestSupport

/// Compares the parser with the naive one on every short string in every place: `exhaustive [LENGTH]`.
///
/// The strings have up to LENGTH symbols (5 unless given); which ones depends on the place. The boundary is `b`. Each
/// message is read in both modes, whole and byte by byte, and must have the parts or the error code that `NaiveParser`
/// finds.
@main
enum Exhaustive {
    /// A place for strings.
    private struct Place: Sendable {
        let name: String
        /// The bytes before the string.
        let before: String
        /// The bytes after the string.
        let after: String
        let symbols: [UInt8]

        init(_ name: String, before: String, after: String, symbols: String = "\r\n-b :x") {
            self.name = name
            self.before = before
            self.after = after
            self.symbols = Array(symbols.utf8)
        }
    }

    private static let disposition = "Content-Disposition: form-data; name=\"a\"\r\n"
    private static let noFile = "Content-Disposition: form-data; name=\"a\"; filename=\"\"\r\n"

    private static let places = [
        Place("the message's start", before: "", after: "\r\n--b\r\n\(disposition)\r\ny\r\n--b--\r\n"),
        Place("a header section's start", before: "--b\r\n", after: "\(disposition)\r\ny\r\n--b--\r\n"),
        Place(
            "a header section's second line",
            before: "--b\r\n\(disposition)",
            after: "\r\n\r\ny\r\n--b--\r\n"
        ),
        Place("a body", before: "--b\r\n\(disposition)\r\n", after: "\r\n--b--\r\n"),
        Place(
            "after a delimiter's boundary",
            before: "--b\r\n\(disposition)\r\ny\r\n--b",
            after: "\r\n\(disposition)\r\nz\r\n--b--\r\n"
        ),
        Place(
            "a name",
            before: "--b\r\nContent-Disposition: form-data; name=",
            after: "\r\n\r\ny\r\n--b--\r\n",
            symbols: "\"\\'=?;"
        ),
        Place("a file without a name", before: "--b\r\n\(noFile)\r\n", after: "\r\n--b--\r\n", symbols: "\r\n-bx"),
        Place(
            "a body of three bytes",
            before: "--b\r\n\(disposition)Content-Length: 3\r\n\r\n",
            after: "\r\n--b--\r\n",
            symbols: "\r\n-bx"
        ),
        Place(
            "a length",
            before: "--b\r\n\(disposition)Content-Length:",
            after: "\r\n\r\ny\r\n--b--\r\n",
            symbols: " \t01x"
        ),
    ]

    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count <= 1, let length = Int(words.first ?? "5"), 0...12 ~= length else {
            FileHandle.standardError.write(Data("exhaustive [LENGTH]\n".utf8))
            exit(2)
        }
        let start = Date()
        var total = 0
        for place in places {
            let count = try compare(upTo: length, in: place)
            print("\(place.name): \(count) messages, in both modes, whole and byte by byte")
            total += count
        }
        print("\(total) messages, \(Int(Date().timeIntervalSince(start))) s: no difference")
    }

    /// Compares all messages of a place; one thread takes the strings that begin with the same two symbols.
    private static func compare(upTo length: Int, in place: Place) throws -> Int {
        let boundary = try Boundary(parsing: "b", mode: .strict)
        let symbols = place.symbols
        let short = strings(of: symbols, 0) + strings(of: symbols, 1)
        let beginnings = length < 2 ? [] : strings(of: symbols, 2)
        let check = { @Sendable (text: [UInt8]) in
            compare(Data(Array(place.before.utf8) + text + Array(place.after.utf8)), boundary)
        }
        for text in short.filter({ $0.count <= length }) { check(text) }
        DispatchQueue.concurrentPerform(iterations: beginnings.count) { index in
            for count in 0...(length - 2) {
                for end in 0..<power(symbols.count, count) {
                    check(beginnings[index] + string(end, of: symbols, count))
                }
            }
        }
        return (0...length).reduce(0) { $0 + power(symbols.count, $1) }
    }

    private static func power(_ base: Int, _ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { product, _ in product * base }
    }

    /// All strings of a number of symbols.
    private static func strings(of symbols: [UInt8], _ length: Int) -> [[UInt8]] {
        (0..<power(symbols.count, length)).map { string($0, of: symbols, length) }
    }

    /// The string with a number, whose digits are symbols.
    private static func string(_ number: Int, of symbols: [UInt8], _ length: Int) -> [UInt8] {
        var rest = number
        return (0..<length).map { _ in
            defer { rest /= symbols.count }
            return symbols[rest % symbols.count]
        }
    }

    private static func compare(_ message: Data, _ boundary: Boundary) {
        let bytes = ChunkSplitter.pieces(of: message, size: 1)
        var lenient: ParsedMessage?
        for mode in [ParsingMode.lenient, .strict] {
            let whole = ParsedMessage([message], boundary: boundary, options: MultipartParser.Options(mode: mode))
            let expected = NaiveParser(message, boundary: "b", mode: mode).parse()
            guard whole.outcome == expected else { fail("the naive parser reads it differently", message, mode) }
            guard ParsedMessage(bytes, boundary: boundary, options: MultipartParser.Options(mode: mode)) == whole else {
                fail("byte by byte it reads differently", message, mode)
            }
            if mode == .lenient { lenient = whole }
            guard mode == .lenient || whole.error != nil || whole == lenient else {
                fail("the modes read it differently", message, mode)
            }
        }
    }

    private static func fail(_ reason: String, _ message: Data, _ mode: ParsingMode) -> Never {
        print("FAILED, \(mode): \(reason): \(String(decoding: message, as: UTF8.self).debugDescription)")
        exit(1)
    }
}
