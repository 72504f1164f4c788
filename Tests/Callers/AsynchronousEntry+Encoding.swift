internal import Foundation
internal import MultipartFormCodec
internal import TestSupport

extension AsynchronousEntry {
    private typealias Form = @Sendable (Scene) throws -> MultipartFormData

    /// Everything that encodes a form in chunks.
    static var encoding: [AsynchronousEntry] {
        (contents + streamContents).flatMap { name, outcome, makeForm in
            [
                AsynchronousEntry(name: "chunks in a loop, \(name)", outcome: outcome) { _, scene in
                    defer { scene.note() }
                    for try await _ in try makeForm(scene).chunks(ofSize: 100) {}
                },
                AsynchronousEntry(name: "withEncodedForm in memory, \(name)", outcome: outcome) { _, scene in
                    defer { scene.note() }
                    try await makeForm(scene).withEncodedForm(inMemoryUpTo: .max) { _ in await Task.yield() }
                },
                AsynchronousEntry(name: "withEncodedForm in a file, \(name)", outcome: outcome) { _, scene in
                    defer { scene.note() }
                    try await makeForm(scene).withEncodedForm(inMemoryUpTo: 0) { _ in await Task.yield() }
                },
                AsynchronousEntry(name: "writeEncodedData(to:), \(name)", outcome: outcome) { _, scene in
                    defer { scene.note() }
                    try await makeForm(scene).writeEncodedData(to: scene.vacant)
                },
                AsynchronousEntry(name: "BodyPart.save(to:), \(name)", outcome: outcome) { _, scene in
                    defer { scene.note() }
                    try await makeForm(scene)[0].save(to: scene.vacant)
                },
                AsynchronousEntry(name: "chunks.next(), \(name)", outcome: outcome) { _, scene in
                    defer { scene.note() }
                    var iterator = try makeForm(scene).chunks(ofSize: 100).makeAsyncIterator()
                    while try await iterator.next() != nil {}
                },
                AsynchronousEntry(name: "chunks.next(isolation:), \(name)", outcome: outcome) { caller, scene in
                    defer { scene.note() }
                    var iterator = try makeForm(scene).chunks(ofSize: 100).makeAsyncIterator()
                    while try await iterator.next(isolation: caller) != nil {}
                },
                AsynchronousEntry(name: "chunks.next(isolation: nil), \(name)", outcome: outcome) { _, scene in
                    defer { scene.note() }
                    var iterator = try makeForm(scene).chunks(ofSize: 100).makeAsyncIterator()
                    while try await iterator.next(isolation: nil) != nil {}
                },
            ]
        } + files + pacing
    }

    /// A form of each kind of content, and how it ends.
    private static let contents: [(name: String, outcome: Outcome, makeForm: Form)] = [
        ("memory", .success, { _ in form { $0.append(Data(count: 1000), withName: "a") } }),
        ("a file", .success, { scene in form { $0.append(scene.existing, withName: "f") } }),
        (
            "a file that is gone", .failure(.bodyPartInputStreamCreationFailed),
            { scene in
                let form = form { $0.append(scene.existing, withName: "f") }
                try FileManager.default.removeItem(at: scene.existing)
                return form
            }
        ),
        ("a stream", .success, { _ in stream(length: 3) { InputStream(data: Data([1, 2, 3])) } }),
        (
            "a stream that fails", .failure(.inputStreamReadFailed),
            { _ in stream(length: nil) { StubStream([1, 2, 3], fails: true) } }
        ),
        (
            "a stream that is too short", .failure(.bodyPartLengthMismatch),
            { _ in stream(length: 9) { InputStream(data: Data([1, 2, 3])) } }
        ),
        (
            "a stream that blocks", .cancellation,
            { scene in
                stream(length: nil) {
                    StubStream([1, 2, 3], fails: false) {
                        scene.cancellation.give()
                        scene.performance.wait()
                        scene.performance.signal()
                    }
                }
            }
        ),
        ("a sequence", .success, { scene in sequence(scene.source(.whole)) }),
        ("a sequence that fails", .failure(.inputStreamReadFailed), { scene in sequence(scene.source(.disconnected)) }),
        (
            "a stream of the library that fails", .failure(.inputStreamReadFailed),
            { scene in sequence(scene.stream(.disconnectedStream)) }
        ),
        ("a sequence that is cancelled", .cancellation, { scene in sequence(scene.source(.cancelled)) }),
    ]

