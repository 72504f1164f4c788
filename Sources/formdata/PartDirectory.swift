import Foundation

/// The directory `decode` writes to.
///
/// Files are created in the directory itself, so that no name leads elsewhere, and never replace another. They are
/// removed with their owner unless they are kept.
final class PartDirectory {
    private let path: String
    private var names = PartNames()
    private var manifest: OutputFile?
    /// The parts' files; the last one may be unfinished.
    private var files: [OutputFile] = []
    /// The directories that were missing, from the outermost.
    private var createdDirectories: [String] = []
    private var isKept = false

    /// Creates the directory if it is missing.
    ///
    /// - Throws: ``ToolError`` if the directory cannot be created or written to, or has a manifest.
    init(creating path: String) throws {
        self.path = path
        do throws(POSIXError) {
            try createDirectory(path)
        } catch {
            throw ToolError.creating(path, error)
        }
        var status = stat()
        let place = location(of: PartNames.manifest)
        guard lstat(place, &status) != 0 else { throw ToolError.creating(place, POSIXError(.EEXIST)) }
        manifest = try OutputFile(beside: place)
    }

    deinit {
        guard !isKept else { return }
        // The last owner of a file removes it.
        manifest = nil
        files = []
        for directory in createdDirectories.reversed() { rmdir(directory) }
    }

    /// Creates the file of a part that wants a safe name.
    func beginFile(named wanted: String) throws {
        files.append(try OutputFile(beside: location(of: wanted)))
    }

    func write(_ bytes: Span<UInt8>) throws {
        try files.last?.descriptor.write(bytes)
    }

    /// Completes the part's file under the next free form of the name it wants, and returns that and the length.
    func endFile(named wanted: String) throws -> (name: String, length: UInt64) {
        guard let file = files.last else { return (wanted, 0) }
        var name = names.next(for: wanted)
        // Ends: each turn tries another name, and finitely many files exist.
        while try !file.finish(at: location(of: name)) { name = names.next(for: wanted) }
        return (name, file.length)
    }

    /// Writes the manifest and a line break; from now on everything stays.
    func finish(manifest text: String) throws {
        try manifest?.descriptor.write("\(text)\n")
        try manifest?.finish()
        keep()
    }

    /// Keeps the parts that are there even if the manifest cannot be written.
    func keep() {
        isKept = true
        for file in files { file.isKept = true }
    }

    private func createDirectory(_ path: String) throws(POSIXError) {
        if mkdir(path, 0o777) != 0 {
            let error = FileDescriptor.lastError
            guard error.code != .EEXIST else { return }
            let trimmed = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
            let parent = trimmed.drop { $0 != UInt8(ascii: "/") }
            guard error.code == .ENOENT, !parent.isEmpty else { throw error }
            try createDirectory(String(decoding: parent.reversed(), as: UTF8.self))
            guard mkdir(path, 0o777) == 0 else { throw FileDescriptor.lastError }
        }
        createdDirectories.append(path)
    }

    private func location(of name: String) -> String {
        path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    }
}
