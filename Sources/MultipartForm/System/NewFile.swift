#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A new file that appears complete at its place, or not at all. It replaces another file only on request.
///
/// It is written beside its place, under a random name that begins with `.multipart-form-`, and renamed in one step. An
/// unfinished file is removed with its owner, but never another file at its path. A killed process leaves only the file
/// with the random name.
package final class NewFile {
    private let path: String
    /// The open file, until it is finished.
    package let descriptor: Int32
    /// The permissions of the complete file; nil to keep those with which it was created.
    private let mode: FileMode?
    /// The identity when the file was closed; nil while it is open, since on FAT the inode changes with the first byte.
    private var closed: FileIdentity?
    /// Whether the deinitializer leaves alone whatever is at the path.
    private var isKept = false

    /// Creates a file at its place, with a mode that the process' mask narrows; throws `EEXIST` if something exists
    /// there.
    init(at path: String, mode: FileMode) throws(POSIXError) {
        descriptor = try SystemCalls.create(path, mode)
        self.path = path
        self.mode = nil
    }

    /// Creates a file that is moved to a place when it is complete; throws `EEXIST` if something exists there.
    ///
    /// Only its owner can access the file until it is complete, when it gets exactly the permissions of `mode`. Without
    /// a mode, it has those of any file that the process creates.
    convenience init(beside place: String, mode: FileMode?) throws(POSIXError) {
        try Self.checkVacancy(of: place)
        try self.init(aside: place, mode: mode)
    }

    /// Creates a file that is moved to a place, or elsewhere in its directory, when it is complete. If it replaces a
    /// file there, it gets that file's permissions.
    package convenience init(beside place: String, replacesFile: Bool) throws(POSIXError) {
        try self.init(aside: place, mode: replacesFile ? SystemCalls.mode(at: place) : nil)
    }

    private init(aside place: String, mode: FileMode?) throws(POSIXError) {
        path = Self.temporaryPath(beside: place)
        descriptor = try SystemCalls.create(path, mode == nil ? .umasked : .ownerOnly)
        self.mode = mode
    }

    deinit {
        // While the file is open, no other file gets its inode.
        if !isKept { try? currentIdentity().remove(at: path) }
        if closed == nil { try? SystemCalls.closeFile(descriptor) }
    }

    /// Moves another file to a place instead of this one. Returns false if it has to be copied instead: it is on
    /// another device, or would have another owner, group or access-control list than this file.
    ///
    /// If it is not moved, it stays where it was, and only its owner can access it.
    func move(_ other: String, to place: String) throws(POSIXError) -> Bool {
        guard try SystemCalls.haveSameRights(path, and: other) else { return false }
        let mode = if let mode { mode } else { try SystemCalls.mode(of: descriptor) }
        let file = try InputFile(path: other)
        do throws(POSIXError) {
            try file.setPermissions(mode)
            try ExclusiveRename.perform(from: other, to: place)
            return true
        } catch {
            try? file.setPermissions(.ownerOnly)
            guard error.code == .otherDevice else { throw error }
            return false
        }
    }

    private func currentIdentity() throws(POSIXError) -> FileIdentity {
        if let closed { return closed }
        return try SystemCalls.identity(of: descriptor)
    }

    func write(_ bytes: Span<UInt8>) throws(POSIXError) {
        try SystemCalls.writeBytes(descriptor, bytes)
    }

    /// Closes the file, moves it to its place unless it was written there, and keeps it.
    ///
    /// - Parameters:
    ///   - place: Where to move it; nil if it was written at its place.
    ///   - replacesFile: Whether it takes the place of a file that exists there.
    /// - Returns: The file's identity.
    /// - Throws: `POSIXError`: `EEXIST` if something exists at the place, after which another place can be tried; a
    ///   write that the system could not complete; or `ENOENT` if the file or its directory has been removed. Unless it
    ///   is finished, the file is removed with its owner.
    @discardableResult
    package func finish(at place: String? = nil, replacesFile: Bool = false) throws(POSIXError) -> FileIdentity {
        if closed == nil { try close() }
        let identity = try checkPlace()
        if let place {
            try replacesFile ? SystemCalls.replace(place, by: path) : ExclusiveRename.perform(from: path, to: place)
        }
        isKept = true
        return identity
    }

    private func close() throws(POSIXError) {
        if let mode { try SystemCalls.setMode(descriptor, mode) }
        closed = try currentIdentity()
        try SystemCalls.closeFile(descriptor)
    }

    /// Puts another file in place of this one, which must still be at its path.
    fileprivate func replace(by other: String) throws(POSIXError) {
        try checkPlace()
        try SystemCalls.replace(path, by: other)
        // Its inode cannot identify it later: on FAT all empty files have the same one.
        isKept = true
    }

    /// Returns the file's current identity; throws `ENOENT` if the file is no longer at its path.
    @discardableResult
    private func checkPlace() throws(POSIXError) -> FileIdentity {
        let found = try SystemCalls.identity(at: path)
        guard found.isSameFile(as: try currentIdentity()) else { throw POSIXError(.noEntry) }
        return found
    }
}

