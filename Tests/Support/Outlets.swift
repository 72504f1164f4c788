package import Foundation
package import MultipartForm

/// The ways out of a form, which must all give the same bytes.
package enum Outlets {
    /// A form's bytes by each way out, by name.
    ///
    /// The form must hold no stream that can be read once.
    package static func all(_ form: MultipartFormData) async throws -> [(name: String, bytes: Data)] {
        let directory = try TemporaryDirectory()
        let url = directory.url.appendingPathComponent("form")
        try form.writeEncodedData(to: url)
        var result = [("encode", try form.encode()), ("file", try Data(contentsOf: url))]
        for limit: UInt64 in [0, .max] {
            switch try form.encode(inMemoryUpTo: limit, directory: directory.url) {
            case .data(let data): result.append(("data up to \(limit)", data))
            case .file(let file): result.append(("file above \(limit)", try Data(contentsOf: file.url)))
            }
        }
        for size in [1, 7, 1000] {
            result.append(("pieces of \(size)", try pieces(form, size: size)))
        }
        for size in [1, 2, 3, 7, 65536] {
            result.append(("stream by \(size)", try stream(form, size: size)))
            result.append(("chunks of \(size)", try await chunks(form, size: size)))
            let arriving = MultipartFormData.chunks(of: ChunkSource(Array(form)), boundary: form.boundary, ofSize: size)
            result.append(("chunks of \(size) of parts", try await bytes(of: arriving, size: size)))
        }
        return result + (try await inMemory(form))
    }

    /// The ways out that need no file, but for ``MultipartFormData/encode(progress:)``.
    package static func inMemory(_ form: MultipartFormData) async throws -> [(name: String, bytes: Data)] {
        try synchronous(form) + [("chunks", try await chunks(form, size: 500))]
    }

    /// Those that do not have to be waited for.
    package static func synchronous(_ form: MultipartFormData) throws -> [(name: String, bytes: Data)] {
        var buffer = Data("before".utf8)
        try form.encode(into: &buffer)
        var reader = try form.makeReader()
        var read = Data()
        while let piece = try reader.next(maxLength: 11) { read.append(piece) }
        return [("into a buffer", buffer.dropFirst(6)), ("reader", read), ("stream", try stream(form, size: 100))]
    }

    /// A form's bytes through a buffer of a size.
    package static func pieces(_ form: MultipartFormData, size: Int) throws -> Data {
        var reader = try form.makeReader()
        var buffer = [UInt8](repeating: 0, count: size)
        var pieces = Data()
        while case let count = try buffer.withUnsafeMutableBytes({ try reader.read(into: $0) }), count > 0 {
            pieces.append(contentsOf: buffer[..<count])
        }
        return pieces
    }

    /// A form's bytes through its input stream, read by a size.
    package static func stream(_ form: MultipartFormData, size: Int) throws -> Data {
        let stream = try form.makeInputStream()
        stream.open()
        defer { stream.close() }
        return try drain(stream, size: size)
    }

    /// The bytes of an open stream, read by a size.
    ///
    /// - Throws: The stream's error.
    package static func drain(_ stream: InputStream, size: Int) throws -> Data {
        var result = Data()
        var buffer = [UInt8](repeating: 0, count: size)
        while stream.hasBytesAvailable {
            let count = stream.read(&buffer, maxLength: size)
            if count < 0, let error = stream.streamError { throw error }
            guard count > 0 else { break }
            result.append(contentsOf: buffer[..<count])
        }
        return result
    }

    /// A form's bytes as chunks of a size.
    package static func chunks(_ form: MultipartFormData, size: Int) async throws -> Data {
        try await bytes(of: form.chunks(ofSize: size), size: size)
    }

    /// The bytes of chunks of a size, which all but the last must have.
    package static func bytes(of chunks: FormDataChunks, size: Int) async throws -> Data {
        var result = Data()
        for try await chunk in chunks {
            guard !chunk.isEmpty, chunk.count <= size, result.count.isMultiple(of: size) else {
                throw WrongChunk(count: chunk.count)
            }
            result.append(chunk)
        }
        return result
    }

    /// A chunk that is empty, too long, or behind one that was too short.
    package struct WrongChunk: Error {
        let count: Int
    }
}
