#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension BodyPart {
    /// The file that holds exactly the content, for libraries that read a path; nil if the content is elsewhere.
    ///
    /// A temporary file of a collected message is removed with the last part that refers to it, unless
    /// ``save(to:permissions:)`` has kept it.
    public var fileURL: URL? { content.fileURL }

    /// Saves the content to a new file, to keep what was uploaded. Never overwrites anything.
    ///
    /// A temporary file of a collected message is moved: renamed, or copied to another device and removed; the part
    /// then reads its content from the new file. Any other content is copied; until it is complete, the new file has a
    /// name beside the final one that begins with `.multipart-form-`.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create, in a directory that exists.
    ///   - permissions: The file's mode, 0 to 0o777, regardless of the process' mask; for its owner only unless given.
    /// - Throws: ``MultipartError`` if something exists at the URL, the file cannot be created or written, or the
    ///   content cannot be read. No file is then left there, and the content stays where it was, except for a stream
    ///   that can be read only once.
    public func save(to fileURL: URL, permissions: Int = 0o600) throws {
        let mode = FileMode(permissions: permissions)
        guard fileURL.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: fileURL.errorText) }
        if case .temporaryFile(let file) = content, try file.move(to: fileURL, mode: mode) { return }
        try content.copy(to: fileURL, mode: mode, .system)
    }
}

extension FileMode {
    /// The mode that a program passes for a file.
    init(permissions: Int) {
        precondition(0...0o777 ~= permissions, "permissions are 0 to 0o777, written in octal")
        self = FileMode(permissions)
    }
}

extension BodyContent {
    /// Copies the content to a new file, which is removed if anything fails.
    @discardableResult
    func copy(to url: URL, mode: FileMode, _ fileSystem: FileSystem) throws(MultipartError) -> FileIdentity {
        let file = try AtomicFile(at: url, by: fileSystem.create)
        var reader = try ContentReader(self, fileSystem: fileSystem)
        try reader.forEachPiece { bytes throws(MultipartError) in try file.write(bytes) }
        return try file.finish(mode: mode)
    }
}
