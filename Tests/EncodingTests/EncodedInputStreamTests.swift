#if FullFoundation
    import Foundation
    import MultipartFormCodec
    import TestSupport
    import Testing

    @Suite struct EncodedInputStreamTests {
        private var form: MultipartFormData {
            var form = MultipartFormData()
            form.append("abc", withName: "a")
            return form
        }

        /// A form whose second part fails after some bytes.
        private var failingForm: MultipartFormData {
            var form = MultipartFormData()
            form.append("abc", withName: "a")
            form.append(BodyPart(length: nil, name: "s") { StubStream([1, 2, 3], fails: true) })
            return form
        }

        /// A stream's state as a client sees it.
        private struct Snapshot: Equatable {
            let status: Stream.Status
            let hasBytes: Bool
            var read: Int?
        }

        private func snapshot(_ stream: InputStream, read: Int? = nil) -> Snapshot {
            Snapshot(status: stream.streamStatus, hasBytes: stream.hasBytesAvailable, read: read)
        }

        /// The states of a stream that is read, opened and closed in turn.
        private func states(_ stream: InputStream, length: Int) -> [Snapshot] {
            var buffer = [UInt8](repeating: 0, count: length + 10)
            var states = [snapshot(stream)]
            func read(_ count: Int) {
                let result = stream.read(&buffer, maxLength: count)
                states.append(snapshot(stream, read: result))
            }
            read(1)
            stream.close()
            states.append(snapshot(stream))
            stream.open()
            states.append(snapshot(stream))
            for count in [0, 1, length - 2, 1, 1, length] { read(count) }
            for _ in 0..<2 {
                stream.close()
                states.append(snapshot(stream))
                read(1)
                stream.open()
            }
            return states
        }

        @Test func `its states are those of a stream of Foundation`() throws {
            let form = form
            let bytes = try form.encode()
            let expected = states(InputStream(data: bytes), length: bytes.count)
            #expect(states(try form.makeInputStream(), length: bytes.count) == expected)
            #expect(expected.map(\.read).contains(-1) && expected.map(\.status).contains(.atEnd))
        }

        @Test(arguments: [1, 2, 3, 7, 65536])
        func `reads of any size give the same bytes`(size: Int) throws {
            let directory = try TemporaryDirectory()
            for seed in 0..<100 {
                var generator = SeededGenerator(seed: UInt64(seed) &* 31)
                let form = try RandomForm(using: &generator, directory: directory).form
                #expect(try EncodingEntryPoints.stream(form, size: size) == form.encode(), "seed \(seed)")
            }
        }

        @Test func `each stream begins at the start`() throws {
            let form = form
            #expect(try EncodingEntryPoints.stream(form, size: 100) == EncodingEntryPoints.stream(form, size: 100))
        }

        @Test func `an encoding error is the stream's error`() throws {
            let stream = try failingForm.makeInputStream()
            #expect(stream.streamError == nil)
            stream.open()
            let error = MultipartError(.inputStreamReadFailed, partIndex: 1)
            #expect(throws: error) { try EncodingEntryPoints.drain(stream, size: 10) }
            #expect(stream.streamStatus == .error)
            #expect(stream.streamError as? MultipartError == error)
            #expect(!stream.hasBytesAvailable)
            var byte: UInt8 = 0
            #expect(stream.read(&byte, maxLength: 1) == -1)
            stream.close()
            #expect(stream.streamStatus == .closed)
            #expect(stream.streamError as? MultipartError == error)
        }

        @Test func `a stream that has ended or was closed is not opened again`() throws {
            let form = form
            let stream = try form.makeInputStream()
            stream.open()
            #expect(try EncodingEntryPoints.drain(stream, size: 10) == form.encode())
            var byte: UInt8 = 0
            stream.open()
            #expect(stream.streamStatus == .atEnd && !stream.hasBytesAvailable)
            #expect(stream.read(&byte, maxLength: 1) == 0)
            stream.close()
            stream.open()
            #expect(stream.streamStatus == .closed && !stream.hasBytesAvailable)
            #expect(stream.read(&byte, maxLength: 1) == -1)
        }

        @Test func `a read of no bytes, or after the end, does not use the progress`() throws {
            let form = form
            let progress = Progress(totalUnitCount: 0)
            let stream = try form.makeInputStream(progress: EncodingProgress(progress))
            stream.open()
            var byte: UInt8 = 0
            #expect(stream.read(&byte, maxLength: 0) == 0)
            // The first report would set it.
            #expect(progress.totalUnitCount == 0)
            #expect(try EncodingEntryPoints.drain(stream, size: 10) == form.encode())
            progress.cancel()
            #expect(stream.read(&byte, maxLength: 1) == 0)
            #expect(stream.streamStatus == .atEnd && stream.streamError == nil)
        }

        @Test func `a form that cannot be encoded has no stream`() {
            var form = form
            form.append("x", withName: "nul\u{0}")
            #expect(throws: MultipartError(.invalidCharacter, partIndex: 1)) { try form.makeInputStream() }
        }

        @Test func `it has no buffer of its own`() throws {
            let stream = try form.makeInputStream()
            stream.open()
            var pointer: UnsafeMutablePointer<UInt8>?
            var length = 0
            #expect(!stream.getBuffer(&pointer, length: &length))
        }

        @Test func `it may begin at any offset`() throws {
            let form = form
            let bytes = try form.encode()
            for offset in 0...bytes.count {
                let stream = try form.makeInputStream(from: UInt64(offset))
                stream.open()
                #expect(stream.hasBytesAvailable)
                #expect(try EncodingEntryPoints.drain(stream, size: 10) == bytes.dropFirst(offset))
                #expect(stream.streamStatus == .atEnd)
            }
        }

        @Test func `it has no properties`() throws {
            let stream = try form.makeInputStream()
            stream.open()
            #expect(!stream.setProperty(NSNumber(value: 5), forKey: .fileCurrentOffsetKey))
            #expect(stream.property(forKey: .fileCurrentOffsetKey) == nil)
        }

        @Test func `an offset beyond the end is an error and not the end`() throws {
            var form = form
            let length = try #require(form.encodedLength)
            #expect(throws: MultipartError(.offsetBeyondEnd)) { try form.makeInputStream(from: length + 1) }
            // If the length is unknown, the first read finds the error.
            form.append(BodyPart(length: nil, name: "s") { InputStream(data: Data("text".utf8)) })
            let stream = try form.makeInputStream(from: 1_000_000)
            stream.open()
            var byte: UInt8 = 0
            #expect(stream.read(&byte, maxLength: 1) == -1)
            #expect(stream.streamStatus == .error)
            #expect(stream.streamError as? MultipartError == MultipartError(.offsetBeyondEnd))
            #expect(stream.read(&byte, maxLength: 1) == -1)
        }

        @Test func `closing or releasing it closes its file`() throws {
            let directory = try TemporaryDirectory()
            let file = try directory.write(Data(count: 1000), as: "file")
            var form = MultipartFormData()
            form.append(file, withName: "f")
            var buffer = [UInt8](repeating: 0, count: 300)
            do {
                let stream = try form.makeInputStream()
                stream.open()
                _ = stream.read(&buffer, maxLength: 300)
                #expect(OpenDescriptors.count(on: file) == 1)
                stream.close()
                #expect(OpenDescriptors.count(on: file) == 0)
            }
            do {
                let stream = try form.makeInputStream()
                stream.open()
                _ = stream.read(&buffer, maxLength: 300)
                #expect(OpenDescriptors.count(on: file) == 1)
            }
            #expect(OpenDescriptors.count(on: file) == 0)
        }

        @Test func `a rate limits the speed and the size of each read`() throws {
            var form = MultipartFormData()
            form.append(Data(count: 3000), withName: "f")
            let stream = try form.makeInputStream(bytesPerSecond: 10_000)
            let clock = ContinuousClock()
            let start = clock.now
            stream.open()
            var buffer = [UInt8](repeating: 0, count: 10_000)
            #expect(stream.read(&buffer, maxLength: 10_000) == 2500)
            #expect(try EncodingEntryPoints.drain(stream, size: 500) == form.encode().dropFirst(2500))
            // The bytes before the last read take at least this long on any machine.
            #expect(start.duration(to: clock.now) >= .milliseconds(250))
        }

        @Test func `it can be the content of a part of another form`() throws {
            let inner = form
            var outer = MultipartFormData()
            outer.append(BodyPart(length: inner.encodedLength, name: "inner") { try inner.makeInputStream() })
            let parsed = try MultipartFormData(parsing: outer.encode(), contentType: outer.boundary.contentType)
            #expect(try parsed["inner"]?.data() == inner.encode())
        }
    }
#endif
