import Foundation

/// A file being written, which appears in its place complete or not at all.
///
/// It is written under a random name beside its place, which begins with `.multipart-form-`, and put in place in one
/// step. A process that is killed leaves nothing but the random name. A file that is not kept is removed with its owner,
/// wherever it is then; another one that has taken its path stays.
final class OutputFile {
    private let descriptor: FileDescriptor
    private var path: String
    /// What the file was when it was closed; nil while it is open.
    private var closed: stat?
    private var isKept = false

    /// Creates a file in the directory of its place, with permissions that the process' mask narrows.
    init(beside place: String, permissions: mode_t = 0o666) throws {
        // Bytes, since a slash and a combining mark after it are one Character.
        let slash = place.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { place[...$0] } ?? ""
        path = "\(directory).multipart-form-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        do throws(POSIXError) {
            let created = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, permissions: permissions)
            descriptor = FileDescriptor(number: created.number, label: place)
        } catch {
            throw ToolError.creating(place, error)
        }
    }

    deinit {
        if closed == nil { try? close() }
        var found = stat()
        guard !isKept, let closed, lstat(path, &found) == 0 else { return }
        // The number of a file that is gone may be that of a link by now.
        let isFile = found.st_mode & S_IFMT == S_IFREG
        if isFile, found.st_dev == closed.st_dev, found.st_ino == closed.st_ino { unlink(path) }
    }

    /// The file's length in bytes; 0 while it is open.
    var length: UInt64 { UInt64(closed?.st_size ?? 0) }

    /// Writes all bytes of a span.
    func write(_ bytes: Span<UInt8>) throws {
        try descriptor.write(bytes)
    }

    /// Closes the file and puts it in its place; false if something stands there.
    func finish(at place: String) throws -> Bool {
        do throws(POSIXError) {
            if closed == nil { try close() }
            try move(to: place)
        } catch {
            guard error.code == .EEXIST else { throw ToolError.writing(place, error) }
            return false
        }
        path = place
        return true
    }

    /// Closes the file, gives it the permissions of another one, and puts it in the place of that.
    func finish(replacing place: String, permissions: mode_t) throws {
        do throws(POSIXError) {
            guard fchmod(descriptor.number, permissions) == 0 else { throw FileDescriptor.lastError }
            try close()
            guard rename(path, place) == 0 else { throw FileDescriptor.lastError }
        } catch {
            throw ToolError.writing(place, error)
        }
        isKept = true
    }

    /// Lets the file stay.
    func keep() {
        isKept = true
    }

    private func close() throws(POSIXError) {
        // Not sooner: on FAT the number of a file changes with its first byte.
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
        try FileDescriptor.open(place, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600).close()
        guard rename(path, place) == 0 else {
            let error = FileDescriptor.lastError
            unlink(place)
            throw error
        }
    }
}
