import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// A failed or cancelled encoding leaves nothing.
@Suite struct FaultCleanupTests {
    /// A form whose stream calls a function before each read.
    private static func form(whenRead: @escaping @Sendable () -> Void) -> MultipartFormData {
        var form = MultipartFormData()
        form.append("x", withName: "a")
        form.append(
            BodyPart(length: nil, name: "s") {
                StubStream([UInt8](repeating: 1, count: 3_500_000), fails: false, whenRead: whenRead)
            }
        )
        form.append(Data(count: 2_000_000), withName: "b")
        return form
    }

    #if FullFoundation
        /// Step 0 is before the first read; the stream is read five times, the last time for its end.
        @Test(arguments: 0...5)
        func `cancelling at any step leaves no file`(step: Int) async throws {
            let directory = try TemporaryDirectory()
            let url = directory.url.appendingPathComponent("output")
            for intoFile in [true, false] {
                let progress = Progress(totalUnitCount: 0)
                if step == 0 { progress.cancel() }
                let reads = Counter()
                let form = Self.form { if reads.increment() == step { progress.cancel() } }
                let reported = EncodingProgress(progress)
                await #expect(throws: MultipartError(.cancelled)) {
                    if intoFile {
                        try await form.writeEncodedData(to: url, progress: reported)
                    } else {
                        _ = try await EncodingEntryPoints.encoded(
                            form,
                            inMemoryUpTo: 0,
                            directory: directory.url,
                            progress: reported
                        )
                    }
                }
                #expect(directory.contents.isEmpty)
                guard step > 0 else { continue }
                #expect(reads.value == step || reads.value == step + 1)
            }
        }
    #endif

    @Test func `a file that may no longer be read is an error with its cause`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let file = try directory.write(Data("12345".utf8), as: "file")
            var form = MultipartFormData()
            form.append(file, withName: "f")
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
            // Root may read anything, so it encodes as another user.
            let user = geteuid()
            if user == 0 { try #require(seteuid(65534) == 0) }
            let result = Result { try form.encode() }
            if user == 0 { try #require(seteuid(user) == 0) }
            #expect { try result.get() } throws: {
                let error = $0 as? MultipartError
                return error?.code == .bodyPartInputStreamCreationFailed && error?.path == file.path
                    && (error?.underlyingError as? POSIXError)?.code == .EACCES
            }
        }
    }

    #if os(Linux)
        @Test func `no fault leaves a descriptor open`() async {
            await #expect(processExitsWith: .success) {
                let directory = try TemporaryDirectory()
                let source = try directory.write(Data(count: 2_000_000), as: "source")
                let output = directory.url.appendingPathComponent("output")
                func run() async throws {
                    var forms = [MultipartFormData](repeating: MultipartFormData(), count: 5)
                    for index in forms.indices { forms[index].append(source, withName: "f") }
                    forms[0].append(BodyPart(length: 5, name: "s") { StubStream([1, 2], fails: false) })
                    forms[1].append(BodyPart(length: 5, name: "s") { StubStream([1, 2], fails: true) })
                    forms[2].append(BodyPart(length: 1, name: "s") { StubStream([1, 2], fails: false) })
                    forms[3].append(BodyPart(length: nil, name: "s") { throw POSIXError(.EIO) })
                    forms[4].append(directory.url, withName: "d")
                    for form in forms {
                        #expect(throws: MultipartError.self) { try form.encode() }
                        #expect(throws: MultipartError.self) { try form.writeEncodedData(to: output) }
                        await #expect(throws: MultipartError.self) {
                            try await EncodingEntryPoints.encoded(form, inMemoryUpTo: 0, directory: directory.url)
                        }
                        // A reader that is dropped halfway.
                        if var reader = try? form.makeReader() { _ = try reader.next(maxLength: 1_000_000) }
                    }
                    let damaged = try directory.write(Data("--BND\r\n\r\n".utf8) + Data(count: 400_000), as: "damaged")
                    #expect(throws: MultipartError.self) {
                        try MultipartFormData(parsingFileAt: damaged, contentType: "multipart/form-data; boundary=BND")
                    }
                }
                try await run()
                let before = OpenDescriptors.count
                for _ in 0..<20 { try await run() }
                try #require(OpenDescriptors.count == before)
                try #require(directory.contents == ["damaged", "source"])
            }
        }
    #endif

    @Test func `a reader that has failed stays so, and opens nothing again`() throws {
        let opened = Counter()
        var form = MultipartFormData()
        form.append("x", withName: "a")
        form.append(
            BodyPart(length: 9, name: "s") {
                opened.increment()
                return InputStream(data: Data("short".utf8))
            }
        )
        var reader = try form.makeReader()
        var errors: [MultipartError?] = []
        for _ in 0..<3 {
            do {
                while try reader.next(maxLength: 1000) != nil {}
            } catch {
                errors.append(error as? MultipartError)
            }
        }
        #expect(errors == Array(repeating: MultipartError(.bodyPartLengthMismatch, partIndex: 1), count: 3))
        #expect(opened.value == 1)
    }

    @Test func `a failed reader has closed its file`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Data(count: 300_000), as: "file")
        var form = MultipartFormData()
        form.append(file, withName: "f")
        var reader = try form.makeReader()
        _ = try reader.next(maxLength: 100_000)
        #expect(directory.openFileCount == 1)
        try directory.write(Data(count: 300_001), as: "file")
        do {
            while try reader.next(maxLength: 100_000) != nil {}
            Issue.record("the longer file is not noticed")
        } catch {
            #expect(error as? MultipartError == MultipartError(.bodyPartLengthMismatch, partIndex: 0))
        }
        #expect(directory.openFileCount == 0)
        #expect(reader.offset >= 100_000)
    }

    #if os(Linux)
        @Test func `a failed encoding releases its memory`() async {
            await #expect(processExitsWith: .success) {
                try #require(limitAddressSpace(growth: 512 << 20))
                for _ in 0..<20 {
                    var form = MultipartFormData()
                    form.append(BodyPart(length: 64 << 20, name: "s") { InputStream(data: Data("short".utf8)) })
                    let mismatch = MultipartError(.bodyPartLengthMismatch, partIndex: 0)
                    // Another error would say that there is no more memory.
                    #expect(throws: mismatch) { try form.encode() }
                    var buffer = Data()
                    #expect(throws: mismatch) { try form.encode(into: &buffer) }
                }
            }
        }
    #endif
}
