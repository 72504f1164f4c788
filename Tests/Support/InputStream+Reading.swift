// Without the trait, what appends streams is here, on top of what then stands in for it. So the tests of content that
// is read piece by piece are the same with the trait and without it.
#if !FullFoundation
    package import Foundation
    package import MultipartFormCodec

    extension BodyPart {
        /// A part from a stream that is opened each time the part is read.
        package init(
            length: UInt64?,
            name: String,
            filename: String? = nil,
            contentType: String? = nil,
            additionalHeaders: HeaderFields = [:],
            opening: @escaping @Sendable () throws -> InputStream
        ) {
            self.init(
                reading: { try InputStreamReading(opening()).read },
                length: length,
                name: name,
                filename: filename,
                contentType: contentType,
                additionalHeaders: additionalHeaders
            )
        }

        /// A part from a stream that can be read once.
        package init(
            _ stream: InputStream,
            length: UInt64,
            name: String,
            filename: String? = nil,
            contentType: String? = nil,
            additionalHeaders: HeaderFields = [:]
        ) {
            nonisolated(unsafe) let stream = stream
            self.init(
                length: length,
                name: name,
                filename: filename,
                contentType: contentType,
                additionalHeaders: additionalHeaders
            ) { stream }
        }
    }

    extension MultipartFormData {
        /// Appends a part from a stream that is opened each time the part is read.
        package mutating func append(
            withLength length: UInt64?,
            name: String,
            fileName: String? = nil,
            mimeType: String? = nil,
            opening: @escaping @Sendable () throws -> InputStream
        ) {
            append(BodyPart(length: length, name: name, filename: fileName, contentType: mimeType, opening: opening))
        }

        /// Appends a part from a stream that can be read once.
        package mutating func append(
            _ stream: InputStream,
            withLength length: UInt64,
            name: String,
            fileName: String? = nil,
            mimeType: String? = nil
        ) {
            append(BodyPart(stream, length: length, name: name, filename: fileName, contentType: mimeType))
        }

        /// Appends a part from a stream, with header fields.
        package mutating func append(_ stream: InputStream, withLength length: UInt64, headers: HeaderFields) {
            append(BodyPart(BodyPart(stream, length: length, name: ""), headers: headers))
        }
    }

    /// Reads a stream; closes it at the end.
    private final class InputStreamReading {
        private let stream: InputStream

        init(_ stream: InputStream) throws {
            self.stream = stream
            stream.open()
            if stream.streamStatus == .error { throw CocoaError(.fileReadUnknown) }
        }

        deinit {
            stream.close()
        }

        func read() throws -> Data? {
            var buffer = [UInt8](repeating: 0, count: 256 * 1024)
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count >= 0 else { throw CocoaError(.fileReadUnknown) }
            return count > 0 ? Data(buffer[..<count]) : nil
        }
    }
#endif