// Paths of new files.
extension NewFile {
    /// Throws unless a file can be created at the path, as far as can be known without creating it.
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

    private static func temporaryPath(beside path: String) -> String {
        // Bytes, since a slash and a combining mark after it are one Character.
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { path.utf8[...$0] } ?? path.utf8[..<path.startIndex]
        return randomName(prefix: "\(Substring(directory)).multipart-form-")
    }

    /// An unpredictable name: a prefix and 128 bits from the system's random number generator.
    ///
    /// Not a `UUID`: Foundation on Linux makes the same one each time if it cannot open `/dev/urandom`.
    static func randomName(prefix: String) -> String {
        let numbers = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
        return prefix + numbers.joined(separator: "-")
    }
}

// Files that the program names by their URL, as errors do.
extension NewFile {
    /// Throws unless the URL is that of a file on this machine and nothing exists there.
    convenience init(beside url: URL, mode: FileMode? = nil) throws(MultipartError) {
        guard url.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: url.errorText) }
        do throws(POSIXError) {
            try self.init(beside: url.path, mode: mode)
        } catch {
            throw MultipartError(.outputStreamCreationFailed, writing: url, error)
        }
    }

    func write(_ bytes: Span<UInt8>, for url: URL) throws(MultipartError) {
        try MultipartError.wrap(.outputStreamWriteFailed, path: url.path, try write(bytes))
    }

    /// Closes the file and moves it to its URL; returns its identity.
    @discardableResult
    func finish(at url: URL) throws(MultipartError) -> FileIdentity {
        do throws(POSIXError) {
            return try finish(at: url.path)
        } catch {
            throw MultipartError(.outputStreamWriteFailed, writing: url, error)
        }
    }
}

extension MultipartError {
    /// The error of an output file: if something exists at its URL, that error, otherwise one with `code`.
    init(_ code: Code, writing url: URL, _ error: POSIXError) {
        let code = error.code == .alreadyExists ? .outputStreamFileAlreadyExists : code
        self.init(code, path: url.path, underlyingError: error)
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

    /// Renames in the first way that the file system supports; throws `EEXIST` if something exists at the new path.
    package static func perform(from path: String, to newPath: String) throws(POSIXError) {
        for way in allCases {
            do {
                return try way.perform(from: path, to: newPath)
            } catch {
                guard way != .placeholder, SystemCalls.isUnsupported(error) else { throw error }
            }
        }
    }

    package func perform(from path: String, to newPath: String) throws(POSIXError) {
        switch self {
        case .link:
            try SystemCalls.addName(newPath, toFileAt: path)
            SystemCalls.removeName(path)
        #if canImport(Darwin)
            case .flag:
                try SystemCalls.renameExclusively(path, to: newPath)
        #endif
        case .placeholder:
            // Removed again unless the file has replaced it.
            try NewFile(at: newPath, mode: .ownerOnly).replace(by: path)
        }
    }
}
