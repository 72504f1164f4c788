package import Foundation

extension BodyContent {
    /// A file as it is now, if it is reachable, regular, of a known size, and can be opened; each check has a reason of
    /// its own.
    package init(checkedFileAt url: URL, _ fileSystem: FileSystem = .system) throws(MultipartEncodingError) {
        guard url.isLocalFile else { throw MultipartEncodingError(.bodyPartURLInvalid(url: url)) }
        let kind: FileSystem.Kind
        do {
            kind = try fileSystem.kind(url.path)
        } catch {
            let isMissing = error.code == .ENOENT
            throw MultipartEncodingError(
                isMissing ? .bodyPartFileNotReachable(at: url) : .bodyPartFileNotReachableWithError(at: url),
                underlying: error
            )
        }
        switch kind {
        case .regular: break
        case .directory: throw MultipartEncodingError(.bodyPartFileIsDirectory(at: url))
        case .special: throw MultipartEncodingError(.bodyPartFileIsSpecial(at: url))
        }
        // Opened before it is looked at again: a file that takes its place meanwhile is another one.
        let file: InputFile
        do {
            file = try fileSystem.open(url.path)
        } catch {
            throw MultipartEncodingError(.bodyPartInputStreamCreationFailed(for: url), underlying: error)
        }
        let size: UInt64?
        do {
            size = try fileSystem.size(file)
        } catch {
            throw MultipartEncodingError(.bodyPartFileSizeQueryFailedWithError(at: url), underlying: error)
        }
        guard let size else { throw MultipartEncodingError(.bodyPartFileSizeNotAvailable(at: url)) }
        self = .file(SourceFile(url, file.identity), length: size)
    }
}
