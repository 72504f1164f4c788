#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A new file that appears complete at its place, its final path, or not at all. It replaces another file only on
/// request.
///
/// A file from ``init(at:mode:)`` is written at its place. Any other is written beside its place, under a random name
/// that begins with `.multipart-form-`, and renamed in one step; a killed process leaves only the file with the random
/// name. An unfinished file is removed when this object is released. Another file at the same path stays, except as in
/// ``FileIdentity/remove(at:)``.
package final class NewFile {
    private let path: String
    /// The descriptor of the file; it is open until the file is finished.
    package let descriptor: Int32
    /// The permissions of the complete file; nil to keep those with which it was created.
    private let mode: FileMode?
    /// The file's identity when it was closed; nil while it is open. It is not recorded earlier, because on FAT the
    /// inode changes with the first byte.
    private var closed: FileIdentity?
    /// Whether the deinitializer leaves the file at its path; otherwise it removes the file.
    private var isKept = false

    /// Creates a file at its place, with a mode that the process' mask (umask) narrows; throws `EEXIST` if something
    /// exists there.
    init(at path: String, mode: FileMode) throws(POSIXError) {
        descriptor = try SystemCalls.create(path, mode)
        self.path = path
        self.mode = nil
    }

    /// Creates a file that is moved to a place when it is complete; throws `EEXIST` if something exists at the place.
    ///
    /// With a mode, only the user that owns the file can access it until it is complete; then it gets exactly these
    /// permissions. Without a mode, it has the permissions of any file that the process creates.
    convenience init(beside place: String, mode: FileMode?) throws(POSIXError) {
        try Self.checkVacancy(of: place)
        try self.init(aside: place, mode: mode)
    }

    /// Creates a file that is moved to a place, or to another path in the same directory, when it is complete. If
    /// `replacesFile` is true, it gets the permissions of the file at the place.
    package convenience init(beside place: String, replacesFile: Bool) throws(POSIXError) {
        try self.init(aside: place, mode: replacesFile ? SystemCalls.mode(at: place) : nil)
    }

    private init(aside place: String, mode: FileMode?) throws(POSIXError) {
        path = Self.temporaryPath(beside: place)
        descriptor = try SystemCalls.create(path, mode == nil ? .umasked : .ownerOnly)
        self.mode = mode
    }

    deinit {
        // Removes the file before it is closed: while it is open, no other file gets its inode.
        if !isKept { try? currentIdentity().remove(at: path) }
        if closed == nil { try? SystemCalls.closeFile(descriptor) }
    }

    /// Moves the file at the path `other` to a place, instead of this file. Returns false if it has to be copied to
    /// this file instead, because it is on another device, or because it has another owner, group or access-control
    /// list.
    ///
    /// If the other file is not moved, it stays where it was, and only the user that owns it can access it.
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

    /// Completes the file: closes it, moves it to `place` if that is not nil, and keeps it.
    ///
    /// - Parameters:
    ///   - place: Where to move the file; nil if it was created at its place.
    ///   - replacesFile: Whether the file replaces one that exists at `place`.
    /// - Returns: The file's identity.
    /// - Throws: `POSIXError`: `EEXIST` if something exists at the place, after which another place can be tried;
    ///   `ENOENT` if the file or its directory has been removed; or the error of a write that the system could not
    ///   complete. If no later call succeeds, the file is removed when this object is released.
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

    /// Replaces this file, which must still be at its path, by the file at the path `other`.
    fileprivate func replace(by other: String) throws(POSIXError) {
        try checkPlace()
        try SystemCalls.replace(path, by: other)
        // Otherwise the deinitializer could remove the other file, whose inode may be the same: on FAT all empty files
        // have one inode.
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
    /// Throws if no file can be created at a path: the path is empty or ends in a slash, or something exists there.
    /// Other reasons are found only by creating the file.
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
        // Searches bytes, because a slash and a combining mark after it are one Character.
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { path.utf8[...$0] } ?? path.utf8[..<path.startIndex]
        return randomName(prefix: "\(Substring(directory)).multipart-form-")
    }

    /// An unpredictable name: a prefix and 128 bits from the system's random number generator.
    ///
    /// Not a `UUID`, because Foundation on Linux makes the same UUID each time if it cannot open `/dev/urandom`.
    static func randomName(prefix: String) -> String {
        let numbers = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
        return prefix + numbers.joined(separator: "-")
    }
}

// The same operations for a file that the program names by its URL; the errors name its path.
extension NewFile {
    /// Creates a file that is moved to a URL when it is complete. Throws if the URL does not name a file on this
    /// machine, or if something exists there.
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

    /// Closes the file and moves it to its URL; returns the file's identity.
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
    /// Creates the error of an output file: `outputStreamFileAlreadyExists` if something exists at its URL, otherwise
    /// `code`.
    init(_ code: Code, writing url: URL, _ error: POSIXError) {
        let code = error.code == .alreadyExists ? .outputStreamFileAlreadyExists : code
        self.init(code, path: url.path, underlyingError: error)
    }
}

/// A way to rename a file only if nothing exists at the new path. If it fails, the file stays where it was.
package enum ExclusiveRename: CaseIterable {
    /// Adds the new name, then removes the old one; a process that is killed in between leaves both names.
    case link
    #if canImport(Darwin)
        /// Renames with a flag of the system call.
        case flag
    #endif
    /// Creates an empty file at the new path, and replaces it by the file: for file systems without links, such as FAT.
    ///
    /// The empty file is created only if nothing exists there. So no other file is lost, except one that takes the path
    /// right before the last step.
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
            // The empty file is removed again if the file cannot replace it.
            try NewFile(at: newPath, mode: .ownerOnly).replace(by: path)
        }
    }
}
