import MultipartForm

/// What looks like a mistake in a name or a file name, though both modes accept it.
enum NameRemarks {
    static func all(name: String?, filename: String?) -> [String] {
        var remarks: [String] = []
        if let name, let text = decodedTwice(name) { remarks.append("name seems to be UTF-8 encoded twice: \(text)") }
        guard let filename else { return remarks }
        if let text = decodedTwice(filename) { remarks.append("file name seems to be UTF-8 encoded twice: \(text)") }
        if filename.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
            remarks.append("file name is a path: \(filename)")
        }
        return remarks.map { TerminalText.truncated($0, toWidth: 160) }
    }

    /// The text that a sender encoded as UTF-8, took for Windows-1252 or ISO-8859-1, and encoded again; nil if it cannot
    /// have done so, or if it would make no difference.
    private static func decodedTwice(_ text: String) -> String? {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if let index = windows1252.firstIndex(of: scalar.value) {
                bytes.append(UInt8(0x80 + index))
            } else if let byte = UInt8(exactly: scalar.value) {
                bytes.append(byte)
            } else {
                return nil
            }
        }
        let decoded = String(decoding: bytes, as: UTF8.self)
        return decoded.utf8.elementsEqual(bytes) ? decoded : nil
    }

    /// The characters of Windows-1252 from 0x80 to 0x9F; where it has none, the control character of ISO-8859-1.
    private static let windows1252: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153,
        0x9D,
        0x017E, 0x0178,
    ]
}
