/// A file being written, which appears in its place complete or not at all.
///
/// It is written under a random name beside its place, which begins with `.multipart-form-`, and put in place in one
/// step. Unless it is kept it is removed with its owner, wherever it is then; another one that has taken its path stays.
final class ReplacementFile {
    let descriptor: FileDescriptor
    private let place: String
    /// The permissions of the file that it replaces; nil if nothing may stand in its place.
    private let replacedPermissions: mode_t?
    private var path: String
    /// What the file was when it was closed; nil while it is open.
    private var closed: stat?
    var isKept = false

    init(beside place: String, replacing permissions: mode_t? = nil) throws {
        self.place = place
        replacedPermissions = permissions
        // Bytes, since a slash and a combining mark after it are one Character.
        let slash = place.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { place[...$0] } ?? ""
        path = "\(directory).multipart-form-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        do throws(POSIXError) {
            let mode: mode_t = permissions == nil ? 0o666 : 0o600
            let created = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, permissions: mode)
            descriptor = FileDescriptor(number: created.number, label: place)
        } catch {
            throw ToolError.creating(place, error)
        }
    }

    deinit {
        if closed == nil { try? close() }
        var found = stat()
        guard !isKept, let closed, lstat(path, &found) == 0, found.kind == S_IFREG else { return }
        if found.st_dev == closed.st_dev, found.st_ino == closed.st_ino { unlink(path) }
    }

    /// The file's length in bytes; 0 while it is open.
    var length: UInt64 { UInt64(closed?.st_size ?? 0) }

    /// Closes the file and puts it at a path; false if a file is there that it does not replace.
    func finish(at newPath: String) throws -> Bool {
        do throws(POSIXError) {
            if closed == nil { try close() }
            try move(to: newPath)
        } catch {
            guard error.code == .EEXIST else { throw ToolError.writing(newPath, error) }
            return false
        }
        path = newPath
        return true
    }

    func finish() throws {
        guard try finish(at: place) else { throw ToolError.creating(place, POSIXError(.EEXIST)) }
        isKept = true
    }

    private func close() throws(POSIXError) {
        if let mode = replacedPermissions, fchmod(descriptor.number, mode) != 0 { throw FileDescriptor.lastError }
        // Not sooner: on FAT the number of a file changes with its first byte.
        closed = try descriptor.status()
        try descriptor.close()
    }

    private func move(to newPath: String) throws(POSIXError) {
        if replacedPermissions == nil {
            if link(path, newPath) == 0 {
                unlink(path)
                return
            }
            #if canImport(Darwin)
                if renamex_np(path, newPath, UInt32(RENAME_EXCL)) == 0 { return }
            #endif
            // For file systems that know neither, such as FAT: over an empty file of our own.
            try FileDescriptor.open(newPath, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600).close()
        }
        guard rename(path, newPath) == 0 else {
            let error = FileDescriptor.lastError
            if replacedPermissions == nil { unlink(newPath) }
            throw error
        }
    }
}
