package import Foundation

/// A file to be read later, and what it was when it was first looked at.
package final class SourceFile: Sendable {
    /// Where the file is.
    package let url: URL
    /// What it was.
    package let identity: FileIdentity

    /// Whether the program named the file, so that errors name it too.
    private let isNamed: Bool

    /// Remembers a file.
    package init(_ url: URL, _ identity: FileIdentity, isNamed: Bool = true) {
        self.url = url
        self.identity = identity
        self.isNamed = isNamed
    }

    /// The path for errors.
    var path: String? { isNamed ? url.path : nil }

    /// Looks at a file before it is used. Each check that fails has a code of its own.
    ///
    /// - Returns: The file as it is now, and its size in bytes.
    /// - Throws: ``MultipartError`` without its part.
    static func check(_ url: URL, _ fileSystem: FileSystem) throws(MultipartError) -> (SourceFile, size: UInt64) {
        let path = url.path
        guard url.isLocalFile else { throw MultipartError(.bodyPartURLInvalid, path: url.errorText) }
        let kind: FileSystem.Kind
        do {
            kind = try fileSystem.kind(path)
        } catch {
            let isMissing = error.code == .ENOENT
            throw MultipartError(
                isMissing ? .bodyPartFileNotReachable : .bodyPartFileNotReachableWithError,
                path: path,
                underlying: error
            )
        }
        switch kind {
        case .regular: break
        case .directory: throw MultipartError(.bodyPartFileIsDirectory, path: path)
        case .special: throw MultipartError(.bodyPartFileIsSpecial, path: path)
        }
        // Opened before it is looked at again: a file that takes its place meanwhile is another one.
        let file: InputFile
        do {
            file = try fileSystem.open(path)
        } catch {
            throw MultipartError(.bodyPartInputStreamCreationFailed, path: path, underlying: error)
        }
        let size: UInt64?
        do {
            size = try fileSystem.size(file)
        } catch {
            throw MultipartError(.bodyPartFileSizeQueryFailedWithError, path: path, underlying: error)
        }
        guard let size else { throw MultipartError(.bodyPartFileSizeNotAvailable, path: path) }
        return (SourceFile(url, file.identity), size)
    }

    /// Opens the file.
    ///
    /// - Throws: ``MultipartError`` without its part, also if the file is another one, or has changed.
    func open(_ fileSystem: FileSystem) throws(MultipartError) -> InputFile {
        let file: InputFile
        do {
            file = try fileSystem.open(url.path)
        } catch {
            throw MultipartError(.bodyPartInputStreamCreationFailed, path: path, underlying: error)
        }
        // The descriptor is asked, not the path: what was checked is what is read.
        guard file.identity == identity else { throw MultipartError(.bodyPartFileChanged, path: path) }
        return file
    }

    /// Moves to an offset from the file's start, in bytes.
    ///
    /// - Throws: ``MultipartError`` without its part.
    func seek(_ file: InputFile, toOffset offset: UInt64) throws(MultipartError) {
        do {
            try file.seek(toOffset: offset)
        } catch {
            throw readingError(error)
        }
    }

    /// Reads some bytes; 0 at the end of the file.
    ///
    /// - Throws: ``MultipartError`` without its part.
    func read(_ file: InputFile, into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        do {
            // SAFETY: passed on whole.
            return unsafe try file.read(into: buffer)
        } catch {
            throw readingError(error)
        }
    }

    private func readingError(_ error: POSIXError) -> MultipartError {
        MultipartError(.inputStreamReadFailed, path: path, underlying: error)
    }

    /// Fails if the file has changed since it was opened.
    ///
    /// - Throws: ``MultipartError`` without its part.
    func check(_ file: InputFile) throws(MultipartError) {
        let current: FileIdentity
        do {
            current = try file.currentIdentity()
        } catch {
            throw readingError(error)
        }
        guard current == identity else { throw MultipartError(.bodyPartFileChanged, path: path) }
    }
}
