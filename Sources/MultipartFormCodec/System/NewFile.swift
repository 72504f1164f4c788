#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A new file, which replaces another file only on request.
///
/// There are two ways to create a new file:
/// - ``init(beside:mode:)`` and ``init(beside:replacesFile:)`` create the file in the directory of its final path,
///   under a random name that begins with `.multipart-form-`. ``finish(at:replacesFile:)`` renames the complete file.
///   ``move(_:from:to:)`` uses an existing file instead of the new one: it moves the existing file to such a random
///   name in the same directory, then renames it.
/// - ``init(at:mode:)`` creates the file at its final path.
///
/// A file gets its final mode under its random name, right before it is renamed. As long as a moved file is in its old
/// directory, it stays private, that is, its mode is 0o600. So other users cannot open it in `/tmp`, for instance, if
/// its final directory is closed to them. These are the states of a file with a random name:
///
/// | state | under the random name | the next step | if that step fails |
/// | --- | --- | --- | --- |
/// | created | this file, empty | write, or move another file here | this file is removed; the other file stays |
/// | written | this file | set the mode, close | this file is removed |
/// | moved | the other file, private | set the mode | the other file moves back |
/// | complete | the file, with its mode | rename | a moved file becomes private and moves back; a written file stays |
/// | finished | nothing | | |
///
/// If a moved file cannot become private, or cannot move back, it stays under its random name. ``move(_:from:to:)``
/// then sets `otherPath` to this path. If a written file cannot be renamed, the caller can call
/// ``finish(at:replacesFile:)`` again. If the process is killed, the file stays under its random name, written or
/// moved.
///
/// The deinitializer removes an unfinished file, but not a moved one. If another file is at the path by then, the
/// deinitializer leaves the other file there, except in the cases that ``FileIdentity/remove(at:)`` lists.
package final class NewFile {
    /// Where the bytes of the file come from.
    private enum Content {
        /// This object writes the bytes; the descriptor is open.
        case writing
        /// This object has written the bytes. The identity was read right before the file was closed. An identity that
        /// was read earlier could be wrong: on FAT, the inode changes when the first byte is written.
        case written(FileIdentity)
        /// Another file has been moved to `path`, and the file that this object created has been removed.
        case moved(InputFile)
    }

    private var path: String
    /// The descriptor of the file that this object created. It is open only while `content` is `writing`.
    package let descriptor: Int32
    /// The mode that the file gets when it is complete; nil to leave its mode unchanged.
    private var mode: FileMode?
    private var content = Content.writing
    /// Whether the deinitializer keeps the file instead of removing it.
    private var isKept = false

    /// Creates a file at its final path. The file's mode is `mode` without the bits of the process's umask.
    /// Throws `EEXIST` if something exists at the path.
    init(at path: String, mode: FileMode) throws(POSIXError) {
        descriptor = try SystemCalls.create(path, mode)
        self.path = path
        self.mode = nil
    }

    /// Creates a file that is to be moved to the path `place`. Until then, the file is in the same directory under a
    /// random name. Throws `EEXIST` if something exists at `place`.
    ///
    /// If `mode` is nil, the file has the mode of any new file of the process. Otherwise, the complete file has
    /// exactly the mode `mode`, and only the file's owner can access the incomplete file.
    convenience init(beside place: String, mode: FileMode?) throws(POSIXError) {
        try Self.checkVacancy(of: place)
        try self.init(aside: place, mode: mode)
    }

    /// Creates a file that is to be moved to the path `place`, or to another path in the same directory. Until then,
    /// the file is in this directory under a random name.
    ///
    /// If `replacesFile` is true, the complete file gets the mode of the file at `place`.
    package convenience init(beside place: String, replacesFile: Bool) throws(POSIXError) {
        try self.init(aside: place, mode: replacesFile ? SystemCalls.mode(at: place) : nil)
    }

    private init(aside place: String, mode: FileMode?) throws(POSIXError) {
        path = Self.temporaryPath(beside: place)
        descriptor = try SystemCalls.create(path, mode == nil ? .umasked : .ownerOnly)
        self.mode = mode
    }

    deinit {
        // Removes the file before closing it. While a file is open, no other file can get its inode, so no other file
        // is removed by mistake.
        if !isKept { removeName() }
        if case .writing = content { try? SystemCalls.closeFile(descriptor) }
    }

    /// Removes the file. If its identity cannot be read, removes whatever is at `path`. If the name is random, no other
    /// file has it.
    private func removeName() {
        if let identity = try? currentIdentity() {
            identity.remove(at: path)
        } else {
            SystemCalls.removeName(path)
        }
    }

    private func currentIdentity() throws(POSIXError) -> FileIdentity {
        switch content {
        case .writing: try SystemCalls.identity(of: descriptor)
        case .written(let identity): identity
        case .moved(let file): try file.currentIdentity()
        }
    }

    func write(_ bytes: Span<UInt8>) throws(POSIXError) {
        try SystemCalls.writeBytes(descriptor, bytes)
    }

    /// Completes the file: sets its mode, closes it, moves it to `place`, and keeps it.
    ///
    /// - Parameters:
    ///   - place: The path to move the file to; nil if the file was created at its final path.
    ///   - replacesFile: Whether the file may replace another file at `place`.
    /// - Returns: The file's identity.
    /// - Throws: A `POSIXError`. The caller can call this method again; if no call succeeds, the deinitializer removes
    ///   the file.
    ///   - `EEXIST`: something exists at `place`. The caller can try another place.
    ///   - `ENOENT`: the file or its directory has been removed.
    ///   - Any other code, for instance because the system could not complete an earlier write.
    @discardableResult
    package func finish(at place: String? = nil, replacesFile: Bool = false) throws(POSIXError) -> FileIdentity {
        try complete()
        let identity = try checkPlace()
        if let place {
            try replacesFile ? SystemCalls.replace(place, by: path) : ExclusiveRename.perform(from: path, to: place)
        }
        isKept = true
        return identity
    }

    /// Sets the mode. Closes a file that this object has written, because closing can report that a write failed. A
    /// moved file stays open, so that its mode can be changed back.
    private func complete() throws(POSIXError) {
        switch content {
        case .written:
            break
        case .writing:
            if let mode { try SystemCalls.setMode(descriptor, mode) }
            content = .written(try currentIdentity())
            try SystemCalls.closeFile(descriptor)
        case .moved(let file):
            if let mode { try file.setMode(mode) }
        }
    }

    /// Moves the file at the path `other` to this file's path, and thereby replaces this file. Throws `ENOENT` if this
    /// file is not at its path.
    fileprivate func replace(by other: String) throws(POSIXError) {
        try checkPlace()
        try SystemCalls.replace(path, by: other)
        // The file at `path` is now the other file, which the deinitializer must not remove. The two files may have the
        // same inode: on FAT, all empty files share one inode.
        isKept = true
    }

    /// Returns the file's current identity. Throws `ENOENT` if the file is not at its path.
    @discardableResult
    private func checkPlace() throws(POSIXError) -> FileIdentity {
        let found = try SystemCalls.identity(at: path)
        guard found.isSameFile(as: try currentIdentity()) else { throw POSIXError(.noEntry) }
        return found
    }
}

