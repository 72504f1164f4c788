extension ContentDisposition {
    /// The longest safe file name in bytes; the usual file systems allow no more.
    private static let safeLength = 255

    /// The longest extension kept when a name is cut, in bytes with its dot.
    private static let extensionLength = 32

    /// The last component of ``filename``, safe to join to a directory's path; nil if nothing usable is left.
    ///
    /// In this order (RFC 7578 §4.2):
    /// 1. Takes what follows the last `/` or `\`.
    /// 2. Drops control characters, line and paragraph separators, and the characters that change the reading direction
    ///    (Unicode's `Bidi_Control`), which make `invoice\u{202E}fdp.exe` appear as `invoiceexe.pdf`.
    /// 3. Cuts a name of more than 255 bytes of UTF-8 to at most 255, by whole characters (extended grapheme clusters)
    ///    at its end, or before its extension if that has at most 32 bytes with its dot. Nil if the first character
    ///    alone is too long.
    /// 4. Refuses an empty name, `.` and `..`.
    ///
    /// The caller handles names that a file system reserves, and names that differ only by letter case or Unicode form.
    public var safeFilename: String? {
        filename.flatMap(Self.safeFilename)
    }

    static func safeFilename(_ filename: String) -> String? {
        let scalars = filename.unicodeScalars
        let component = scalars.lastIndex { $0 == "/" || $0 == "\\" }.map { scalars[scalars.index(after: $0)...] }
        var safe = String.UnicodeScalarView()
        safe.append(contentsOf: (component ?? scalars[...]).filter(isSafe))
        let name = shortened(String(safe))
        let isSpecial = ["", ".", ".."].contains { name.utf8.elementsEqual($0.utf8) }
        return isSpecial ? nil : name
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        // Faster than a look into Unicode's tables.
        guard !scalar.isASCII else { return !ASCII.isControl(UInt8(scalar.value)) && scalar != "\t" }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        case .format: !scalar.properties.isBidiControl
        default: true
        }
    }

    /// The name cut to ``safeLength`` bytes; empty if its first character does not fit.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > safeLength else { return name }
        // Forwards only: a step back over flags or joined emoji reads all of those before it. By bytes: comparing
        // characters takes quadratic time in their combining marks.
        var dot = name.endIndex
        for index in name.indices where name.utf8[index] == UInt8(ascii: ".") {
            if name.index(after: index) == name.utf8.index(after: index) { dot = index }
        }
        if dot == name.startIndex || name[dot...].utf8.count > extensionLength { dot = name.endIndex }
        let room = safeLength - name[dot...].utf8.count
        var end = name.startIndex
        for index in name[..<dot].indices {
            let next = name.index(after: index)
            guard name[..<next].utf8.count <= room else { break }
            end = next
        }
        return end == name.startIndex ? "" : String(name[..<end]) + name[dot...]
    }
}
