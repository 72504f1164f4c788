import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct EncodingFaultTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Expects that every entry point throws the error and leaves no file.
    private func expectEveryEntryPoint(
        throws code: MultipartError.Code,
        path: String? = nil,
        lengths: (expected: Int, actual: Int)? = nil,
        at index: Int?,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ makeForm: () throws -> MultipartFormData
    ) async throws {
        func isExpected(_ error: any Error) -> Bool {
            guard let error = error as? MultipartError, error.path == path else { return false }
            return error == MultipartError(code, partIndex: index)
                && error.expectedLength == lengths.map { UInt64($0.expected) }
                && error.actualLength == lengths.map { UInt64($0.actual) }
        }
        let before = directory.contents
        let output = directory.url.appendingPathComponent("output")
        let entryPoints: [(MultipartFormData) async throws -> Void] = [
            { _ = try $0.encode() }, { try $0.writeEncodedData(to: output) },
            { _ = try await EncodingEntryPoints.encoded($0, inMemoryUpTo: 0, directory: directory.url) },
            { _ = try EncodingEntryPoints.pieces($0, size: 1) }, { _ = try EncodingEntryPoints.stream($0, size: 5) },
            { form in
                var buffer = Data("before".utf8)
                defer { #expect(buffer == Data("before".utf8), sourceLocation: sourceLocation) }
                try form.encode(into: &buffer)
            },
        ]
        for entryPoint in entryPoints {
            let form = try makeForm()
            await #expect(sourceLocation: sourceLocation) { try await entryPoint(form) } throws: { isExpected($0) }
            #expect(directory.contents == before, sourceLocation: sourceLocation)
        }
        let chunks = try makeForm().chunks(ofSize: 5)
        await #expect(sourceLocation: sourceLocation) { for try await _ in chunks {} } throws: { isExpected($0) }
    }

    @Test(arguments: [0, 3, 4, 6, 9, 200_000])
    func `a file whose length changed is an error`(length: Int) async throws {
        let file = try directory.write(Data("12345".utf8), as: "file")
        var form = MultipartFormData()
        form.append("x", withName: "a")
        form.append(file, withName: "f")
        try Data(repeating: 65, count: length).write(to: file)
        try await expectEveryEntryPoint(throws: .bodyPartFileChanged, path: file.path, at: 1) { form }
    }

    @Test func `an empty file that grew is an error`() async throws {
        let file = try directory.write(Data(), as: "file")
        var form = MultipartFormData()
        form.append(file, withName: "f")
        try Data("x".utf8).write(to: file)
        try await expectEveryEntryPoint(throws: .bodyPartFileChanged, path: file.path, at: 0) { form }
    }

    @Test(arguments: [(150_000, 150_000), (200_000, 200_000), (400_000, 300_001)])
    func `a file that changes its length while it is read is an error`(length: Int, actual: Int) throws {
        let file = try directory.write(Data(count: 300_000), as: "file")
        var form = MultipartFormData()
        form.append(file, withName: "f")
        var reader = try form.makeReader()
        _ = try reader.next(maxLength: 150_000)
        try #require(truncate(file.path, off_t(length)) == 0)
        let error = #expect(throws: MultipartError.self) { while try reader.next(maxLength: 1000) != nil {} }
        #expect(error == MultipartError(.bodyPartLengthMismatch, partIndex: 0))
        #expect(error?.expectedLength == 300_000 && error?.actualLength == UInt64(actual))
    }

    @Test func `a file that was removed, or replaced by a FIFO, is an error`() async throws {
        let file = try directory.write(Data("12345".utf8), as: "file")
        var form = MultipartFormData()
        form.append(file, withName: "f")
        try FileManager.default.removeItem(at: file)
        try await expectEveryEntryPoint(throws: .bodyPartInputStreamCreationFailed, path: file.path, at: 0) { form }
        try #require(mkfifo(file.path, 0o600) == 0)
        try await expectEveryEntryPoint(throws: .bodyPartInputStreamCreationFailed, path: file.path, at: 0) { form }
    }

    @Test func `a file that became a directory, or whose directory was removed, is an error`() async throws {
        let folder = directory.url.appendingPathComponent("folder")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let file = try directory.write(Data("12345".utf8), as: "folder/file")
        var form = MultipartFormData()
        form.append(file, withName: "f")
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        try await expectEveryEntryPoint(throws: .bodyPartInputStreamCreationFailed, path: file.path, at: 0) { form }
        try FileManager.default.removeItem(at: folder)
        try await expectEveryEntryPoint(throws: .bodyPartInputStreamCreationFailed, path: file.path, at: 0) { form }
    }

    #if os(Linux)
        @Test func `a failing read call is an error with its cause`() async throws {
            // Nothing is mapped at address 0 of a process: reading it there is EIO.
            var form = MultipartFormData()
            form.append(URL(fileURLWithPath: "/proc/self/mem"), withName: "f")
            try await expectEveryEntryPoint(throws: .inputStreamReadFailed, path: "/proc/self/mem", at: 0) { form }
            #expect { try form.encode() } throws: {
                (($0 as? MultipartError)?.underlyingError as? POSIXError)?.code == .EIO
            }
        }
    #endif

    @Test(arguments: [(3, 3), (4, 3), (0, 1), (1_000_000, 10)])
    func `a stream that lies about its length is an error`(declared: Int, yielded: Int) async throws {
        guard declared != yielded else { return }
        let actual = declared > yielded ? yielded : declared + 1
        try await expectEveryEntryPoint(throws: .bodyPartLengthMismatch, lengths: (declared, actual), at: 0) {
            var form = MultipartFormData()
            form.append(InputStream(data: Data(count: yielded)), withLength: UInt64(declared), name: "s")
            return form
        }
    }

    @Test func `a stream that fails is an error`() async throws {
        try await expectEveryEntryPoint(throws: .inputStreamReadFailed, at: 0) {
            var form = MultipartFormData()
            form.append(StubStream([1, 2, 3], fails: true), withLength: 10, name: "s")
            return form
        }
    }

    @Test func `a stream of a missing file is an error`() async throws {
        let missing = directory.url.appendingPathComponent("missing")
        try await expectEveryEntryPoint(throws: .bodyPartInputStreamCreationFailed, at: 0) {
            var form = MultipartFormData()
            form.append(try #require(InputStream(url: missing)), withLength: 1, name: "s")
            return form
        }
    }

    @Test func `a stream that cannot be reopened is an error with its cause`() async throws {
        var form = MultipartFormData()
        form.append(BodyPart(length: nil, name: "s") { throw POSIXError(.ENOENT) })
        try await expectEveryEntryPoint(throws: .bodyPartInputStreamCreationFailed, at: 0) { form }
        #expect { try form.encode() } throws: {
            (($0 as? MultipartError)?.underlyingError as? POSIXError)?.code == .ENOENT
        }
    }

    #if FullFoundation
        @Test func `a stream is encoded once, a replayable one again and again`() throws {
            var once = MultipartFormData()
            once.append(InputStream(data: Data("abc".utf8)), withLength: 3, name: "s")
            let first = try once.encode()
            #expect(UInt64(first.count) == once.encodedLength)
            #expect(throws: MultipartError(.bodyPartStreamConsumed, partIndex: 0)) { try once.encode() }

            var again = MultipartFormData()
            again.append(BodyPart(length: nil, name: "s") { InputStream(data: Data("abc".utf8)) })
            #expect(again.encodedLength == nil)
            #expect(try again.encode() == again.encode())
        }
    #endif

    @Test func `lengths that cannot be added are an error`() async throws {
        var form = MultipartFormData()
        for _ in 0..<2 { form.append(BodyPart(length: .max, name: "s") { InputStream(data: Data()) }) }
        #expect(form.encodedLength == nil)
        try await expectEveryEntryPoint(throws: .encodedLengthTooLarge, at: 1) { form }
    }

    @Test func `a length that memory cannot hold is an error and does not trap`() {
        var form = MultipartFormData()
        form.append(BodyPart(length: 1 << 62, name: "s") { InputStream(data: Data()) })
        #expect(throws: MultipartError(.encodedLengthTooLarge)) { try form.encode() }
        var buffer = Data("before".utf8)
        #expect(throws: MultipartError(.encodedLengthTooLarge)) { try form.encode(into: &buffer) }
        #expect(buffer == Data("before".utf8))
    }

    #if os(Linux)
        private static let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil

        @Test(.disabled(if: isSanitized, "a sanitizer's allocator ends the process when an allocation fails"))
        func `a failed allocation is an error and does not trap`() async {
            await #expect(processExitsWith: .success) { try await Self.expectErrors(length: 200 << 20) }
            await #expect(processExitsWith: .success) { try await Self.expectErrors(length: nil) }
        }

        /// Encodes a stream that is longer than the memory that the process may still allocate.
        private static func expectErrors(length: UInt64?) async throws {
            var form = MultipartFormData()
            form.append(BodyPart(length: length, name: "s") { StubStream(count: 200 << 20) })
            form.append("x", withName: "a")
            var buffer = Data("before".utf8)
            let short = MultipartFormData([BodyPart(length: nil, name: "s") { InputStream(data: Data("x".utf8)) }])
            var long = Data(count: 128 << 20)
            _ = try form.makeReader()
            try #require(limitAddressSpace(growth: 100 << 20))
            let error = MultipartError(.encodedLengthTooLarge)
            // The buffer and the message need more memory than there is.
            #expect(throws: error) { try short.encode(into: &long) }
            #expect(long.count == 128 << 20)
            #expect(throws: error) { try form.encode() }
            #expect(throws: error) { try form.encode(into: &buffer) }
            #expect(buffer == Data("before".utf8))
            #expect(throws: error) {
                var reader = try form.makeReader()
                _ = try reader.next(maxLength: .max)
            }
            await #expect(throws: error) { for try await _ in form.chunks(ofSize: .max) {} }
        }
    #endif

    @Test func `a boundary that only lenient mode accepts is not sent`() async throws {
        var form = MultipartFormData(boundary: try Boundary(parsing: "a@b", mode: .lenient))
        form.append("x", withName: "a")
        try await expectEveryEntryPoint(throws: .invalidBoundary, at: nil) { form }
        form.boundary = .random()
        #expect(throws: Never.self) { try form.encode() }
    }

    @Test(arguments: ["--BND", "x\r\n--BND", "x\n--BNDx", "x\r--BND--", "x--BND", "x---BNDx"])
    func `a collision is found wherever the chunks are cut`(content: String) throws {
        for size in 1...60 {
            var form = MultipartFormData(boundary: Boundary("BND"))
            form.append(BodyPart(length: nil, name: "s") { StubStream(Array("\(content)y".utf8), fails: false) })
            #expect(throws: MultipartError(.boundaryCollision, partIndex: 0)) {
                try EncodingEntryPoints.pieces(form, size: size)
            }
        }
    }

    @Test(arguments: [0, 1, 60, 4080, 4088, 4089, 4090, 4091, 4092, 4096, 8190])
    func `a collision in memory is found at any place`(place: Int) async throws {
        for boundary in ["\r\n--BND", "--BND"] {
            let content = Data(repeating: 120, count: place) + Data(boundary.utf8) + Data(repeating: 120, count: 100)
            try await expectEveryEntryPoint(throws: .boundaryCollision, at: 0) {
                var form = MultipartFormData(boundary: Boundary("BND"))
                form.append(content, withName: "a")
                return form
            }
        }
    }

    // `encode(into:)` appends 64 KiB at a time.
    @Test(arguments: [65_470, 65_536, 131_000, 199_000])
    func `a collision in long content is found at any place`(place: Int) {
        var form = MultipartFormData(boundary: Boundary("BND"))
        let rest = Data(repeating: 120, count: 200_000 - place)
        form.append(Data(repeating: 120, count: place) + Data("--BND".utf8) + rest, withName: "a")
        #expect(throws: MultipartError(.boundaryCollision, partIndex: 0)) { try form.encode() }
        var buffer = Data("before".utf8)
        #expect(throws: MultipartError(.boundaryCollision, partIndex: 0)) { try form.encode(into: &buffer) }
        #expect(buffer == Data("before".utf8))
    }

    @Test(arguments: [0, 1, 63, 64, 65, 4095, 4096, 4097, 9000])
    func `scanning for the boundary changes no byte`(count: Int) async throws {
        let content = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &>> 3) })
        var form = MultipartFormData(boundary: Boundary("BND"))
        form.append(content, withName: "a")
        form.append("x", withName: "b")
        let field = "\r\nContent-Disposition: form-data; name="
        let expected =
            Data("--BND\(field)\"a\"\r\n\r\n".utf8) + content
            + Data("\r\n--BND\(field)\"b\"\r\n\r\nx\r\n--BND--\r\n".utf8)
        #expect(try form.encode() == expected)
        #expect(try EncodingEntryPoints.pieces(form, size: 1000) == expected)
        for (entryPoint, bytes) in try await EncodingEntryPoints.inMemory(form) {
            #expect(bytes == expected, "\(entryPoint)")
        }
    }

    @Test(arguments: [0, 1, 4, 7])
    func `a collision between two large pages is found`(distance: Int) throws {
        var form = MultipartFormData(boundary: Boundary("BND"))
        form.append(Data(), withName: "a")
        let closeDelimiter = "\r\n--BND--\r\n".utf8.count
        let header = try #require(form.encodedLength.map { Int($0) }) - closeDelimiter
        let collision = Data("\r\n--BND".utf8)
        let place = (2 << 20) - header - distance
        form = MultipartFormData(boundary: form.boundary)
        form.append(Data(repeating: 120, count: place) + collision + Data("x".utf8), withName: "a")
        #expect(throws: MultipartError(.boundaryCollision, partIndex: 0)) { try form.encode() }
        form.boundary = .random()
        let bytes = try form.encode()
        #expect(bytes.dropFirst(bytes.count - 200).range(of: collision) != nil)
    }

    @Test(arguments: ["x-BND", "BND", "-\r\n-BND", "\r\n--BN", "--BN\r\nD", "--\r\nBND"])
    func `content that only resembles the boundary is no collision`(content: String) throws {
        var form = MultipartFormData(boundary: Boundary("BND"))
        form.append(content, withName: "a")
        form.append(content, withName: "b")
        for size in 1...30 { #expect(try EncodingEntryPoints.pieces(form, size: size) == form.encode()) }
    }

    @Test func `zero bytes per read or per second are a precondition failure`() async {
        await #expect(processExitsWith: .failure) {
            var reader = try MultipartFormData().makeReader()
            _ = try reader.next(maxLength: 0)
        }
        await #expect(processExitsWith: .failure) {
            var reader = try MultipartFormData().makeReader()
            var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0).mutableBytes
            _ = try reader.read(into: &buffer)
        }
        #if FullFoundation
            await #expect(processExitsWith: .failure) { _ = try MultipartFormData().makeInputStream(bytesPerSecond: 0) }
        #endif
    }

    @Test func `a reader's piece is no larger than the rest of the message`() throws {
        var form = MultipartFormData()
        form.append("x", withName: "a")
        form.append(BodyPart(length: nil, name: "s") { InputStream(data: Data(count: 600_000)) })
        var reader = try form.makeReader()
        let piece = try reader.next(maxLength: .max)
        #expect(try piece == form.encode())
        let rest = try reader.next(maxLength: .max)
        #expect(rest == nil)
    }

    @Test func `an empty media type is refused`() {
        var form = MultipartFormData()
        form.append(Data(), withName: "a", mimeType: "")
        #expect(form.firstError?.code == .invalidHeaderValue)
    }

    @Test func `an empty form is the close delimiter alone`() async throws {
        let form = MultipartFormData(boundary: Boundary("B"))
        for (entryPoint, bytes) in try await EncodingEntryPoints.all(form) {
            #expect(bytes == Data("--B--\r\n".utf8), "\(entryPoint)")
        }
        #expect(form.encodedLength == 7)
    }
}
