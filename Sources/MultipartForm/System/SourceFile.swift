#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A file to be read later, and its identity when it was checked.
final class SourceFile: Sendable {
    let url: URL
    let identity: FileIdentity

    /// Whether the program named the file; only then may errors name it.
    private let isNamed: Bool

    init(_ url: URL, _ identity: FileIdentity, isNamed: Bool = true) {
        self.url = url
        self.identity = identity
        self.isNamed = isNamed
    }

    private var path: String? { isNamed ? url.path : nil }

    /// The file's size in bytes when it was checked.
    var size: UInt64 { UInt64(clamping: identity.size) }

    /// Checks that a file is reachable and regular, can be opened, and has a known size; each check has its own error
    /// code.
    convenience init(checking url: URL) throws(MultipartError) {
        let path = url.path
        guard url.isLocalFile else {
            throw MultipartError(.bodyPartURLInvalid, url.reasonIfWeb, path: url.errorText)
        }
        let kind: FileKind
        do {
            kind = try SystemCalls.kind(at: path)
        } catch {
            let isMissing = error.code == .noEntry
            let code: MultipartError.Code = isMissing ? .bodyPartFileNotReachable : .bodyPartFileNotReachableWithError
            throw MultipartError(code, path: path, underlyingError: error)
        }
        switch kind {
        case .regular: break
        case .directory: throw MultipartError(.bodyPartFileIsDirectory, path: path)
        case .special: throw MultipartError(ErrorCode.bodyPartFileIsSpecial, path: path)
        }
        // Takes the identity of the open file, because another file may have taken the path meanwhile.
        let file = try MultipartError.wrap(.bodyPartInputStreamCreationFailed, path: path, try InputFile(path: path))
        let current = try MultipartError.wrap(
            .bodyPartFileSizeQueryFailedWithError,
            path: path,
            try file.currentIdentity()
        )
        guard current.size >= 0 else { throw MultipartError(.bodyPartFileSizeNotAvailable, path: path) }
        self.init(url, current)
    }

    func open() throws(MultipartError) -> InputFile {
        let file = try MultipartError.wrap(
            .bodyPartInputStreamCreationFailed,
            path: path,
            try InputFile(path: url.path)
        )
        // Checks the open file, because another file may be at the path by now.
        guard file.identity == identity else { throw MultipartError(.bodyPartFileChanged, path: path) }
        return file
    }

    func seek(_ file: InputFile, toOffset offset: UInt64) throws(MultipartError) {
        try MultipartError.wrap(.inputStreamReadFailed, path: path, try file.seek(toOffset: offset))
    }

    func read(_ file: InputFile, into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        // SAFETY: the whole buffer is passed on.
        try MultipartError.wrap(.inputStreamReadFailed, path: path, unsafe try file.read(into: buffer))
    }

    /// Copies the whole file to `copy`, a new file, which is moved to `destination` when it is complete. Throws if this
    /// file has changed since it was checked, or if the copy is cancelled.
    ///
    /// - Returns: The new file's identity.
    func copy(
        to copy: NewFile,
        at destination: URL,
        _ cancellation: Cancellation?
    ) throws(MultipartError) -> FileIdentity {
        let file = try open()
        let scratch = ScratchBuffer(count: 256 * 1024)
        while case let count = unsafe try read(file, into: scratch.bytes), count > 0 {
            if cancellation?.isCancelled == true { throw MultipartError(.cancelled) }
            // SAFETY: these are the bytes that were just read, and they are used only during the call.
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: scratch.bytes[..<count])
            try copy.write(unsafe bytes.bindMemory(to: UInt8.self).span, for: destination)
        }
        try check(file)
        if cancellation?.beginLastStep() == false { throw MultipartError(.cancelled) }
        return try copy.finish(at: destination)
    }

    /// Throws if the file has changed since it was opened.
    func check(_ file: InputFile) throws(MultipartError) {
        let current = try MultipartError.wrap(.inputStreamReadFailed, path: path, try file.currentIdentity())
        guard current == identity else { throw MultipartError(.bodyPartFileChanged, path: path) }
    }
}

/// A regular file that is open for reading; it is closed when its last owner releases it.
package final class InputFile: Sendable {
    private let descriptor: Int32
    /// The file's identity when it was opened.
    package let identity: FileIdentity

    /// Opens a regular file; throws `EISDIR` for a directory, and `EINVAL` for anything else. Opening a FIFO does not
    /// wait for its writer.
    package init(path: String) throws(POSIXError) {
        descriptor = try SystemCalls.openForReading(path)
        do throws(POSIXError) {
            let identity = try SystemCalls.identity(of: descriptor)
            guard identity.kind == .regular else {
                throw POSIXError(identity.kind == .directory ? .isDirectory : .invalid)
            }
            // Set last: once all properties are set, the deinitializer closes the file, and `catch` must not close it
            // again.
            self.identity = identity
        } catch {
            try? SystemCalls.closeFile(descriptor)
            throw error
        }
    }

    deinit {
        try? SystemCalls.closeFile(descriptor)
    }

    func currentIdentity() throws(POSIXError) -> FileIdentity {
        try SystemCalls.identity(of: descriptor)
    }

    /// Sets the file's permissions, regardless of the process' mask.
    func setPermissions(_ permissions: FileMode) throws(POSIXError) {
        try SystemCalls.setMode(descriptor, permissions)
    }

    func seek(toOffset offset: UInt64) throws(POSIXError) {
        try SystemCalls.seek(descriptor, toOffset: offset)
    }

    /// Reads some bytes; returns their number, which is 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(POSIXError) -> Int {
        // SAFETY: the whole buffer is passed on.
        unsafe try SystemCalls.readBytes(descriptor, into: buffer)
    }
}

extension URL {
    /// Whether this is the URL of a file on this machine: without a host, or with `localhost` (RFC 8089 §2).
    var isLocalFile: Bool {
        isFileURL && ["", "localhost"].contains(host?.lowercased() ?? "")
    }

    /// Why a URL is refused, in words, if it names a web resource; nil for any other URL.
    fileprivate var reasonIfWeb: String? {
        ["http", "https"].contains(scheme?.lowercased()) ? "URL is that of a web resource, not of a file" : nil
    }

    /// The URL as an error shows it: a file's path, otherwise the whole URL.
    var errorText: String { isFileURL ? path : absoluteString }
}
