/// What exists at a path.
package enum FileKind: Sendable {
    case regular, directory
    /// A link, a pipe, a socket or a device.
    case special
}

/// A file and its state: device, inode, kind, size and modification time.
///
/// A file is assumed unchanged while these are equal. The status change time is left out: a new link, name or mode
/// changes no byte. A file rewritten at the same size within a tick of its file system's clock looks unchanged.
package struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
    /// The modification time.
    let seconds: Int64
    let nanoseconds: Int
    let kind: FileKind
    /// The file's size in bytes, as the system reports it.
    package let size: Int64

    /// Whether it is the same file, in any state.
    func isSameFile(as other: FileIdentity) -> Bool {
        // A symbolic link may have the inode of a file that was removed.
        device == other.device && inode == other.inode && kind == other.kind
    }

    /// Removes the file from a path, unless another one is there.
    ///
    /// No system removes a file by its identity. So another file is removed if it takes the path right after the check,
    /// or if it was created there after this one was removed and has its inode.
    package func remove(at path: String) {
        guard let found = try? SystemCalls.identity(at: path), isSameFile(as: found) else { return }
        SystemCalls.removeName(path)
    }
}
