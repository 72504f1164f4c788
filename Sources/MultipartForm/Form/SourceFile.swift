package import Foundation

/// A file to be read later, and what it was when it was first looked at.
package final class SourceFile: Sendable {
    /// Where the file is.
    package let url: URL
    /// What it was.
    package let identity: FileIdentity

    /// Remembers a file.
    package init(_ url: URL, _ identity: FileIdentity) {
        self.url = url
        self.identity = identity
    }

    /// Opens the file.
    ///
    /// - Throws: ``MultipartEncodingError`` without its part, also if the file is another one, or has changed.
    func open(_ fileSystem: FileSystem) throws(MultipartEncodingError) -> InputFile {
        let file: InputFile
        do {
            file = try fileSystem.open(url.path)
        } catch {
            throw MultipartEncodingError(.bodyPartInputStreamCreationFailed(for: url), underlying: error)
        }
        // The descriptor is asked, not the path: what was checked is what is read.
        guard file.identity == identity else { throw MultipartEncodingError(.bodyPartFileChanged(at: url)) }
        return file
    }

    /// Fails if the file has changed since it was opened.
    ///
    /// - Throws: ``MultipartEncodingError`` without its part.
    func check(_ file: InputFile) throws(MultipartEncodingError) {
        let current: FileIdentity
        do {
            current = try file.currentIdentity()
        } catch {
            throw MultipartEncodingError(.inputStreamReadFailed, underlying: error)
        }
        guard current == identity else { throw MultipartEncodingError(.bodyPartFileChanged(at: url)) }
    }
}
