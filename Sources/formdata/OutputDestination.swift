import Foundation
import MultipartForm

/// Where `encode` writes: standard output, a new file, a file that is replaced at the end, or a device.
///
/// A file appears complete or not at all: one that is not finished is removed with its owner.
final class OutputDestination {
    private enum Target {
        /// Standard output or a device; never removed.
        case descriptor(FileDescriptor)
        /// A new file.
        case file(AtomicFile)
        /// A file beside the one it is to replace.
        case replacement(OutputFile, path: String)
    }

    private let target: Target
    private let label: String

    /// Opens a destination.
    ///
    /// - Parameters:
    ///   - path: The path; nil or `-` for standard output.
    ///   - replacesFile: Whether what stands at the path may be replaced, or written to if it is a device.
    /// - Throws: ``ToolError`` if it cannot be created.
    init(path: String?, replacesFile: Bool) throws {
        guard let path, path != "-" else {
            label = "standard output"
            target = .descriptor(.standardOutput)
            return
        }
        label = path
        do {
            target = .file(try AtomicFile(creating: path, permissions: 0o666))
        } catch  where error.code == .EEXIST && replacesFile {
            target = try Self.existing(path)
        } catch {
            throw Self.creationError(path, error)
        }
    }

    /// Writes all bytes of a buffer.
    func write(_ buffer: UnsafeRawBufferPointer) throws(POSIXError) {
        switch target {
        case .descriptor(let descriptor): try descriptor.write(buffer)
        case .file(let file): try file.write(buffer)
        case .replacement(let file, _): try file.write(buffer)
        }
    }

    /// Completes the output: only now a file stays, or takes the place of another.
    ///
    /// - Throws: ``ToolError`` if the system could not write all of it.
    func finish() throws {
        do throws(POSIXError) {
            switch target {
            case .descriptor(let descriptor):
                if descriptor.number > FileDescriptor.standardError.number { try descriptor.closeWritten() }
            case .file(let file):
                try file.finish()
            case .replacement(let file, let path):
                try file.keep { temporaryPath throws(POSIXError) in
                    guard rename(temporaryPath, path) == 0 else { throw FileDescriptor.lastError }
                }
            }
        } catch {
            if error.code == .EEXIST { throw Self.creationError(label, error) }
            throw ToolError(.inputOutput, "write-failed", "output cannot be written", path: label, error)
        }
    }

    /// Opens a path at which something stands.
    private static func existing(_ path: String) throws -> Target {
        var status = stat()
        guard stat(path, &status) == 0 else { throw creationError(path, FileDescriptor.lastError) }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            return try replacement(path, permissions: status.st_mode & 0o777)
        case S_IFDIR:
            throw creationError(path, POSIXError(.EISDIR))
        default:
            do throws(POSIXError) {
                return .descriptor(try FileDescriptor.open(path, O_WRONLY | O_NOCTTY))
            } catch {
                throw creationError(path, error)
            }
        }
    }

    /// Creates the file that will replace another, in its directory; a link stays and leads to the new file.
    private static func replacement(_ path: String, permissions: mode_t) throws -> Target {
        guard let resolved = realpath(path, nil) else { throw creationError(path, FileDescriptor.lastError) }
        defer { free(resolved) }
        let target = String(cString: resolved)
        guard access(target, W_OK) == 0 else { throw creationError(path, FileDescriptor.lastError) }
        do throws(POSIXError) {
            let file = try OutputFile(creating: TemporaryName.path(beside: target), permissions: 0o600)
            try file.setPermissions(permissions)
            return .replacement(file, path: target)
        } catch {
            throw creationError(path, error)
        }
    }

    private static func creationError(_ path: String, _ error: POSIXError) -> ToolError {
        error.code == .EEXIST
            ? ToolError(.cannotCreate, "output-exists", "output exists already: \(path)")
            : ToolError(.cannotCreate, "cannot-create-output", "output cannot be created", path: path, error)
    }
}
