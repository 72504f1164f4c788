#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension BodyPart {
    /// Creates a part from calls that read its content, such as from a pipe, a device or a decompressor.
    ///
    /// Each encoding begins with a new function, and frees it at the content's end, or when anything fails: whatever the
    /// function refers to can close itself then. Calls may block: asynchronous encodings make them on threads of their own.
    ///
    /// - Parameters:
    ///   - makeRead: Returns a function that begins at the content's start, and returns the next piece each time it is
    ///     called; nil at the content's end. What `makeRead` throws becomes the underlying error of
    ///     ``MultipartError/Code/bodyPartInputStreamCreationFailed``, and what its function throws that of
    ///     ``MultipartError/Code/inputStreamReadFailed``.
    ///   - length: How many bytes there are; encoding fails if there are fewer or more. Nil if it is unknown.
    ///   - name: The name of the form's field.
    ///   - filename: The file name; nil for a part that is not a file.
    ///   - contentType: The media type; nil for none, but a file without one gets application/octet-stream.
    ///   - additionalHeaders: Further header fields.
    package init(
        reading makeRead: @escaping @Sendable () throws -> () throws -> Data?,
        length: UInt64?,
        name: String,
        filename: String? = nil,
        contentType: String? = nil,
        additionalHeaders: HeaderFields = [:]
    ) {
        let content = BodyContent.replayable(length: length) {
            ReadingStream(try MultipartError.wrap(.bodyPartInputStreamCreationFailed, try makeRead()))
        }
        self.init(content, name, filename, contentType, additionalHeaders)
    }
}

/// What a function of the program reads.
private final class ReadingStream: ByteStream {
    private let read: () throws -> Data?
    /// The bytes that have been read and not returned.
    private var rest = Data()

    init(_ read: @escaping () throws -> Data?) {
        self.read = read
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        do {
            // Each pass reads a piece; one may be empty.
            while rest.isEmpty {
                guard let piece = try read() else { return 0 }
                rest = piece
            }
        } catch {
            throw MultipartError(.inputStreamReadFailed, underlyingError: error)
        }
        let piece = rest.prefix(buffer.count)
        // SAFETY: the piece fits into the buffer.
        unsafe buffer.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }
}
