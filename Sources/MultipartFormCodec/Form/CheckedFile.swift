#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A file to be read later, and its identity at the time of a check.
final class CheckedFile: Sendable {
    let url: URL
    let identity: FileIdentity

    /// Whether errors may show the file's path. True if the program chose the path, false for a temporary file.
    private let isNamed: Bool

    init(_ url: URL, _ identity: FileIdentity, isNamed: Bool = true) {
        self.url = url
        self.identity = identity
        self.isNamed = isNamed
    }

    private var path: String? { isNamed ? url.path : nil }

    /// The file's size in bytes when it was checked.
    var size: UInt64 { UInt64(clamping: identity.size) }

    /// Checks a file, and creates the object. These are the checks, in order; each check has its own error codes:
    /// - The URL names a file on this machine.
    /// - The file is reachable.
    /// - The file is regular, not a directory or a special file.
    /// - The file can be opened.
    /// - The file's size is known.
    convenience init(checking url: URL) throws(MultipartError) {
        let path = url.path
        guard url.isLocalFile else {
            throw MultipartError(.bodyPartURLInvalid, url.reasonIfWeb, path: url.errorText)
        }
        let kind: FileType
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
        // Reads the identity of the open file, because another file may have taken the path since the check above.
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
        // Compares the identity of the open file, because another file may have taken the path.
        guard file.identity == identity else { throw MultipartError(.bodyPartFileChanged, path: path) }
        return file
    }

    func seek(_ file: InputFile, toOffset offset: UInt64) throws(MultipartError) {
        try MultipartError.wrap(.inputStreamReadFailed, path: path, try file.seek(toOffset: offset))
    }

    func read(_ file: InputFile, into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        // SAFETY: the caller's buffer is passed on with its bounds.
        try MultipartError.wrap(.inputStreamReadFailed, path: path, unsafe try file.read(into: buffer))
    }

    /// Throws if the file has changed since it was checked.
    func check(_ file: InputFile) throws(MultipartError) {
        let current = try MultipartError.wrap(.inputStreamReadFailed, path: path, try file.currentIdentity())
        guard current == identity else { throw MultipartError(.bodyPartFileChanged, path: path) }
    }
}

extension URL {
    /// Whether the URL names a file on this machine: a file URL without a host, or with `localhost` (RFC 8089 §2).
    var isLocalFile: Bool {
        isFileURL && ["", "localhost"].contains(host?.lowercased() ?? "")
    }

    /// The reason to state in the error if the URL is `http` or `https`; nil for any other URL.
    fileprivate var reasonIfWeb: String? {
        ["http", "https"].contains(scheme?.lowercased()) ? "URL is that of a web resource, not of a file" : nil
    }

    /// The text that errors show for the URL: the path of a file URL, or any other URL in full.
    var errorText: String { isFileURL ? path : absoluteString }
}
