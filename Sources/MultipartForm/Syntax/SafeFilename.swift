/// File names that are safe to join to a directory's path (RFC 7578 §4.2).
package enum SafeFilename {
    /// The maximum length of a safe file name, in bytes; the usual file systems allow no more.
    private static let maxLength = 255

    /// The maximum length of an extension that is kept when a name is cut, in bytes with its dot.
    private static let maxExtensionLength = 32

    /// Makes a safe name from the last component of a file name as it was sent; nil if nothing usable is left.
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
        // For ASCII, comparing bytes is faster than Unicode's tables.
        guard !scalar.isASCII else { return !ASCII.isControl(UInt8(scalar.value)) && scalar != "\t" }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        case .format: !scalar.properties.isBidiControl
        default: true
        }
    }

    /// The name cut to ``maxLength`` bytes; empty if its first character does not fit.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > maxLength else { return name }
        // Iterates only forwards, because a step back over flags or joined emoji reads all of those before it. Compares
        // bytes, because comparing characters takes quadratic time in the number of their combining marks.
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
