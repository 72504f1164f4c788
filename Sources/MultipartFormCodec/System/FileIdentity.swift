/// The kind of an entry of the file system.
package enum FileType: Sendable {
    case regular, directory
    /// A symbolic link, a pipe, a socket or a device.
    case special
}

/// Identifies a file by its device, inode and kind, and the file's state by its size and modification time.
///
/// A file counts as unchanged if all these properties are equal. The time of the last status change, `st_ctime`, is not
/// compared, because a new link, name or mode sets it without changing a byte. A file that is rewritten with the same
/// size within one tick of the file system's clock counts as unchanged by mistake.
package struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
    /// The whole seconds of the modification time; ``nanoseconds`` has the fraction.
    let seconds: Int64
    let nanoseconds: Int
    let kind: FileType
    /// The file's size in bytes, as the system reports it.
    package let size: Int64

    /// Returns whether two identities are of the same file, even if the file has changed.
    func isSameFile(as other: FileIdentity) -> Bool {
        // Compares the kind, too, because a symbolic link may get the inode of a removed file.
        device == other.device && inode == other.inode && kind == other.kind
    }

    /// Removes the entry at a path, unless a check shows that the entry is another file.
    ///
    /// No system can check and remove a file in one step. So another file is removed by mistake in three cases:
    /// - Another file takes the path between the check and the removal.
    /// - This file has already been removed, and another file at the path has got the same inode.
    /// - Another file is at the path, and the check fails.
    package func remove(at path: String) {
        if let found = try? SystemCalls.identity(at: path), !isSameFile(as: found) { return }
        SystemCalls.removeName(path)
    }
}

/// Who may use a file: its owner, its group, its mode, and its access-control list.
struct FileRights {
    let owner: UInt32
    let group: UInt32
    let mode: FileMode
    /// The file's ``AccessControl``; nil if it is unknown.
    let accessControl: AccessControl?

    /// Returns whether another file has the same owner, group and access control. Returns false if the access control
    /// of either file is unknown.
    func differsOnlyInMode(from other: FileRights) -> Bool {
        guard let accessControl, let otherControl = other.accessControl else { return false }
        return owner == other.owner && group == other.group && accessControl == otherControl
    }
}

extension FileMode {
    /// Whether `other` lets the group and others do everything that this mode lets them do. For instance, 0o640 is at
    /// most 0o644, but not at most 0o600. The permissions of the owner are not compared.
    func isAtMost(_ other: FileMode) -> Bool { self & ~other & 0o077 == 0 }
}
