import Dispatch
import Foundation
import MultipartForm
import TestSupport

/// Compares the parser with the naive one on every short string in every place: `exhaustive [LENGTH]`.
///
/// The strings have up to LENGTH symbols (5 unless given) of CR, LF, hyphen, `b`, space, colon and `x`; the boundary is
/// `b`. Each message is read in both modes, whole and byte by byte, and must have the parts or the error code that
/// `NaiveParser` finds.
@main
enum Exhaustive {
    private static let symbols = Array("\r\n-b :x".utf8)
    private static let disposition = "Content-Disposition: form-data; name=\"a\"\r\n"

    /// The bytes before and after the string.
    private static let places: [(name: String, before: String, after: String)] = [
        ("the message's start", "", "\r\n--b\r\n\(disposition)\r\ny\r\n--b--\r\n"),
        ("a header section's start", "--b\r\n", "\(disposition)\r\ny\r\n--b--\r\n"),
        ("a header section's second line", "--b\r\n\(disposition)", "\r\n\r\ny\r\n--b--\r\n"),
        ("a body", "--b\r\n\(disposition)\r\n", "\r\n--b--\r\n"),
        ("after a delimiter's boundary", "--b\r\n\(disposition)\r\ny\r\n--b", "\r\n\(disposition)\r\nz\r\n--b--\r\n"),
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
            let count = try compare(upTo: length, before: place.before, after: place.after)
            print("\(place.name): \(count) messages, in both modes, whole and byte by byte")
            total += count
        }
        print("\(total) messages, \(Int(Date().timeIntervalSince(start))) s: no difference")
    }

    /// Compares all messages of a place; one thread takes the strings that begin with the same two symbols.
    private static func compare(upTo length: Int, before: String, after: String) throws -> Int {
        let boundary = try Boundary(parsing: "b", mode: .strict)
        let short = strings(of: 0) + strings(of: 1)
        let beginnings = length < 2 ? [] : strings(of: 2)
        let check = { @Sendable (text: [UInt8]) in
            compare(Data(Array(before.utf8) + text + Array(after.utf8)), boundary)
        }
        for text in short.filter({ $0.count <= length }) { check(text) }
        DispatchQueue.concurrentPerform(iterations: beginnings.count) { index in
            for count in 0...(length - 2) {
                for end in 0..<power(count) { check(beginnings[index] + string(end, of: count)) }
            }
        }
        return (0...length).reduce(0) { $0 + power($1) }
    }

    private static func power(_ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { product, _ in product * symbols.count }
    }

    private static func strings(of length: Int) -> [[UInt8]] {
        (0..<power(length)).map { string($0, of: length) }
    }

    /// The string with a number, whose digits are symbols.
    private static func string(_ number: Int, of length: Int) -> [UInt8] {
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

    private static func fail(_ fact: String, _ message: Data, _ mode: ParsingMode) -> Never {
        print("FAILED, \(mode): \(fact): \(String(decoding: message, as: UTF8.self).debugDescription)")
        exit(1)
    }
}
