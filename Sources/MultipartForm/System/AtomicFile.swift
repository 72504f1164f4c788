#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A new file that appears at its URL complete, or not at all.
///
/// It is written beside its URL under a random name that begins with `.multipart-form-`, then renamed in one step that
/// overwrites nothing. An unfinished file is removed with its owner; a killed process leaves only the random name.
package final class AtomicFile {
    private let file: OutputFile
    private let url: URL
    private let mode: FileMode?

    /// Fails unless the URL is of this machine and nothing exists there.
    ///
    /// The file has exactly the permissions of `mode` when it is complete, and is its owner's alone before; without a mode
    /// it has those of any file that the process creates.
    init(at url: URL, mode: FileMode? = nil, _ fileSystem: FileSystem = .system) throws(MultipartError) {
        guard url.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: url.errorText) }
        self.url = url
        self.mode = mode
        do throws(POSIXError) {
            try Self.checkVacancy(of: url.path)
            file = try fileSystem.create(Self.temporaryPath(beside: url.path), mode != nil)
        } catch {
            throw MultipartError(.outputStreamCreationFailed, writing: url, error)
        }
    }

    /// Fails unless a file can be created at the path, as far as can be told without creating it.
    package static func checkVacancy(of path: String) throws(POSIXError) {
        guard !path.isEmpty else { throw POSIXError(.noEntry) }
        guard path.utf8.last != UInt8(ascii: "/") else { throw POSIXError(.isDirectory) }
        do throws(POSIXError) {
            _ = try SystemCalls.identity(at: path)
        } catch {
            guard error.code == .noEntry else { throw error }
            return
        }
        throw POSIXError(.alreadyExists)
    }

    /// The permissions that the process gives to its new files beside a path: those of a file created there and removed,
    /// since reading the mask changes it for other threads.
    static func usualMode(beside path: String) throws(POSIXError) -> FileMode {
        let path = temporaryPath(beside: path)
        let file = try OutputFile(creating: path, permissions: FileSystem.usualMode)
        let mode = try file.permissions()
        try file.keep().remove(at: path)
        return mode
    }

    private static func temporaryPath(beside path: String) -> String {
        // Bytes, since a slash and a combining mark after it are one Character.
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { path.utf8[...$0] } ?? path.utf8[..<path.startIndex]
        return FileSystem.temporaryName(prefix: "\(Substring(directory)).multipart-form-")
    }

    func write(_ bytes: Span<UInt8>) throws(MultipartError) {
        try MultipartError.wrap(.outputStreamWriteFailed, path: url.path, try file.write(bytes))
    }

    /// Closes the file and moves it to its URL.
    @discardableResult
    func finish() throws(MultipartError) -> FileIdentity {
        do throws(POSIXError) {
            if let mode { try file.setPermissions(mode) }
            return try file.keep { path throws(POSIXError) in try ExclusiveRename.perform(path, url.path) }
        } catch {
            throw MultipartError(.outputStreamWriteFailed, writing: url, error)
        }
    }
}

/// A way to rename a file to a path at which nothing may exist. If it fails, the file is where it was.
package enum ExclusiveRename: CaseIterable {
    /// Adds the new name, then removes the old one; a process killed in between leaves both.
    case link
    #if canImport(Darwin)
        /// Renames with a flag of the system call.
        case flag
    #endif
    /// Replaces an empty file, for a file system without links, such as FAT.
    ///
    /// The empty file is created exclusively: no file is lost, except one that replaces it right before the last step.
    case placeholder

    /// Renames in the first way that the file system supports; fails with `EEXIST` if something exists at the new path.
    package static func perform(_ path: String, _ newPath: String) throws(POSIXError) {
        for way in allCases {
            do {
                return try way.perform(path, newPath)
            } catch {
                guard way != .placeholder, SystemCalls.isUnsupported(error) else { throw error }
            }
        }
    }

    package func perform(_ path: String, _ newPath: String) throws(POSIXError) {
        switch self {
        case .link:
            try SystemCalls.addName(path, newPath)
            SystemCalls.removeName(path)
        #if canImport(Darwin)
            case .flag:
                try SystemCalls.renameExclusively(path, newPath)
        #endif
        case .placeholder:
            let placeholder = try OutputFile(creating: newPath, permissions: FileSystem.privateMode)
            // Removed at the end unless the file has replaced it.
            defer { withExtendedLifetime(placeholder) {} }
            try placeholder.checkPlace()
            try SystemCalls.replace(newPath, by: path)
            // Its inode cannot tell: on FAT all empty files have the same.
            placeholder.isKept = true
        }
    }
}
