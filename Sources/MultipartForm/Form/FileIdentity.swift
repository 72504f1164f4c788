package import Foundation

/// Which file something is, and in which state: its device and inode, its kind, its size and the time of its last
/// modification.
///
/// A file is taken to hold what it held as long as these are the same. The time of the last change of status is not among
/// them: a new link, another name or other permissions change no byte. A file that is rewritten at the same size within
/// a tick of the file system's clock, some milliseconds, looks the same.
package struct FileIdentity: Sendable, Hashable {
    private let device: dev_t
    private let inode: ino_t
    private let kind: mode_t
    private let seconds: Int64
    private let nanoseconds: Int
    /// The file's size in bytes, as the system tells it.
    package let size: off_t

    init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
        kind = status.st_mode & S_IFMT
        size = status.st_size
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        seconds = Int64(time.tv_sec)
        nanoseconds = Int(time.tv_nsec)
    }

    /// The identity of what stands at a path; a link is not followed.
    init(at path: String) throws(POSIXError) {
        var status = stat()
        // SAFETY: the path is passed as a C string, and the status as a pointer, that live as long as the call.
        guard unsafe lstat(path, &status) == 0 else { throw .current }
        self.init(status)
    }

    /// Whether it is the same file, in whatever state.
    func isSameFile(as other: FileIdentity) -> Bool {
        // The inode of a file that is gone may be that of a link by now.
        device == other.device && inode == other.inode && kind == other.kind
    }

    /// Removes the file from a path, unless another one stands there.
    ///
    /// No system removes a file by its identity: one that takes the path right after the look is removed.
    package func remove(at path: String) {
        guard let found = try? FileIdentity(at: path), isSameFile(as: found) else { return }
        // SAFETY: the path is passed as a C string that lives as long as the call.
        unsafe unlink(path)
    }
}
