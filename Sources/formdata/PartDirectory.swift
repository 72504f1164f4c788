import Foundation
import MultipartForm

/// The directory `decode` writes to.
///
/// Files are created exclusively, in the directory itself, so that no name leads elsewhere and nothing that stands
/// there is touched. What was created is removed with its owner unless it is kept.
final class PartDirectory {
    private let path: String
    private var names = PartNames()
    private var manifest: OutputFile?
    /// The part's file being written.
    private var current: (name: String, output: OutputFile)?
    /// The directories that were missing, from the outermost.
    private var createdDirectories: [String] = []
    /// The files that are complete, and what they were then.
    private var createdFiles: [(name: String, identity: FileIdentity)] = []
    private var isKept = false

    /// Creates the directory if it is missing, and reserves the manifest's name.
    ///
    /// - Throws: ``ToolError`` if the directory cannot be created or written to, or has a manifest.
    init(creating path: String) throws {
        self.path = path
        do throws(POSIXError) {
            try createDirectory(path)
            manifest = try OutputFile(creating: location(of: PartNames.manifest), permissions: 0o666)
        } catch  where error.code == .EEXIST {
            let place = location(of: PartNames.manifest)
            throw ToolError(.cannotCreate, "output-exists", "output exists already: \(place)")
        } catch {
            throw Self.creationError(path, error)
        }
    }

    deinit {
        guard !isKept else { return }
        // The last owner of an unfinished file removes it.
        current = nil
        manifest = nil
        for file in createdFiles { file.identity.remove(at: location(of: file.name)) }
        for directory in createdDirectories.reversed() { rmdir(directory) }
    }

    /// Creates the file of a part under the next free form of a safe name, and returns that.
    ///
    /// - Throws: ``ToolError`` if it cannot be created.
    func beginFile(named wanted: String) throws -> String {
        // Ends: each turn tries another name, and finitely many files exist.
        while true {
            let name = names.next(for: wanted)
            do throws(POSIXError) {
                current = (name, try OutputFile(creating: location(of: name), permissions: 0o666))
                return name
            } catch  where error.code == .EEXIST {
                continue
            } catch {
                throw Self.creationError(location(of: name), error)
            }
        }
    }

    /// Writes bytes to the part's file.
    ///
    /// - Throws: ``ToolError`` if the system cannot write them.
    func write(_ bytes: Span<UInt8>) throws {
        guard let current else { return }
        do throws(POSIXError) {
            // SAFETY: the bytes are used inside the closure only.
            try bytes.withUnsafeBytes { bytes throws(POSIXError) in try current.output.write(bytes) }
        } catch {
            throw writingError(current.name, error)
        }
    }

    /// Completes the part's file, if there is one.
    ///
    /// - Throws: ``ToolError`` if the system could not write all of it.
    func endFile() throws {
        guard let finished = current else { return }
        current = nil
        do throws(POSIXError) {
            createdFiles.append((finished.name, try finished.output.keep()))
        } catch {
            throw writingError(finished.name, error)
        }
    }

    /// The length of a part's file, in bytes; nil if the system does not tell.
    func length(ofFile name: String) -> UInt64? {
        var status = stat()
        return lstat(location(of: name), &status) == 0 ? UInt64(exactly: status.st_size) : nil
    }

    /// Writes the manifest; from now on everything stays.
    ///
    /// - Throws: ``ToolError`` if the system could not write it.
    func finish(manifest bytes: [UInt8]) throws {
        guard let manifest else { return }
        do throws(POSIXError) {
            // SAFETY: the bytes are used inside the closure only.
            try bytes.span.withUnsafeBytes { bytes throws(POSIXError) in try manifest.write(bytes) }
            try manifest.keep()
        } catch {
            throw writingError(PartNames.manifest, error)
        }
        isKept = true
    }

    /// Keeps what is there even if the manifest cannot be written.
    func keep() {
        isKept = true
    }

    private func createDirectory(_ path: String) throws(POSIXError) {
        if mkdir(path, 0o777) == 0 {
            createdDirectories.append(path)
            return
        }
        let error = FileDescriptor.lastError
        switch error.code {
        case .EEXIST:
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw POSIXError(.ENOTDIR) }
        case .ENOENT:
            let trimmed = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
            let parent = trimmed.drop { $0 != UInt8(ascii: "/") }
            guard !parent.isEmpty, parent.count < path.utf8.count else { throw error }
            try createDirectory(String(decoding: Array(parent.reversed()), as: UTF8.self))
            guard mkdir(path, 0o777) == 0 else { throw FileDescriptor.lastError }
            createdDirectories.append(path)
        default:
            throw error
        }
    }

    private func location(of name: String) -> String {
        path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    }

    private func writingError(_ name: String, _ error: POSIXError) -> ToolError {
        ToolError(.inputOutput, "write-failed", "output cannot be written", path: location(of: name), error)
    }

    private static func creationError(_ path: String, _ error: POSIXError) -> ToolError {
        ToolError(.cannotCreate, "cannot-create-output", "output cannot be created", path: path, error)
    }
}
