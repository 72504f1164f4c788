import Foundation
import MultipartForm
import TestSupport
import Testing

@Suite struct EncodedInputStreamTests {
    private var form: MultipartFormData {
        var form = MultipartFormData()
        form.append("abc", withName: "a")
        return form
    }

    /// A form whose second part fails behind some bytes.
    private var failingForm: MultipartFormData {
        var form = MultipartFormData()
        form.append("abc", withName: "a")
        form.append(withLength: nil, name: "s") { FaultyStream([1, 2, 3], fails: true) }
        return form
    }

    /// What a client sees of a stream.
    private struct Sight: Equatable {
        let status: Stream.Status
        let hasBytes: Bool
        var read: Int?
    }

    private func see(_ stream: InputStream) -> Sight {
        Sight(status: stream.streamStatus, hasBytes: stream.hasBytesAvailable)
    }

    /// What a client sees of a stream in the course of its life.
    private func life(_ stream: InputStream, length: Int) -> [Sight] {
        var buffer = [UInt8](repeating: 0, count: length + 10)
        var sights = [see(stream)]
        func read(_ count: Int) {
            let result = stream.read(&buffer, maxLength: count)
            var sight = see(stream)
            sight.read = result
            sights.append(sight)
        }
        read(1)
        stream.close()
        sights.append(see(stream))
        stream.open()
        sights.append(see(stream))
        for count in [0, 1, length - 2, 1, 1, length] { read(count) }
        for _ in 0..<2 {
            stream.close()
            sights.append(see(stream))
            read(1)
            stream.open()
        }
        return sights
    }

    @Test func `it lives as a stream of Foundation's does`() throws {
        let form = form
        let bytes = try form.encode()
        let expected = life(InputStream(data: bytes), length: bytes.count)
        #expect(life(try form.makeInputStream(), length: bytes.count) == expected)
        #expect(expected.map(\.read).contains(-1) && expected.map(\.status).contains(.atEnd))
    }

    @Test(arguments: [1, 2, 3, 7, 65536])
    func `reads of any size give the same bytes`(size: Int) throws {
        let directory = try TemporaryDirectory()
        for seed in 0..<100 {
            var generator = SeededGenerator(seed: UInt64(seed) &* 31)
            let form = try RandomForm(using: &generator, directory: directory).form
            #expect(try Outlets.stream(form, size: size) == form.encode(), "seed \(seed)")
        }
    }

    @Test func `each stream begins at the start`() throws {
        let form = form
        #expect(try Outlets.stream(form, size: 100) == Outlets.stream(form, size: 100))
    }

    @Test func `an error of the encoding is the stream's`() throws {
        let stream = try failingForm.makeInputStream()
        #expect(stream.streamError == nil)
        stream.open()
        let error = MultipartError(.inputStreamReadFailed, partIndex: 1)
        #expect(throws: error) { try Outlets.drain(stream, size: 10) }
        #expect(stream.streamStatus == .error)
        #expect(stream.streamError as? MultipartError == error)
        #expect(!stream.hasBytesAvailable)
        var byte: UInt8 = 0
        #expect(stream.read(&byte, maxLength: 1) == -1)
        stream.close()
        #expect(stream.streamStatus == .closed)
        #expect(stream.streamError as? MultipartError == error)
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
            #expect(try Outlets.drain(stream, size: 10) == bytes.dropFirst(offset))
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
        // Where the length is unknown, the first read finds it.
        form.append(withLength: nil, name: "s") { InputStream(data: Data("text".utf8)) }
        let stream = try form.makeInputStream(from: 1_000_000)
        stream.open()
        var byte: UInt8 = 0
        #expect(stream.read(&byte, maxLength: 1) == -1)
        #expect(stream.streamStatus == .error)
        #expect(stream.streamError as? MultipartError == MultipartError(.offsetBeyondEnd))
        #expect(stream.read(&byte, maxLength: 1) == -1)
    }

    @Test func `what it opened is closed with it, and when it is forgotten`() throws {
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

    @Test func `a slow one takes its time, with little at once`() throws {
        var form = MultipartFormData()
        form.append(Data(count: 3000), withName: "f")
        let stream = try form.makeInputStream(bytesPerSecond: 10_000)
        let clock = ContinuousClock()
        let start = clock.now
        stream.open()
        var buffer = [UInt8](repeating: 0, count: 10_000)
        #expect(stream.read(&buffer, maxLength: 10_000) == 2500)
        #expect(try Outlets.drain(stream, size: 500) == form.encode().dropFirst(2500))
        // The bytes before the last read: they have had their time, however fast the machine is.
        #expect(start.duration(to: clock.now) >= .milliseconds(250))
    }

    @Test func `a parser reads it as it is another form's content`() throws {
        let inner = form
        var outer = MultipartFormData()
        outer.append(withLength: inner.encodedLength, name: "inner") { try inner.makeInputStream() }
        let parsed = try MultipartFormData(parsing: outer.encode(), contentType: outer.boundary.contentType)
        #expect(try parsed["inner"]?.data() == inner.encode())
    }
}
