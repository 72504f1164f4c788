package import Foundation

/// Generates messages that are nearly valid: pieces of the grammar in a likely order, then a few random edits.
package enum MessageMangler {
    /// A message for a boundary.
    package static func message(boundary: String, using generator: inout some RandomNumberGenerator) -> Data {
        let newline = pick(["\r\n", "\r\n", "\r\n", "\r\n", "\n"], &generator)
        var bytes: [UInt8] = []
        func add(_ text: String) { bytes += Array(text.utf8) }
        if Int.random(in: 0..<8, using: &generator) == 0 {
            add(pick(["preamble\r\n", "\n", "\r\n", "  ", "--", "--\(boundary)x\r\n", "-"], &generator))
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let isPlain = Int.random(in: 0..<4, using: &generator) > 0
            add("--\(boundary)" + (isPlain ? "" : pick([" ", "\t ", "--", "-"], &generator)) + newline)
            if Bool.random(using: &generator) { add(fields[0] + newline) }
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                add(
                    pick(fields + ["--\(boundary): x"], &generator)
                        + pick([newline, newline, newline, newline, "\n", "\r", "\r\n"], &generator)
                )
            }
            add(newline)
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                // Strict mode refuses most of the others.
                add(Bool.random(using: &generator) ? "value" : pick(contents(boundary, newline), &generator))
            }
            add(newline)
        }
        add("--\(boundary)--" + pick(["", "", newline, newline, " ", "x", "\r", "\n"] + epilogues, &generator))
        mangle(&bytes, using: &generator)
        return Data(bytes)
    }

    private static func pick(_ choices: [String], _ generator: inout some RandomNumberGenerator) -> String {
        choices.randomElement(using: &generator) ?? ""
    }

    private static let epilogues = ["\r\nepilogue", "\r\n\r\n", "\r\n\n\r", "\r\n "]

    private static let fields = [
        "Content-Disposition: form-data; name=\"a\"",
        "Content-Disposition: form-data; name=\"a\"",
        "Content-Disposition: form-data; name=\"f\"; filename=\"x.txt\"",
        "Content-Disposition: form-data; name=\"a\\\"b\\\\\"; filename=\"C:\\dir\\f\"",
        "Content-Disposition: form-data; name=\"dir\\\"; filename=x y",
        "Content-Disposition: form-data; name=a; filename*=utf-8''%C3%A9",
        "Content-Disposition: form-data; name=a; filename*=\"iso-8859-1'en'%A3 x\"; filename=b",
        "Content-Disposition: form-data; filename=\"; name=b\"",
        "Content-Disposition: form-data ;; name = \"\"; flag",
        "content-disposition: attachment; NAME=q; x=1; x=2",
        "Content-Type: text/plain", "Content-Type: a/b; c=d", "Content-Transfer-Encoding: binary",
        "Content-Transfer-Encoding: base64", "X-Other : y", " folded", "\tfolded \"", "X-Empty:", "no colon", ": x",
        "Content: -Disposition: q", "Content-Disposition: form-data; name=\"a\"; filename*0=b; x*y=z",
        "Content-Disposition: form-data; name=a filename=b", "Content-Disposition: form-data; name=a b=; x= c =d",
        "X-T: \u{E9}\u{1F600}", "X-Spaces:\(spaces)y", "X-Spaces: y\(spaces)", "Content-Type:\(spaces)",
        "Content-Disposition: form-data; name=\"\"", "Content-Disposition: form-data; name=\"\"; filename=\"\"",
        "Content-Disposition: form-data; name=\"f\"; filename=\"\"", "Content-Disposition: form-data; name=o'x",
        "Content-Disposition: form-data; name=\"a\"; filename=\"=?utf-8?q?b?=\"; x=\"=?\"",
        "Content-Disposition: form-data; name=\"a\(marks(30))b\"; filename=\"c\(marks(31))\"",
        "Content-Disposition: form-data; name=\"a\(marks(30))\"; filename*=utf-8''\(encodedMarks)",
        "Content-Length: 0", "Content-Length: 4", "Content-Length: 5", "Content-Length: 6",
        "content-length:0000000000000000005", "Content-Length: 5x",
        "Content-Type: multipart/mixed; boundary=b", "Content-Type: Multipart/x",
    ]

    private static let encodedMarks = String(repeating: "%CC%81", count: 31)

    private static let spaces = String(repeating: " ", count: 100)

    private static func marks(_ count: Int) -> String {
        String(repeating: "\u{301}", count: count)
    }

    private static func contents(_ boundary: String, _ newline: String) -> [String] {
        [
            "value", "\r", "\n", "\r\n", "-", "--", boundary, "\(newline)--\(boundary)x", "\(newline)--\(boundary)--x",
            "\(newline)--\(boundary) \t", "\(newline)--\(boundary)\r", "\(newline)--\(boundary.dropLast())",
            "\n--\(boundary)\n", "\r--\(boundary)\r\n", "\n--\(boundary)x",
            "\r\r\n--\(boundary.dropLast())\n--\(boundary)",
            "\u{0}", "--\(boundary)", "x--\(boundary)", "--\(boundary)\(newline)",
        ]
    }

    /// Changes, inserts, drops and repeats a few bytes, or truncates the message.
    private static func mangle(_ bytes: inout [UInt8], using generator: inout some RandomNumberGenerator) {
        let likely: [UInt8] = [0, 9, 10, 13, 32, 34, 39, 45, 53, 58, 59, 61, 63, 92, 0x83, 0xFF]
        for _ in 0..<max(0, Int.random(in: -2...3, using: &generator)) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            let byte = likely.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] = byte
            case 1: bytes.insert(byte, at: place)
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(contentsOf: bytes[place...].prefix(12), at: place)
            default: bytes.removeLast(min(bytes.count, Int.random(in: 0...20, using: &generator)))
            }
        }
    }
}
