// Decodes, validates and repairs UTF-8.
extension String {
    /// Decodes UTF-8, and replaces each maximal subpart of invalid bytes with U+FFFD (Unicode 16.0 §3.9).
    ///
    /// The result equals that of `String(decoding:as:)`. That initializer is not called for invalid bytes, because it
    /// takes more than a hundred times as long for them as for valid bytes.
    package init(repairing bytes: Span<UInt8>) {
        // SAFETY: the buffer is read inside the closure only.
        self = unsafe bytes.withUnsafeBufferPointer { buffer in
            Self.isUTF8(bytes) ? unsafe String(decoding: buffer, as: UTF8.self) : Self.repaired(bytes)
        }
    }

    /// Decodes UTF-8; nil if the bytes are not valid UTF-8.
    package init?(validating bytes: Span<UInt8>) {
        guard Self.isUTF8(bytes) else { return nil }
        // SAFETY: the buffer is read inside the closure only.
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    package static func isUTF8(_ bytes: Span<UInt8>) -> Bool { endOfUTF8(in: bytes) == bytes.count }

    /// Returns the offset of the first byte that is not valid UTF-8, or `bytes.count` if all bytes are valid.
    static func endOfUTF8(in bytes: Span<UInt8>) -> Int {
        var position = ASCII.endOfASCII(bytes, from: 0)
        while position < bytes.count {
            let (end, isValid) = endOfSequence(in: bytes, from: position)
            guard isValid else { return position }
            position = end < bytes.count && bytes[end] < 0x80 ? ASCII.endOfASCII(bytes, from: end) : end
        }
        return bytes.count
    }

    private static func repaired(_ bytes: Span<UInt8>) -> String {
        var repaired: [UInt8] = []
        repaired.reserveCapacity(bytes.count * 3)
        var position = 0
        while position < bytes.count {
            let (end, isValid) = Self.endOfSequence(in: bytes, from: position)
            if isValid {
                for index in position..<end { repaired.append(bytes[index]) }
            } else {
                // Appends the three bytes of U+FFFD one by one. Appending `"\u{FFFD}".utf8` would take three times as
                // long.
                repaired.append(0xEF)
                repaired.append(0xBF)
                repaired.append(0xBD)
            }
            position = end
        }
        return String(decoding: repaired, as: UTF8.self)
    }

    /// Returns the end of the character at `start`. If the bytes at `start` are invalid, returns the end of the bytes
    /// that one U+FFFD replaces (Unicode 16.0, table 3-7).
    package static func endOfSequence(in bytes: Span<UInt8>, from start: Int) -> (end: Int, isValid: Bool) {
        let length: Int
        var lower: UInt8 = 0x80
        var upper: UInt8 = 0xBF
        switch bytes[start] {
        case 0x00...0x7F: return (start + 1, true)
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, lower) = (3, 0xA0)
        case 0xED: (length, upper) = (3, 0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, lower) = (4, 0x90)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, upper) = (4, 0x8F)
        default: return (start + 1, false)
        }
        var end = start + 1
        while end < start + length {
            guard end < bytes.count, bytes[end] >= lower, bytes[end] <= upper else { return (end, false) }
            (lower, upper) = (0x80, 0xBF)
            end += 1
        }
        return (end, true)
    }
}
