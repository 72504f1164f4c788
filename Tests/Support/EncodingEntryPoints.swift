package import Foundation
package import MultipartFormCodec

/// The entry points: everything that encodes a form. All must give the same bytes.
package enum EncodingEntryPoints {
    /// The bytes from each entryPoint, with the entryPoint's name.
    ///
    /// The form must hold no stream that can be read only once.
    package static func all(_ form: MultipartFormData) async throws -> [(name: String, bytes: Data)] {
        let directory = try TemporaryDirectory()
        let url = directory.url.appendingPathComponent("form")
        let awaited = directory.url.appendingPathComponent("awaited")
        try write(form, to: url)
        try await form.writeEncodedData(to: awaited)
        var result = [
            ("encode", try form.encode()), ("file", try Data(contentsOf: url)),
            ("file, awaited", try Data(contentsOf: awaited)),
        ]
        for limit in [0, .max] {
            result.append(("up to \(limit)", try await encoded(form, inMemoryUpTo: limit, directory: directory.url)))
        }
        for size in [1, 7, 1000] {
            result.append(("pieces of \(size)", try pieces(form, size: size)))
        }
        for size in [1, 2, 3, 7, 65536] {
            result.append(("stream by \(size)", try stream(form, size: size)))
            result.append(("chunks of \(size)", try await chunks(form, size: size)))
            for (name, arriving) in arriving(form, size: size) {
                result.append(("chunks of \(size) of \(name)", try await bytes(of: arriving, size: size)))
            }
        }
        return result + (try await inMemory(form))
    }

    /// The chunks of parts that arrive, all of them, or only those between the first and the last part.
    private static func arriving(_ form: MultipartFormData, size: Int) -> [(name: String, EncodedFormChunks)] {
        let (parts, boundary) = (Array(form), form.boundary)
        let (before, others) = (Array(parts.prefix(1)), parts.dropFirst())
        return [
            ("parts", EncodedFormChunks(encoding: ChunkSource(parts), boundary: boundary, ofSize: size)),
            (
                "parts, one before",
                EncodedFormChunks(
                    encoding: ChunkSource(Array(others)),
                    before: before,
                    boundary: boundary,
                    ofSize: size
                )
            ),
            (
                "parts, one before and one after",
                EncodedFormChunks(
                    encoding: ChunkSource(Array(others.dropLast())),
                    before: before,
                    after: Array(others.suffix(1)),
                    boundary: boundary,
                    ofSize: size
                )
            ),
        ]
    }

    // The function that is not awaited.
    private static func write(_ form: MultipartFormData, to url: URL) throws {
        try form.writeEncodedData(to: url)
    }

    /// The entry points that need no file, except ``MultipartFormData/encode()``.
    package static func inMemory(_ form: MultipartFormData) async throws -> [(name: String, bytes: Data)] {
        try synchronous(form) + [("chunks", try await chunks(form, size: 500))]
    }

    /// The entry points of ``inMemory(_:)`` that are not asynchronous.
    package static func synchronous(_ form: MultipartFormData) throws -> [(name: String, bytes: Data)] {
        var buffer = Data("before".utf8)
        try form.encode(into: &buffer)
        var reader = try form.makeReader()
        var read = Data()
        while let piece = try reader.next(maxLength: 11) { read.append(piece) }
        return [("into a buffer", buffer.dropFirst(6)), ("reader", read), ("stream", try stream(form, size: 100))]
    }

    /// The bytes that a reader gives through a buffer of `size` bytes.
    package static func pieces(_ form: MultipartFormData, size: Int) throws -> Data {
        var reader = try form.makeReader()
        var buffer = [UInt8](repeating: 0, count: size)
        var pieces = Data()
        while case let count = try buffer.withUnsafeMutableBytes({ try read(into: $0, from: &reader) }), count > 0 {
            pieces.append(contentsOf: buffer[..<count])
        }
        return pieces
    }

    // A span of an array is newer than the floors.
    private static func read(
        into buffer: UnsafeMutableRawBufferPointer,
        from reader: inout EncodedFormReader
    ) throws -> Int {
        var bytes = buffer.mutableBytes
        return try reader.read(into: &bytes)
    }

    /// The bytes of a form's encoding, in memory or in a file.
    package static func encoded(
        _ form: MultipartFormData,
        inMemoryUpTo limit: Int,
        directory: URL? = nil,
        progress: EncodingProgress? = nil
    ) async throws -> Data {
        try await form.withEncodedForm(
            inMemoryUpTo: limit,
            temporaryDirectory: directory,
            progress: progress
        ) { encoded in
            switch encoded {
            case .data(let data): data
            case .file(let file): try Data(contentsOf: file)
            }
        }
    }

    /// The bytes of a form's input stream, read up to `size` at a time; without the trait, of a reader.
    package static func stream(_ form: MultipartFormData, size: Int) throws -> Data {
        #if FullFoundation
            let stream = try form.makeInputStream()
            stream.open()
            defer { stream.close() }
            return try drain(stream, size: size)
        #else
            return try pieces(form, size: size)
        #endif
    }

    /// The bytes of an open stream, read up to `size` at a time.
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

    /// The bytes of a form's chunks of `size` bytes.
    package static func chunks(_ form: MultipartFormData, size: Int) async throws -> Data {
        try await bytes(of: form.chunks(ofSize: size), size: size)
    }

    /// The bytes of chunks; all but the last must have `size` bytes.
    package static func bytes(of chunks: EncodedFormChunks, size: Int) async throws -> Data {
        var result = Data()
        for try await chunk in chunks {
            guard !chunk.isEmpty, chunk.count <= size, result.count.isMultiple(of: size) else {
                throw WrongChunk(count: chunk.count)
            }
            result.append(chunk)
        }
        return result
    }

    /// A chunk that is empty, too long, or follows one that was too short.
    package struct WrongChunk: Error {
        let count: Int
    }
}
