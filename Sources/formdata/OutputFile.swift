import Foundation

/// A file being written, which appears in its place complete or not at all.
///
/// It is written under a random name beside its place, which begins with `.multipart-form-`, and put in place in one
/// step that overwrites nothing. A process that is killed leaves nothing but the random name. A file that is not kept
/// is removed with its owner, wherever it is then; another one that has taken its path stays.
final class OutputFile {
    private let descriptor: FileDescriptor
    private var path: String
    /// What the file was when it was closed; nil while it is open.
    private var closed: stat?
    private var isKept = false

    /// Creates a file in the directory of its place, with permissions that the process' mask narrows.
    init(beside place: String, permissions: mode_t = 0o666) throws(POSIXError) {
        // Bytes, since a slash and a combining mark after it are one Character.
        let slash = place.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { place[...$0] } ?? ""
        path = "\(directory).multipart-form-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        descriptor = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, permissions: permissions)
    }

    deinit {
        if closed == nil { try? close() }
        guard !isKept, let closed, let found = try? Self.status(of: path) else { return }
        // On some file systems the number of a file that is gone may be that of a link by now.
        let isSame = found.st_dev == closed.st_dev && found.st_ino == closed.st_ino
        if isSame, found.st_mode & S_IFMT == S_IFREG { unlink(path) }
    }

    /// What stands at a path; a link is not followed.
    static func status(of path: String) throws(POSIXError) -> stat {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw FileDescriptor.lastError }
        return status
    }

    /// The file's length in bytes, once it is closed.
    var length: UInt64? { closed.map { UInt64($0.st_size) } }

    /// Writes all bytes of a span.
    func write(_ bytes: Span<UInt8>) throws(POSIXError) {
        try descriptor.write(bytes)
    }

    /// Gives the file other permissions, whatever the process' mask.
    func setPermissions(_ permissions: mode_t) throws(POSIXError) {
        guard fchmod(descriptor.number, permissions) == 0 else { throw FileDescriptor.lastError }
    }

    /// Closes the file and puts it in its place; throws `EEXIST` if something stands there that is not to be replaced.
    func finish(at place: String, replacing: Bool = false) throws(POSIXError) {
        if closed == nil { try close() }
        if replacing {
            guard rename(path, place) == 0 else { throw FileDescriptor.lastError }
        } else {
            try move(to: place)
        }
        path = place
    }

    /// Lets the file stay.
    func keep() {
        isKept = true
    }

    private func close() throws(POSIXError) {
        // On FAT the number of a file changes with its first byte.
        closed = try descriptor.status()
        try descriptor.close()
    }

    /// Gives the file another path, at which nothing may stand.
    private func move(to place: String) throws(POSIXError) {
        if link(path, place) == 0 {
            unlink(path)
            return
        }
        #if canImport(Darwin)
            if renamex_np(path, place, UInt32(RENAME_EXCL)) == 0 { return }
        #endif
        // For file systems that know neither, such as FAT: over an empty file of our own.
        let placeholder = try FileDescriptor.open(place, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        try? placeholder.close()
        guard rename(path, place) == 0 else {
            let error = FileDescriptor.lastError
            unlink(place)
            throw error
        }
    }
}
