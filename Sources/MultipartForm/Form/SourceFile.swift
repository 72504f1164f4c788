#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A file to be read later, and its identity when it was checked.
final class SourceFile: Sendable {
    let url: URL
    let identity: FileIdentity

    /// Whether the program named the file, so that errors name it too.
    private let isNamed: Bool

    init(_ url: URL, _ identity: FileIdentity, isNamed: Bool = true) {
        self.url = url
        self.identity = identity
        self.isNamed = isNamed
    }

    private var path: String? { isNamed ? url.path : nil }

    /// Checks that a file is reachable, regular, of a known size and can be opened; each check has its own error code.
    static func check(_ url: URL, _ fileSystem: FileSystem) throws(MultipartError) -> (SourceFile, size: UInt64) {
        let path = url.path
        guard url.isLocalFile else {
            let fact = url.isFileURL ? nil : "URL is not that of a file, and its text is its absoluteString"
            throw MultipartError(.bodyPartURLInvalid, fact, path: url.errorText)
        }
        let kind: FileKind
        do {
            kind = try fileSystem.kind(path)
        } catch {
            let isMissing = error.code == .noEntry
            let code: MultipartError.Code = isMissing ? .bodyPartFileNotReachable : .bodyPartFileNotReachableWithError
            throw MultipartError(code, path: path, underlyingError: error)
        }
        switch kind {
        case .regular: break
        case .directory: throw MultipartError(.bodyPartFileIsDirectory, path: path)
        case .special: throw MultipartError(.bodyPartFileIsSpecial, path: path)
        }
        // The size and the identity are read from the open file: another one may have taken its path.
        let file = try MultipartError.wrap(.bodyPartInputStreamCreationFailed, path: path, try fileSystem.open(path))
        let size = try MultipartError.wrap(.bodyPartFileSizeQueryFailedWithError, path: path, try fileSystem.size(file))
        guard let size else { throw MultipartError(.bodyPartFileSizeNotAvailable, path: path) }
        return (SourceFile(url, file.identity), size)
    }

    func open(_ fileSystem: FileSystem) throws(MultipartError) -> InputFile {
        let file = try MultipartError.wrap(
            .bodyPartInputStreamCreationFailed,
            path: path,
            try fileSystem.open(url.path)
        )
        // Checks the open file, not the path, which may have been replaced.
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

    /// Fails if the file has changed since it was opened.
    func check(_ file: InputFile) throws(MultipartError) {
        let current = try MultipartError.wrap(.inputStreamReadFailed, path: path, try file.currentIdentity())
        guard current == identity else { throw MultipartError(.bodyPartFileChanged, path: path) }
    }
}