// Moves another file instead of writing a new one.
extension NewFile {
    /// Moves another file to the path `place`, instead of writing this file. The other file gets the mode that
    /// this file would get.
    ///
    /// - Parameters:
    ///   - other: The other file.
    ///   - otherPath: The path of the other file. If this method throws, it is the path where the file then is.
    ///   - place: The path to move the file to.
    /// - Returns: False if the other file is on another device, or if it cannot get the rights of this file. Nothing is
    ///   changed then, and the caller must copy the other file to this file.
    /// - Throws: A `POSIXError`, as ``finish(at:replacesFile:)`` does.
    package func move(
        _ other: InputFile,
        from otherPath: inout String,
        to place: String
    ) throws(POSIXError) -> Bool {
        guard try take(other, from: otherPath) else { return false }
        do throws(POSIXError) {
            // Checks that `other` has been moved, before `finish` sets its mode. If another file had taken the path
            // `otherPath`, that file has been moved instead, and `other` is still in its old directory.
            try checkPlace()
            try finish(at: place)
            return true
        } catch {
            otherPath = giveBack(other, to: otherPath)
            throw error
        }
    }

    /// Moves another file to the directory of this file, under a random name, and removes this file. Returns false, and
    /// changes nothing, if that is impossible.
    private func take(_ other: InputFile, from otherPath: String) throws(POSIXError) -> Bool {
        let (rights, otherRights) = (try SystemCalls.rights(of: descriptor), try other.rights())
        let mode = mode ?? rights.mode
        guard rights.differsOnlyInMode(from: otherRights), otherRights.mode.isAtMost(mode) else { return false }
        // Moves the other file to a new random name, not over this file. When a renamed file replaces a file, ext4
        // writes the renamed file to the disk at once: saving 100 MB would take 10 ms instead of 0.2 ms.
        let newPath = Self.temporaryPath(beside: path)
        do throws(POSIXError) {
            try SystemCalls.replace(newPath, by: otherPath)
        } catch {
            guard error.code == .otherDevice else { throw error }
            return false
        }
        removeName()
        try? SystemCalls.closeFile(descriptor)
        (path, content) = (newPath, .moved(other))
        self.mode = mode
        // From here on, the caller removes the other file if necessary. The deinitializer must not.
        isKept = true
        return true
    }

