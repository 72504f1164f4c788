/// Makes file names that are safe to join to a directory's path (RFC 7578 §4.2).
package enum SafeFilename {
    /// The maximum length of a safe file name, in bytes. Common file systems do not allow longer names.
    private static let maxLength = 255

    /// The maximum length of an extension in bytes, including the dot. A longer extension is cut like the rest of the
    /// name.
    private static let maxExtensionLength = 32

    /// Makes a safe name from the last component of a file name; returns nil if no usable name remains.
    package static func make(from filename: String) -> String? {
        let scalars = filename.unicodeScalars
        let component = scalars.lastIndex { $0 == "/" || $0 == "\\" }.map { scalars[scalars.index(after: $0)...] }
        var safe = String.UnicodeScalarView()
        safe.append(contentsOf: (component ?? scalars[...]).filter(isSafe))
        let name = shortened(String(safe))
        let isSpecial = ["", ".", ".."].contains { name.utf8.elementsEqual($0.utf8) }
        return isSpecial ? nil : name
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        // For ASCII, comparing numbers is faster than looking up Unicode properties.
        guard !scalar.isASCII else { return !ASCII.isControl(UInt8(scalar.value)) && scalar != "\t" }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        case .format: !scalar.properties.isBidiControl
        default: true
        }
    }

    /// Returns the name, shortened to at most ``maxLength`` bytes; empty if the first character alone is too long.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > maxLength else { return name }
        // Finds the last dot in linear time, in two ways:
        // - The loop iterates forward. In a row of flags or joined emoji, each step backward would read the whole row.
        // - The loop compares bytes. Comparing characters would take quadratic time in the number of combining marks.
        var dot = name.endIndex
        for index in name.indices where name.utf8[index] == UInt8(ascii: ".") {
            if name.index(after: index) == name.utf8.index(after: index) { dot = index }
        }
        if dot == name.startIndex || name[dot...].utf8.count > maxExtensionLength { dot = name.endIndex }
        let room = maxLength - name[dot...].utf8.count
        var end = name.startIndex
        for index in name[..<dot].indices {
            let next = name.index(after: index)
            guard name[..<next].utf8.count <= room else { break }
            end = next
        }
        return end == name.startIndex ? "" : String(name[..<end]) + name[dot...]
    }
}
