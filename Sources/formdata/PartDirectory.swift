import Foundation

/// The directory `decode` writes to.
///
/// Files are created exclusively, in the directory itself, so that no name leads elsewhere and nothing that stands
/// there is touched. What was created is removed with its owner unless it is kept.
final class PartDirectory {
    private let path: String
    private var names = PartNames()
    private var manifest: OutputFile?
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
            manifest = try OutputFile(beside: location(of: PartNames.manifest))
        } catch {
            throw ToolError.creating(path, error)
        }
        if (try? OutputFile.status(of: location(of: PartNames.manifest))) != nil {
            throw ToolError.creating(location(of: PartNames.manifest), POSIXError(.EEXIST))
        }
    }

    deinit {
        guard !isKept else { return }
        // The last owner of a file removes it.
        manifest = nil
        files = []
        for directory in createdDirectories.reversed() { rmdir(directory) }
    }

    /// Creates the file of a part, which has no name yet.
    func beginFile() throws {
        do throws(POSIXError) {
            files.append(try OutputFile(beside: location(of: PartNames.manifest)))
        } catch {
            throw ToolError.creating(path, error)
        }
    }

    /// Writes bytes to the part's file.
    func write(_ bytes: Span<UInt8>) throws {
        do throws(POSIXError) {
            try files.last?.write(bytes)
        } catch {
            throw writingError(error)
        }
    }

    /// Completes the part's file under the next free form of a safe name, and returns that and the length.
    func endFile(named wanted: String) throws -> (name: String, length: UInt64) {
        guard let file = files.last else { return (wanted, 0) }
        // Ends: each turn tries another name, and finitely many files exist.
        while true {
            let name = names.next(for: wanted)
            do throws(POSIXError) {
                try file.finish(at: location(of: name))
                return (name, file.length ?? 0)
            } catch {
                guard error.code == .EEXIST else { throw writingError(error) }
            }
        }
    }

    /// Writes the manifest and a line break; from now on everything stays.
    func finish(manifest bytes: [UInt8]) throws {
        do throws(POSIXError) {
            try manifest?.write((bytes + [0x0A]).span)
            try manifest?.finish(at: location(of: PartNames.manifest))
        } catch {
            throw error.code == .EEXIST
                ? ToolError.creating(location(of: PartNames.manifest), error) : writingError(error)
        }
        manifest?.keep()
        keep()
    }

    /// Keeps the parts that are there even if the manifest cannot be written.
    func keep() {
        isKept = true
        for file in files { file.keep() }
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

    private func writingError(_ error: POSIXError) -> ToolError {
        ToolError(.inputOutput, "write-failed", "output cannot be written", path: path, error)
    }
}
