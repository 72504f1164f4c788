import Foundation

/// The inputs as files, for the programs that are compared with the library.
struct InputFiles {
    /// The directory for the files.
    let directory: URL

    private struct Entry: Encodable {
        let name: String
        let file: String
        let boundary: String
        let bytes: Int
        let messageBytes: Int
        let parts: Int
        let isMadeOfParts: Bool
    }

    /// Writes a file for each shape, and `inputs.json`, which describes them.
    ///
    /// - Parameters:
    ///   - shapes: The shapes of message.
    ///   - scale: Their size.
    /// - Throws: An error of the file system.
    func write(_ shapes: [ParseShape], _ scale: Scale) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        var entries: [Entry] = []
        for shape in shapes {
            let input = shape.makeInput(scale)
            let file = "\(shape.rawValue).body"
            try WorkDirectory.write(input.bytes, to: directory.appendingPathComponent(file))
            entries.append(
                Entry(
                    name: shape.rawValue,
                    file: file,
                    boundary: ParseInput.boundaryText,
                    bytes: input.bytes.count,
                    messageBytes: input.messageLength,
                    parts: input.parts,
                    isMadeOfParts: shape.isMadeOfParts
                )
            )
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(entries).write(to: directory.appendingPathComponent("inputs.json"))
    }
}