    /// Makes the other file private, moves it back to `otherPath`, and returns this path. If either step fails, the
    /// file stays under its random name, and this method returns that path.
    private func giveBack(_ other: InputFile, to otherPath: String) -> String {
        do throws(POSIXError) {
            try other.setMode(.ownerOnly)
            try SystemCalls.replace(otherPath, by: path)
            return otherPath
        } catch {
            return path
        }
    }
}

extension NewFile {
    /// Throws if a path cannot be the path of a new file:
    /// - `ENOENT`: the path is empty.
    /// - `EISDIR`: the path ends in a slash.
    /// - `EEXIST`: something exists at the path.
    /// - Any other code: the system cannot look the path up.
    ///
    /// Some reasons, such as a missing directory, are found only when the file is created.
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
        // Searches UTF-8 bytes, because a slash and a following combining mark form one `Character`.
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { path.utf8[...$0] } ?? path.utf8[..<path.startIndex]
        return randomName(prefix: "\(Substring(directory)).multipart-form-")
    }

    /// Returns an unpredictable name: `prefix`, then 128 bits from the system's random number generator.
    ///
    /// A `UUID` would not do: if Foundation on Linux cannot open `/dev/urandom`, it makes the same UUID each time.
    static func randomName(prefix: String) -> String {
        let numbers = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
        return prefix + numbers.joined(separator: "-")
    }
}

/// A way to rename a file without replacing another file. The renaming fails if something exists at the new path. After
/// a failure, the file still has its old path.
package enum ExclusiveRename: CaseIterable {
    /// Creates a hard link at the new path, then removes the old path. If the process is killed in between, both paths
    /// are left.
    case link
    #if canImport(Darwin)
        /// Calls `renamex_np` with the flag `RENAME_EXCL`.
        case flag
    #endif
    /// Creates an empty file at the new path, then renames the file over the empty file. Works on file systems without
    /// hard links, such as FAT.
    ///
    /// The empty file is created only if nothing exists at the new path. Before the renaming, a check confirms that the
    /// empty file is still there. Another file is lost only if it takes the new path between the check and the
    /// renaming.
    case placeholder

    /// Renames a file by the first method that the file system supports. Throws `EEXIST` if something exists at the new
    /// path.
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
            // If `replace` throws, the deinitializer of `NewFile` removes the empty file.
            try NewFile(at: newPath, mode: .ownerOnly).replace(by: path)
        }
    }
}
