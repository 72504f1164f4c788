/// What exists at a path.
package enum FileKind: Sendable {
    case regular, directory
    /// A link, a pipe, a socket or a device.
    case special
}

/// A file and its state: device, inode, kind, size and modification time.
///
/// A file counts as unchanged as long as all of these are equal. The status change time is left out, because a new
/// link, name or mode changes no byte. A file that is rewritten with the same size within one tick of the file system's
/// clock looks unchanged.
package struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
    /// The modification time.
    let seconds: Int64
    let nanoseconds: Int
    let kind: FileKind
    /// The file's size in bytes, as the system reports it.
    package let size: Int64

    /// Whether both are the same file, changed or not.
    func isSameFile(as other: FileIdentity) -> Bool {
        // The kind is compared as well, because a symbolic link may have the inode of a file that was removed.
        device == other.device && inode == other.inode && kind == other.kind
    }

    /// Removes this file from a path, but not another file that has taken its place.
    ///
    /// The check and the removal are two steps, since no system can remove a file by its identity. So another file is
    /// removed by mistake if it takes the path between them, or if it was created there after this file had been
    /// removed and got the same inode.
    package func remove(at path: String) {
        guard let found = try? SystemCalls.identity(at: path), isSameFile(as: found) else { return }
        SystemCalls.removeName(path)
    }
}