    #if FullFoundation
        /// A content that only Foundation's streams are.
        private static let streamContents: [(name: String, outcome: Outcome, makeForm: Form)] = [
            (
                "a stream that was read", .failure(.bodyPartStreamConsumed),
                { _ in
                    let form = form { $0.append(InputStream(data: Data([1])), withLength: 1, name: "s") }
                    _ = try form.encode()
                    return form
                }
            )
        ]
    #else
        private static let streamContents: [(name: String, outcome: Outcome, makeForm: Form)] = []
    #endif

    private static func form(_ fill: (inout MultipartFormData) -> Void) -> MultipartFormData {
        var form = MultipartFormData()
        fill(&form)
        return form
    }

    private static func stream(length: UInt64?, _ open: @escaping @Sendable () -> InputStream) -> MultipartFormData {
        form { $0.append(BodyPart(length: length, name: "s", opening: open)) }
    }

    private static func sequence<Source: AsyncSequence & Sendable>(
        _ source: Source
    ) -> MultipartFormData where Source.Element == Data {
        form { $0.append(BodyPart(source, length: nil, name: "s")) }
    }

    /// Work on files, where it cannot begin.
    private static let files = [
        AsynchronousEntry(
            name: "writeEncodedData(to:), exists",
            outcome: .failure(.outputStreamFileAlreadyExists)
        ) { _, scene in
            defer { scene.note() }
            try await form { _ in }.writeEncodedData(to: scene.existing)
        },
        AsynchronousEntry(
            name: "writeEncodedData(to:), a part that cannot be sent",
            outcome: .failure(.bodyPartURLInvalid)
        ) { _, scene in
            defer { scene.note() }
            try await form { form in
                if let url = URL(string: "https://example.org/a") { form.append(url, withName: "a") }
            }.writeEncodedData(to: scene.vacant)
        },
        AsynchronousEntry(
            name: "writeEncodedData(to:), whose progress throws",
            outcome: .failure(.cancelled)
        ) { _, scene in
            defer { scene.note() }
            let progress = EncodingProgress { _ in throw POSIXError(.EINTR) }
            try await form { _ in }.writeEncodedData(to: scene.vacant, progress: progress)
        },
        AsynchronousEntry(
            name: "BodyPart.save(to:), exists",
            outcome: .failure(.outputStreamFileAlreadyExists)
        ) { _, scene in
            defer { scene.note() }
            try await BodyPart("a", name: "a").save(to: scene.existing)
        },
        AsynchronousEntry(
            name: "BodyPart.save(to:), no directory",
            outcome: .failure(.outputStreamCreationFailed)
        ) { _, scene in
            defer { scene.note() }
            try await BodyPart(scene.source(.whole), length: nil, name: "a", filename: "b").save(to: scene.unreachable)
        },
        AsynchronousEntry(name: "FormFile.save(to:)", outcome: .success) { _, scene in
            defer { scene.note() }
            try await FormFile(contentsOf: scene.existing).save(to: scene.vacant)
        },
        AsynchronousEntry(name: "BodyPart.save(to:), collected", outcome: .success) { _, scene in
            defer { scene.note() }
            let form = try await MultipartFormData(
                collecting: scene.source(.whole),
                contentType: Scene.contentType,
                route: { _ in .disk(upTo: .max) }
            )
            try await form[1].save(to: scene.vacant)
        },
        AsynchronousEntry(name: "init(parsingFileAt:)", outcome: .success) { _, scene in
            defer { scene.note() }
            let form = form { $0.append(Data(count: 1000), withName: "a") }
            try await form.writeEncodedData(to: scene.vacant)
            _ = try await MultipartFormData(parsingFileAt: scene.vacant, contentType: form.contentType)
        },
        AsynchronousEntry(
            name: "init(parsingFileAt:), no message",
            outcome: .failure(.boundaryNotFound)
        ) { _, scene in
            defer { scene.note() }
            _ = try await MultipartFormData(parsingFileAt: scene.existing, contentType: Scene.contentType)
        },
        AsynchronousEntry(name: "init(parsingFileAt:), cancelled", outcome: .cancellation) { _, scene in
            defer { scene.note() }
            scene.cancellation.give()
            try? await waitForCancellation()
            _ = try await MultipartFormData(parsingFileAt: scene.existing, contentType: Scene.contentType)
        },
        AsynchronousEntry(name: "BodyPart.save(to:), cancelled", outcome: .cancellation) { _, scene in
            defer { scene.note() }
            scene.cancellation.give()
            try? await waitForCancellation()
            try await BodyPart("a", name: "a").save(to: scene.vacant)
        },
    ]

