import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Uploads that end early: dropped, refused, malformed.
extension Advisory {
    private static func expectNothing(
        in directory: TemporaryDirectory,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(directory.contents.isEmpty, sourceLocation: sourceLocation)
        #expect(directory.openFileCount == 0, sourceLocation: sourceLocation)
    }

    /// Parses chunks whose memory tells when it is released.
    ///
    /// - Parameters:
    ///   - message: The message that is cut into the chunks.
    ///   - held: How many chunks may still be held when the body has returned.
    ///   - sourceLocation: The location to report.
    ///   - body: Parses the chunks.
    /// - Throws: What the body throws.
    private static func expectRelease(
        of message: Data,
        but held: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: ([Data]) async throws -> Void
    ) async throws {
        let released = Counter()
        var chunks = ChunkSplitter.pieces(of: message, size: 500).map { piece in
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
            memory.copyBytes(from: piece)
            guard let start = memory.baseAddress else { preconditionFailure("no piece is empty") }
            let deallocator = Data.Deallocator.custom { pointer, _ in
                pointer.deallocate()
                released.increment()
            }
            return Data(bytesNoCopy: start, count: piece.count, deallocator: deallocator)
        }
        let count = chunks.count
        try await body(chunks)
        withExtendedLifetime(chunks) { #expect(released.value == 0, sourceLocation: sourceLocation) }
        chunks.removeAll()
        #expect(released.value == count - held, sourceLocation: sourceLocation)
    }

    static let endings: [Advisory] = [
        Advisory(
            id: "CVE-2025-47935",
            project: "multer",
            fault: "a failed request left its parser behind, with its memory and its descriptors",
            answer: "the source's error is rethrown, and nothing outlives the call: no file, no descriptor"
        ) {
            let directory = try TemporaryDirectory()
            let options = collectorOptions(in: directory)
            let chunks = ChunkSplitter.pieces(of: upload, size: 500)
            for place in 0...chunks.count {
                let source = ChunkSource(chunks) { index in
                    if index == place { throw POSIXError(.ECONNRESET) }
                }
                let error = await #expect(throws: POSIXError.self) {
                    try await MultipartFormData(
                        collecting: source,
                        contentType: usualBoundary.contentType,
                        options: options
                    )
                }
                #expect(error?.code == .ECONNRESET)
                expectNothing(in: directory)
            }
            #if FullFoundation
                for length in stride(from: 0, to: upload.count, by: 499) {
                    let stream = StubStream(Array(upload.prefix(length)), fails: true)
                    let error = #expect(throws: MultipartError.self) {
                        try MultipartFormData(
                            collecting: stream,
                            contentType: usualBoundary.contentType,
                            options: options
                        )
                    }
                    #expect(error?.code == .inputStreamReadFailed)
                    expectNothing(in: directory)
                }
            #endif
        },
        Advisory(
            id: "CVE-2026-2359",
            project: "multer",
            fault: "a connection dropped in the middle of an upload left its request waiting, with everything it held",
            answer: "a cancelled task ends with its error, a source that ends too soon with `unexpected-end`; no "
                + "file is left"
        ) {
            let directory = try TemporaryDirectory()
            let options = collectorOptions(in: directory)
            let chunks = ChunkSplitter.pieces(of: upload, size: 500)
            for place in 0...chunks.count {
                let waiting = Signal()
                let source = ChunkSource(chunks, waitingAt: place, waiting: waiting)
                let task = Task {
                    try await MultipartFormData(
                        collecting: source,
                        contentType: usualBoundary.contentType,
                        options: options
                    )
                }
                await waiting.wait()
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                expectNothing(in: directory)
            }
            for length in [150, 1000, 3300, 4000] {
                try await expectOfAll(upload.prefix(length), .error(.unexpectedEnd))
            }
        },
        Advisory(
            id: "CVE-2026-3304",
            project: "multer",
            fault: "a filter that accepted a file after a later part had ended the request got it written and left "
                + "on disk",
            answer: "a route decides before its part's first byte; an error removes the files of all parts"
        ) {
            let directory = try TemporaryDirectory()
            let file = (disposition("; filename=\"f\""), String(repeating: "x", count: 3000))
            let nameless = message([file, ("Content-Disposition: form-data; filename=\"g\"", "y")])
            for (mode, code, count) in [
                (ParsingMode.lenient, MultipartError.Code.partRejected, 2), (.strict, .ambiguousHeader, 1),
            ] {
                var options = collectorOptions(in: directory)
                options.parser.mode = mode
                for size in [1, 64, 4096] {
                    let decisions = Counter()
                    let error = #expect(throws: MultipartError.self) {
                        try MultipartFormData(
                            pushing: ChunkSplitter.pieces(of: nameless, size: size),
                            contentType: usualBoundary.contentType,
                            options: options
                        ) { headers in
                            decisions.increment()
                            #expect(directory.contents.count <= (headers.name == nil ? 1 : 0))
                            return headers.name == nil ? .reject : .disk(upTo: 3000)
                        }
                    }
                    #expect(error?.code == code)
                    #expect(decisions.value == count)
                    expectNothing(in: directory)
                }
            }
        },
        Advisory(
            id: "CVE-2026-3520",
            project: "multer",
            fault: "a recursive function removed the files of a refused request, until the stack overflowed",
            answer: "a loop releases the parts: no recursion grows with their number"
        ) {
            let directory = try TemporaryDirectory()
            for (count, rest) in [(10_000, ""), (1000, "; filename=\"f\"")] {
                let parts = [(String, String)](repeating: (disposition(rest), "x"), count: count)
                var options = collectorOptions(in: directory)
                options.parser.maxParts = count
                options.maxMemoryBytes = .max
                options.diskThreshold = 0
                let truncated = message(parts).dropLast(7)
                let limits = options
                // A depth of one frame for each part does not fit into this stack.
                let error = try await BackgroundThread.run(stackSize: 128 << 10) {
                    #expect(throws: MultipartError.self) {
                        try MultipartFormData(
                            pushing: [truncated],
                            contentType: usualBoundary.contentType,
                            options: limits
                        )
                    }
                }
                #expect(error?.code == .unexpectedEnd)
                #expect(error?.partIndex == count - 1)
                expectNothing(in: directory)
            }
        },
        Advisory(
            id: "CVE-2026-5038",
            project: "multer",
            fault: "an aborted or malformed upload left a partial file on disk",
            answer: "whoever writes a file removes it, however the message ends; `save(to:)` names a file only when "
                + "it is complete"
        ) {
            let malformed = upload.replacing(Data("filename=\"g\"".utf8), with: Data("filename=\"g".utf8))
            try await expectOfAll(malformed, .error(.malformedContentDisposition, afterParts: 2))
            let limits = MultipartParser.Options(maxTotalBytes: 5000)
            try await expectOfAll(upload, .error(.limitTotalBytes, afterParts: 2), options: limits)
            let directory = try TemporaryDirectory()
            let destination = directory.url.appendingPathComponent("saved")
            for length in [500, 3000, 3250] {
                let source = ChunkSource(ChunkSplitter.pieces(of: upload.prefix(length), size: 500))
                let error = await #expect(throws: MultipartError.self) {
                    for try await part in try source.multipartParts(contentType: usualBoundary.contentType)
                    where part.filename == "f" {
                        _ = try await part.save(to: destination, upTo: 5000)
                    }
                }
                #expect(error?.code == .unexpectedEnd)
                // The file was whole only in the last one, where the end is missing after it.
                #expect(directory.contents == (length == 3250 ? ["saved"] : []))
                #expect(directory.openFileCount == 0)
            }
        },
        Advisory(
            id: "CVE-2026-41840",
            project: "Spring WebFlux",
            fault: "under some conditions the buffers of a request's parts were not released, and memory leaked",
            answer: "a failed parser keeps at most one chunk, a dropped one nothing; a collected form copies what it "
                + "keeps"
        ) {
            let directory = try TemporaryDirectory()
            let options = collectorOptions(in: directory)
            let malformed = upload.replacing(Data("filename=\"g\"".utf8), with: Data("filename=\"g".utf8))
            // A parser that has failed and is still there has the chunk it failed in.
            var failed = MultipartParser(boundary: usualBoundary)
            try await expectRelease(of: malformed, but: 1) { chunks in
                let error = #expect(throws: MultipartError.self) {
                    for chunk in chunks {
                        failed.append(chunk)
                        while try failed.next() != nil {}
                    }
                }
                #expect(error?.code == .malformedContentDisposition)
                for chunk in chunks { failed.append(chunk) }
            }
            // A parser and a collector that are dropped in the middle.
            try await expectRelease(of: upload) { chunks in
                var parser = MultipartParser(boundary: usualBoundary)
                var collector = MultipartCollector(boundary: usualBoundary, options: options)
                for chunk in chunks.dropLast(3) {
                    parser.append(chunk)
                    try collector.append(chunk)
                }
                _ = try parser.next()
            }
            // A form that is kept.
            var form = MultipartFormData()
            try await expectRelease(of: upload) { chunks in
                form = try await MultipartFormData(
                    collecting: ChunkSource(chunks),
                    contentType: usualBoundary.contentType,
                    options: options
                )
            }
            #expect(form.count == 3)
            // A source that fails, and parts of which one is left half read.
            try await expectRelease(of: upload) { chunks in
                let source = ChunkSource(chunks) { index in
                    if index == 9 { throw POSIXError(.ECONNRESET) }
                }
                await #expect(throws: POSIXError.self) {
                    for try await part in try source.multipartParts(contentType: usualBoundary.contentType) {
                        for try await _ in part.body { break }
                    }
                }
            }
            #expect(directory.contents.count == 2)
            form = MultipartFormData()
            expectNothing(in: directory)
        },
    ]
}
