import Foundation
import MultipartFormCodec
import TestSupport

/// Many uploads that end at a random place, or that are not read to their end: no descriptor may stay open, and no file
/// may be left.
enum AbortedUploads {
    /// The error of a source.
    private struct Disconnected: Error {}

    static func run(count: Int, seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let directory = try TemporaryDirectory()
        var descriptors = 0
        var writing = 0
        for index in 1...count {
            writing += try await abort(using: &generator, directory) ? 1 : 0
            guard directory.contents.isEmpty else { Hostile.fail("upload \(index), aborted, leaves a file") }
            if index == 100 { descriptors = OpenDescriptors.count }
        }
        let leaked = OpenDescriptors.count - descriptors
        print("\(count) aborted uploads, seed \(seed), \(writing) of them with a file on disk")
        print("descriptors left open: \(leaked); files left behind: \(directory.contents.count)")
        guard leaked <= 0 else { Hostile.fail("descriptors leaked") }
        guard writing > count / 4 else { Hostile.fail("hardly any upload has written a file") }
    }

    /// Parses the beginning of a message with a random API, and aborts.
    ///
    /// - Returns: Whether a file was seen before that.
    private static func abort(using generator: inout SeededGenerator, _ directory: TemporaryDirectory) async throws
        -> Bool
    {
        let boundary = Boundary("BND")
        let message = message(using: &generator)
        let place = Int.random(in: 0..<message.count, using: &generator)
        let chunks = ChunkSplitter.random(message.prefix(place), longest: 30_000, using: &generator)
        let options = MultipartCollector.Options(
            maxDiskBytes: 250_000,
            diskThreshold: 1000,
            temporaryDirectory: directory.url
        )
        var hadFile = false
        switch Int.random(in: 0..<5, using: &generator) {
        case 0:
            // The collector is dropped.
            var collector = MultipartCollector(boundary: boundary, options: options)
            do {
                for chunk in chunks { try collector.append(chunk) }
                hadFile = !directory.contents.isEmpty
            } catch is MultipartError {}
        case 1:
            // The message is cut off, and the collector is finished.
            var collector = MultipartCollector(boundary: boundary, options: options)
            do {
                for chunk in chunks { try collector.append(chunk) }
                hadFile = !directory.contents.isEmpty
                _ = try collector.finish()
            } catch is MultipartError {}
        case 2:
            // The source throws.
            let source = ChunkSource(chunks) { index in
                if index == chunks.count { throw Disconnected() }
            }
            let form = try? await MultipartFormData(
                collecting: source,
                contentType: boundary.contentType,
                options: options
            )
            guard form == nil else { Hostile.fail("half a message is collected") }
        case 3:
            // The task is cancelled while it waits for more.
            let waiting = Signal()
            let source = ChunkSource(chunks, waitingAt: chunks.count, waiting: waiting)
            let task = Task {
                defer { waiting.give() }
                return try await MultipartFormData(
                    collecting: source,
                    contentType: boundary.contentType,
                    options: options
                )
            }
            await waiting.wait()
            hadFile = !directory.contents.isEmpty
            task.cancel()
            guard case .failure = await task.result else { Hostile.fail("half a message is collected") }
        default:
            // A part's body is left half read.
            var parts = try ChunkSource(chunks).multipartParts(contentType: boundary.contentType)
                .makeAsyncIterator()
            do {
                while let part = try await parts.next() {
                    var body = part.body.makeAsyncIterator()
                    _ = try await body.next()
                }
            } catch is MultipartError {}
        }
        return hadFile
    }

    /// Two or three files of up to 100,000 bytes, and fields between.
    private static func message(using generator: inout SeededGenerator) -> Data {
        var message = Data()
        let disposition = "--BND\r\nContent-Disposition: form-data; name=\"a\""
        for _ in 0..<Int.random(in: 2...3, using: &generator) {
            message.append(contentsOf: "\(disposition)\r\n\r\nvalue\r\n\(disposition); filename=\"f\"\r\n\r\n".utf8)
            message.append(Data(count: Int.random(in: 0...100_000, using: &generator)))
            message.append(contentsOf: "\r\n".utf8)
        }
        message.append(contentsOf: "--BND--".utf8)
        return message
    }
}
