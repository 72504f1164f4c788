import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct MultipartCollectorTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A field, two files and a field, and the message in chunks.
    func form(
        _ lengths: [Int] = [10, 20, 30, 40],
        chunk size: Int = 1000
    ) throws -> (form: MultipartFormData, chunks: [Data]) {
        var form = MultipartFormData()
        for (index, length) in lengths.enumerated() {
            let content = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) })
            form.append(content, withName: "p\(index)", fileName: [1, 2].contains(index) ? "f\(index)" : nil)
        }
        return (form, ChunkSplitter.pieces(of: try form.encode(), size: size))
    }

    func options(
        maxFieldBytes: Int = .max,
        maxMemoryBytes: Int = .max,
        maxDiskBytes: Int = .max,
        diskThreshold: Int = 25,
        parser: MultipartParser.Options = MultipartParser.Options()
    ) -> MultipartCollector.Options {
        MultipartCollector.Options(
            parser: parser,
            maxFieldBytes: maxFieldBytes,
            maxMemoryBytes: maxMemoryBytes,
            maxDiskBytes: maxDiskBytes,
            diskThreshold: diskThreshold,
            temporaryDirectory: directory.url
        )
    }

    /// The memory a part counts for besides its content: its header section, 16 bytes a field, and 512, or 1024 on
    /// disk.
    private func overhead(_ part: BodyPart) -> Int {
        let section = part.headers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
        return Int(section.utf8.count + 16 * part.headers.count) + (part.fileURL == nil ? 512 : 1024)
    }

    @Test func `fields and short files stay in memory, long files go to disk`() async throws {
        let (form, chunks) = try form()
        var parts = try await Array(
            MultipartFormData(collecting: ChunkSource(chunks), contentType: form.contentType, options: options())
        )
        #expect(try parts.map { try $0.data() } == form.map { try $0.data() })
        #expect(parts.map(\.length) == [10, 20, 30, 40])
        #expect(parts.map { $0.fileURL != nil } == [false, false, true, false])
        let file = try #require(parts[2].fileURL)
        #expect(directory.contents == [file.lastPathComponent])
        #expect(directory.openFileCount == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int == 30)
        parts.removeAll()
        #expect(directory.contents.isEmpty)
    }

    @Test func `a collected form is encoded again, and keeps its files until then`() async throws {
        let (form, chunks) = try form()
        func collect() throws -> MultipartFormData {
            try MultipartFormData(pushing: chunks, contentType: form.contentType, options: options())
        }
        let encoded = try form.encode()
        for (entryPoint, bytes) in try await EncodingEntryPoints.all(try collect()) {
            #expect(bytes == encoded, "\(entryPoint)")
        }
        var again = MultipartFormData()
        again.append(try #require(try collect()["p2"]))
        #expect(directory.contents.count == 1)
        let parsed = try MultipartFormData(parsing: try again.encode(), contentType: again.boundary.contentType)
        #expect(try parsed["p2"]?.data() == form["p2"]?.data())
        again = MultipartFormData()
        #expect(directory.contents.isEmpty)
    }

    @Test func `the route closure gets the headers and decides where a part goes`() throws {
        let (form, chunks) = try form()
        let collected = try MultipartFormData(pushing: chunks, contentType: form.contentType, options: options()) {
            switch $0.name {
            case "p0": .disk(upTo: .max)
            case "p1": .skip
            case "p2": .memory(upTo: .max)
            default: .accept
            }
        }
        #expect(collected.map(\.name) == ["p0", "p2", "p3"])
        #expect(collected.map { $0.fileURL != nil } == [true, false, false])
        #expect(try collected["p0"]?.data() == form["p0"]?.data())
        withExtendedLifetime(collected) { #expect(directory.contents.count == 1) }
    }

    @Test func `an empty part that is routed to disk has a file`() throws {
        let (form, chunks) = try form([0])
        let collected = try MultipartFormData(pushing: chunks, contentType: form.contentType, options: options()) { _ in
            .disk(upTo: .max)
        }
        #expect(try collected.first?.data() == Data())
        #expect(directory.contents == [try #require(collected.first?.fileURL).lastPathComponent])
    }

    /// Expects that collecting the form throws the error and leaves nothing.
    private func expectFailure<Failure: Error & Equatable>(
        _ expected: Failure,
        options: MultipartCollector.Options,
        route: @escaping @Sendable (HeaderFields) throws -> MultipartCollector.Route = { _ in .accept },
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (form, chunks) = try form()
        for chunks in [chunks, ChunkSplitter.pieces(of: Data(chunks.joined()), size: 1)] {
            await #expect(throws: expected, sourceLocation: sourceLocation) {
                try await MultipartFormData(
                    collecting: ChunkSource(chunks),
                    contentType: form.contentType,
                    options: options,
                    route: route
                )
            }
            #expect(directory.contents.isEmpty, sourceLocation: sourceLocation)
            var collector = MultipartCollector(
                boundary: form.boundary,
                options: options,
                route: route
            )
            var errors: [any Error] = []
            for chunk in chunks + [Data(), Data()] {
                do { try collector.append(chunk) } catch { errors.append(error) }
            }
            // A collector that failed stays failed, and keeps nothing.
            #expect(errors.count > 2, sourceLocation: sourceLocation)
            #expect(errors.allSatisfy { $0 as? Failure == expected }, sourceLocation: sourceLocation)
            #expect(directory.contents.isEmpty, sourceLocation: sourceLocation)
            #expect(directory.openFileCount == 0, sourceLocation: sourceLocation)
            do {
                _ = try collector.finish()
                Issue.record("finished", sourceLocation: sourceLocation)
            } catch {
                #expect(error as? Failure == expected, sourceLocation: sourceLocation)
            }
        }
    }

    @Test func `a rejected part, or an error of the route closure, ends the collecting`() async throws {
        let last = try #require(try form().form["p3"]).data()
        let start = try #require(try form().form.encode().range(of: last)).lowerBound
        let rejection = MultipartError(.partRejected, offset: UInt64(start), partIndex: 3)
        try await expectFailure(rejection, options: options()) {
            $0.name == "p3" ? .reject : .disk(upTo: .max)
        }
        try await expectFailure(POSIXError(.EACCES), options: options()) {
            if $0.name == "p3" { throw POSIXError(.EACCES) }
            return .disk(upTo: .max)
        }
    }

    @Test func `a file goes to disk only if memory suffices for the reference to it`() throws {
        let (form, chunks) = try form([10, 20])
        let overhead = try MultipartFormData(pushing: chunks, contentType: form.contentType, options: options())
            .reduce(0) { $0 + self.overhead($1) }
        let exact = options(maxMemoryBytes: overhead + 30)
        let whole = try MultipartFormData(pushing: chunks, contentType: form.contentType, options: exact)
        #expect(whole.map { $0.fileURL != nil } == [false, false])
        let place = UInt64(try #require(try form.encode().range(of: try form[1].data())).lowerBound)
        #expect(throws: MultipartError(.limitMemoryBytes, offset: place + 19, partIndex: 1)) {
            let options = self.options(maxMemoryBytes: overhead + 29)
            _ = try MultipartFormData(pushing: chunks, contentType: form.contentType, options: options)
        }
    }

    @Test func `a file goes to disk when memory is used up`() throws {
        let (form, chunks) = try form([10, 1000])
        let overhead = try MultipartFormData(pushing: chunks, contentType: form.contentType, options: options())
            .reduce(0) { $0 + self.overhead($1) }
        let options = options(maxMemoryBytes: overhead + 10, diskThreshold: .max)
        let collected = try MultipartFormData(pushing: chunks, contentType: form.contentType, options: options)
        #expect(collected.map { $0.fileURL != nil } == [false, true])
        let place = UInt64(try #require(try form.encode().range(of: try form[1].data())).lowerBound)
        #expect(throws: MultipartError(.limitMemoryBytes, offset: place + 512, partIndex: 1)) {
            try MultipartFormData(pushing: chunks, contentType: form.contentType, options: options) { _ in
                .memory(upTo: .max)
            }
        }
    }

    @Test func `skipped parts do not count as kept`() throws {
        let (form, chunks) = try form()
        let none = options(maxFieldBytes: 0, maxMemoryBytes: 0, maxDiskBytes: 0)
        let collected = try MultipartFormData(pushing: chunks, contentType: form.contentType, options: none) { _ in
            .skip
        }
        #expect(collected.isEmpty)
    }

    @Test func `a route's limit replaces that of fields, and its error names the field`() throws {
        let (form, chunks) = try form()
        let start = try #require(try form.encode().range(of: try form[3].data())).lowerBound
        let few = options(maxFieldBytes: 5)
        let routes: [(name: String, route: @Sendable (Int) -> MultipartCollector.Route)] = [
            ("memory", { .memory(upTo: $0) }), ("disk", { .disk(upTo: $0) }),
        ]
        for (name, route) in routes {
            let all = try MultipartFormData(pushing: chunks, contentType: form.contentType, options: few) { _ in
                route(40)
            }
            #expect(try all.map { try $0.data() } == form.map { try $0.data() })
            let error = #expect(throws: MultipartError.self) {
                try MultipartFormData(pushing: chunks, contentType: form.contentType, options: few) {
                    route($0.name == "p3" ? 39 : 40)
                }
            }
            #expect(error == MultipartError(.limitPartBytes, offset: UInt64(start) + 39, partIndex: 3))
            #expect(error?.partName == "p3" && error?.limit == 39 && error?.httpStatus == 413)
            #expect(error?.limitName == "\(name)(upTo:)")
            #expect(error?.description == "part 3 \"p3\": body exceeds 39 bytes (at offset \(start + 39))")
        }
        #expect(directory.contents.isEmpty)
    }

    /// State of the main actor's, which a route cannot be sent with.
    @MainActor private final class Gallery {
        var names: [String?] = []
    }

    @MainActor @Test func `a route uses its caller's actor and its variables`() async throws {
        let (form, chunks) = try form()
        let gallery = Gallery()
        var fileCount = 0
        let collected = try await MultipartFormData(
            collecting: ChunkSource(chunks),
            contentType: form.contentType,
            options: options()
        ) { headers in
            gallery.names.append(headers.name)
            fileCount += headers.filename == nil ? 0 : 1
            return .accept
        }
        #expect(gallery.names == form.map(\.name) && collected.count == form.count)
        #expect(fileCount == form.filter { $0.filename != nil }.count)

        #if FullFoundation
            var count = 0
            let stream = InputStream(data: Data(chunks.joined()))
            _ = try MultipartFormData(collecting: stream, contentType: form.contentType, options: options()) { _ in
                count += 1
                return .skip
            }
            #expect(count == form.count)
        #endif
    }

    #if FullFoundation
        @Test func `a message is collected from a stream`() throws {
            let (form, chunks) = try form([10, 300_000])
            let message = try form.encode()
            #expect(Data(chunks.joined()) == message)
            let collected = try MultipartFormData(
                collecting: InputStream(data: message),
                contentType: form.contentType,
                options: options()
            )
            #expect(try collected.map { try $0.data() } == form.map { try $0.data() })
            let faulty = StubStream(Array(message.prefix(200_000)), fails: true)
            #expect(throws: MultipartError(.inputStreamReadFailed)) {
                try MultipartFormData(collecting: faulty, contentType: form.contentType, options: options())
            }
            withExtendedLifetime(collected) { #expect(directory.contents.count == 1) }
        }
    #endif

    @Test func `a Content-Type that is not a form's is an error`() async throws {
        let expected = MultipartError(.missingBoundary, offset: 19)
        await #expect(throws: expected) {
            try await MultipartFormData(collecting: ChunkSource([Data()]), contentType: "multipart/form-data")
        }
        #expect(throws: expected) { _ = try MultipartCollector(contentType: "multipart/form-data") }
        #expect(throws: expected) { try MultipartFormData(pushing: [Data()], contentType: "multipart/form-data") }
        #if FullFoundation
            #expect(throws: expected) {
                try MultipartFormData(collecting: InputStream(data: Data()), contentType: "multipart/form-data")
            }
        #endif
    }
}
