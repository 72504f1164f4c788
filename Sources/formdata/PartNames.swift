import MultipartForm

/// Gives each part's file a name of its own.
///
/// - Input: the headers of parts, which may say anything.
/// - Output: names of one path component, of at most 255 bytes, without control characters, that differ by more
///   than letter case or Unicode form, and never `manifest.json`.
/// - Cost: a part with a name that was used before goes on counting where the last one stopped.
struct PartNames {
    /// The file that lists the parts.
    static let manifest = "manifest.json"

    /// The longest file name of the usual file systems, in bytes.
    private static let lengthLimit = 255

    private var taken: Set<String> = [Self.manifest]
    private var lastNumbers: [String: Int] = [:]

    /// The name for a part, taken from its file name or else from its field's name.
    ///
    /// - Parameter headers: The part's header fields.
    /// - Returns: A name that was not returned before; a file may still stand there.
    mutating func next(for headers: HeaderFields) -> String {
        let fieldName = headers.name.flatMap { ContentDisposition(name: nil, filename: $0).safeFilename }
        return next(for: headers.safeFilename ?? fieldName ?? "part")
    }

    /// The next free form of a name: `a.txt`, `a-2.txt`, `a-3.txt`.
    mutating func next(for name: String) -> String {
        let (stem, pathExtension) = Self.split(name)
        // Names so long that they are cut to the same count on together.
        let room = Self.lengthLimit - pathExtension.utf8.count
        let key = Self.key((stem.utf8.count > room ? Self.cut(stem, to: room - 20) : stem) + pathExtension)
        var number = lastNumbers[key, default: 0]
        // Ends: each turn makes another name, and finitely many are taken.
        while true {
            number += 1
            let suffix = (number == 1 ? "" : "-\(number)") + pathExtension
            let candidate = Self.cut(stem, to: Self.lengthLimit - suffix.utf8.count) + suffix
            guard taken.insert(Self.key(candidate)).inserted else { continue }
            lastNumbers[key] = number
            return candidate
        }
    }

    /// What two names have in common that a file system may take for the same: texts are equal by canonical
    /// equivalence, so only letter case is left to undo.
    private static func key(_ name: String) -> String {
        name.lowercased()
    }

    /// The name without its extension, and the extension with its dot; a very long one does not count.
    private static func split(_ name: String) -> (stem: String, pathExtension: String) {
        guard let dot = name.unicodeScalars.lastIndex(of: "."), dot > name.startIndex,
            name[dot...].utf8.count <= 32
        else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// The longest beginning of whole scalars with at most `limit` bytes.
    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var result = String.UnicodeScalarView()
        var length = 0
        for scalar in text.unicodeScalars {
            length += UTF8.width(scalar)
            guard length <= limit else { break }
            result.append(scalar)
        }
        return String(result)
    }
}
