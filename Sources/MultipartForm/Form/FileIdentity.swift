internal import Foundation

/// A file and its state: device, inode, kind, size and modification time.
///
/// A file is assumed unchanged while these are equal. The status change time is left out: a new link, name or mode
/// changes no byte. A file rewritten at the same size within a tick of its file system's clock looks unchanged.
package struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let inode: UInt64
    private let seconds: Int64
    private let nanoseconds: Int
    /// The file type bits of its mode.
    let kind: mode_t
    /// The file's size in bytes, as the system reports it.
    let size: Int64

    private init(_ status: stat) {
        // The system's types differ in width, some even from those of its own structure.
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        kind = mode_t(status.st_mode) & S_IFMT
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        seconds = Int64(time.tv_sec)
        nanoseconds = Int(time.tv_nsec)
    }

    /// The identity of what exists at a path, without following a link.
    init(at path: String) throws(POSIXError) {
        var status = stat()
        // SAFETY: the path is passed as a C string, and the status as a pointer, that live as long as the call.
        guard unsafe lstat(path, &status) == 0 else { throw .current }
        self.init(status)
    }

    init(of descriptor: Int32) throws(POSIXError) {
        var status = stat()
        // SAFETY: the pointer to the status lives as long as the call.
        guard unsafe fstat(descriptor, &status) == 0 else { throw .current }
        self.init(status)
    }

    /// Whether it is the same file, in any state.
    func isSameFile(as other: FileIdentity) -> Bool {
        // A link may have the inode of a file that was removed.
        device == other.device && inode == other.inode && kind == other.kind
    }

    /// Removes the file from a path, unless another one is there.
    ///
    /// No system removes a file by its identity: one that takes the path right after the check is removed.
    func remove(at path: String) {
        guard let found = try? FileIdentity(at: path), isSameFile(as: found) else { return }
        // SAFETY: the path is passed as a C string that lives as long as the call.
        unsafe unlink(path)
    }
}
