import Foundation

/// Where `encode` writes: standard output, a new file, a file that is replaced at the end, or a device.
struct OutputDestination {
    private enum Target {
        /// Standard output or a device; never removed.
        case stream(FileDescriptor)
        /// A file that is not in its place yet.
        case file(OutputFile, place: String, replaces: Bool)
    }

    private let target: Target
    private let label: String

    /// Opens a path; nil and `-` are standard output.
    ///
    /// - Throws: ``ToolError`` if it cannot be created, or exists and is not to be replaced, or written to if it is a
    ///   device.
    init(path: String?, replacesFile: Bool) throws {
        label = path == nil || path == "-" ? "standard output" : path ?? ""
        guard let path, path != "-" else {
            target = .stream(.standardOutput)
            return
        }
        do throws(POSIXError) {
            target = try Self.target(at: path, replacesFile)
        } catch {
            throw ToolError.creating(path, error)
        }
    }

    /// Writes all bytes of a span.
    ///
    /// - Throws: ``ToolError`` if the system cannot write them, or `EPIPE` if the reader of a pipe has gone away.
    func write(_ bytes: Span<UInt8>) throws {
        do throws(POSIXError) {
            switch target {
            case .stream(let descriptor): try descriptor.write(bytes)
            case .file(let file, _, _): try file.write(bytes)
            }
        } catch {
            guard error.code != .EPIPE else { throw error }
            throw writingError(error)
        }
    }

    /// Completes the output: only now a file stays, or takes the place of another.
    func finish() throws {
        do throws(POSIXError) {
            switch target {
            case .stream(let descriptor):
                if descriptor.number > FileDescriptor.standardError.number { try descriptor.close() }
            case .file(let file, let place, let replaces):
                try file.finish(at: place, replacing: replaces)
                file.keep()
            }
        } catch {
            throw error.code == .EEXIST ? ToolError.creating(label, error) : writingError(error)
        }
    }

    private func writingError(_ error: POSIXError) -> ToolError {
        ToolError(.inputOutput, "output-stream-write-failed", "output cannot be written", path: label, error)
    }

    private static func target(at path: String, _ replacesFile: Bool) throws(POSIXError) -> Target {
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT {
            return .file(try OutputFile(beside: path), place: path, replaces: false)
        }
        guard replacesFile else { throw POSIXError(.EEXIST) }
        guard stat(path, &status) == 0 else { throw FileDescriptor.lastError }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw POSIXError(.EISDIR)
        case S_IFREG: return try replacement(of: path, permissions: status.st_mode & 0o777)
        default: return .stream(try FileDescriptor.open(path, O_WRONLY | O_NOCTTY))
        }
    }

    /// Creates the file that will replace another, in its directory; a link stays and leads to the new file.
    private static func replacement(of path: String, permissions: mode_t) throws(POSIXError) -> Target {
        guard let place = FileDescriptor.resolved(path), access(place, W_OK) == 0 else {
            throw FileDescriptor.lastError
        }
        let file = try OutputFile(beside: place, permissions: 0o600)
        try file.setPermissions(permissions)
        return .file(file, place: place, replaces: true)
    }
}
