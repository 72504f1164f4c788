/// A character set in which the text of a part can be encoded (RFC 7578 §4.5).
package enum Charset {
    case utf8, ascii, latin1, windows1252
    /// UTF-16. If the byte order is nil, a byte order mark in the text determines the byte order, and text without a
    /// mark is big-endian (RFC 2781 §4.3).
    case utf16(ByteOrder?)

    /// The order of the two bytes of a code unit.
    package enum ByteOrder {
        case bigEndian, littleEndian
    }

    enum Decoded {
        case text(String)
        /// The offset of the first byte that is invalid in the character set.
        case invalid(offset: Int)
        /// The character set is unknown. `offset` is the offset of the first byte that is not ASCII; 0 for UTF-32.
        case unknown(offset: Int)
    }

    /// Creates the character set with this name, in any letter case; nil for an unknown name.
    // Inlined, so that the benchmark `programs read` takes 4% less time.
    @inline(__always)
    init?(named name: String) {
        // Nearly every name is `utf-8`. Comparing it before lowercasing saves a third of the instructions of reading a
        // form.
        if name.utf8.count == 5, name == "utf-8" {
            self = .utf8
            return
        }
        // All known names are ASCII, so any other name is unknown. Lowercasing and comparing a name with many combining
        // marks would take more than linear time.
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        switch name.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "us-ascii", "ascii": self = .ascii
        case "iso-8859-1", "latin1": self = .latin1
        case "windows-1252", "cp1252": self = .windows1252
        case "utf-16": self = .utf16(nil)
        case "utf-16be": self = .utf16(.bigEndian)
        case "utf-16le": self = .utf16(.littleEndian)
        default: return nil
        }
    }

    /// Decodes text in the named character set.
    ///
    /// An unknown character set is assumed to extend ASCII, so ASCII text is decoded. The exception is UTF-32, in which
    /// even an `a` has four bytes.
    static func decode(_ bytes: Span<UInt8>, as name: String) -> Decoded {
        if let charset = Charset(named: name) { return charset.decode(bytes) }
        let isUTF32 = name.utf8.count < 9 && name.lowercased().utf8.starts(with: "utf-32".utf8)
        let end = isUTF32 ? 0 : ASCII.endOfASCII(bytes, from: 0)
        return end == bytes.count ? decodeUTF8(bytes) : .unknown(offset: end)
    }

    /// Decodes text. Removes a byte order mark only if the mark determines the byte order.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    func decode(_ bytes: Span<UInt8>) -> Decoded {
        switch self {
        case .utf8: Self.decodeUTF8(bytes)
        case .ascii: Self.decodeBytes(bytes) { $0 < 0x80 ? UInt32($0) : nil }
        case .latin1: Self.decodeBytes(bytes) { UInt32($0) }
        case .windows1252: Self.decodeBytes(bytes, Self.windows1252Scalar)
        case .utf16(let order): Self.decodeUTF16(bytes, order)
        }
    }

    private static func decodeUTF8(_ bytes: Span<UInt8>) -> Decoded {
        if let text = String(validating: bytes) { return .text(text) }
        return .invalid(offset: String.endOfUTF8(in: bytes))
    }

    private static func decodeBytes(_ bytes: Span<UInt8>, _ scalar: (UInt8) -> UInt32?) -> Decoded {
        var text = String.UnicodeScalarView()
        for index in bytes.indices {
            guard let scalar = scalar(bytes[index]).flatMap(Unicode.Scalar.init) else { return .invalid(offset: index) }
            text.append(scalar)
        }
        return .text(String(text))
    }

    /// The characters of windows-1252 for the bytes 0x80 to 0x9F; 0 for a byte without a character. For all other
    /// bytes, windows-1252 equals ISO-8859-1.
    private static let windows1252Scalars: [UInt32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    /// Returns the byte that encodes a character in ISO-8859-1 or, if ISO-8859-1 lacks the character, in windows-1252.
    /// Returns nil if both character sets lack the character.
    package static func windows1252Byte(_ scalar: Unicode.Scalar) -> UInt8? {
        UInt8(exactly: scalar.value) ?? windows1252Scalars.firstIndex(of: scalar.value).map { UInt8(0x80 + $0) }
    }

    private static func windows1252Scalar(_ byte: UInt8) -> UInt32? {
        guard (0x80...0x9F).contains(byte) else { return UInt32(byte) }
        let scalar = windows1252Scalars[Int(byte) - 0x80]
        return scalar == 0 ? nil : scalar
    }

    private static func decodeUTF16(_ bytes: Span<UInt8>, _ order: ByteOrder?) -> Decoded {
        var position = 0
        var byteOrder = order ?? .bigEndian
        if order == nil {
            for marked in [ByteOrder.bigEndian, .littleEndian] where unit(0, marked, bytes) == byteOrderMark {
                (byteOrder, position) = (marked, unitLength)
            }
        }
        var text = String.UnicodeScalarView()
        while position < bytes.count {
            let start = position
            guard var value = unit(position, byteOrder, bytes) else { return .invalid(offset: start) }
            position += unitLength
            if highSurrogates.contains(value) {
                guard let low = unit(position, byteOrder, bytes), lowSurrogates.contains(low) else {
                    return .invalid(offset: start)
                }
                position += unitLength
                value = 0x10000 + (value - highSurrogates.lowerBound) << 10 + (low - lowSurrogates.lowerBound)
            }
            guard let scalar = Unicode.Scalar(value) else { return .invalid(offset: start) }
            text.append(scalar)
        }
        return .text(String(text))
    }

    private static let unitLength = 2
    private static let byteOrderMark: UInt32 = 0xFEFF
    private static let highSurrogates: Range<UInt32> = 0xD800..<0xDC00
    private static let lowSurrogates: Range<UInt32> = 0xDC00..<0xE000

    /// Returns the code unit at `offset`; nil if fewer than two bytes are left there.
    private static func unit(_ offset: Int, _ order: ByteOrder, _ bytes: Span<UInt8>) -> UInt32? {
        guard unitLength <= bytes.count - offset else { return nil }
        let (first, second) = (UInt32(bytes[offset]), UInt32(bytes[offset + 1]))
        return order == .bigEndian ? first << 8 | second : second << 8 | first
    }
}