    /// Iterations that wait for their rate, or that a copy has used.
    private static let pacing = [
        AsynchronousEntry(name: "withEncodedForm, whose body throws", outcome: .failure(.abandoned)) { _, scene in
            defer { scene.note() }
            try await form { _ in }.withEncodedForm(inMemoryUpTo: 0) { _ in
                try await Task.detached { throw MultipartError(.abandoned) }.value
            }
        },
        AsynchronousEntry(
            name: "withEncodedForm, whose body is a function that throws",
            outcome: .failure(.abandoned)
        ) { _, scene in
            defer { scene.note() }
            try await form { _ in }.withEncodedForm(inMemoryUpTo: 0, abandon)
        },
        AsynchronousEntry(name: "chunks in a loop, paced", outcome: .success) { _, scene in
            defer { scene.note() }
            let form = form { $0.append(Data(count: 1000), withName: "a") }
            for try await _ in form.chunks(ofSize: 500, bytesPerSecond: 10_000_000) {}
        },
        AsynchronousEntry(name: "chunks in a loop, cancelled while paced", outcome: .cancellation) { _, scene in
            defer { scene.note() }
            let form = form { $0.append(Data(count: 1000), withName: "a") }
            for try await _ in form.chunks(ofSize: 500, bytesPerSecond: 1) { scene.cancellation.give() }
        },
        AsynchronousEntry(name: "chunks.next(), cancelled while paced", outcome: .cancellation) { _, scene in
            defer { scene.note() }
            let form = form { $0.append(Data(count: 1000), withName: "a") }
            var iterator = form.chunks(ofSize: 500, bytesPerSecond: 1).makeAsyncIterator()
            while try await iterator.next() != nil { scene.cancellation.give() }
        },
        AsynchronousEntry(name: "chunks.next(), used twice", outcome: .failure(.concurrentUse)) { _, scene in
            defer { scene.note() }
            let form = form { $0.append(Data(count: 1000), withName: "a") }
            var iterator = form.chunks(ofSize: 500).makeAsyncIterator()
            _ = try await iterator.next()
            var copy = iterator
            _ = try await iterator.next()
            _ = try await copy.next()
        },
    ]

    /// A function that does not return to where its caller runs. Unlike it, a closure within an actor's code returns.
    private nonisolated(nonsending) static func abandon(_ form: EncodedForm) async throws {
        try await Task.detached { throw MultipartError(.abandoned) }.value
    }

    /// Parts that are passed on as they arrive.
    static var forwarding: [AsynchronousEntry] {
        Arrival.allCases.map { arrival in
            AsynchronousEntry(name: "EncodedFormChunks(encoding:), \(arrival)", outcome: forwarded(arrival)) {
                _,
                scene in
                defer { scene.note() }
                let parts = try scene.parts(arrival).map { BodyPart($0) }
                for try await _ in EncodedFormChunks(encoding: parts) {}
            }
        }
    }

    /// How forwarding ends: an error in the body is one of the part's content.
    private static func forwarded(_ arrival: Arrival) -> Outcome {
        switch arrival {
        case .whole, .malformed, .cancelled: arrival.outcome
        case .cutOff, .tooLong, .disconnected, .disconnectedStream: .failure(.inputStreamReadFailed)
        }
    }
}
