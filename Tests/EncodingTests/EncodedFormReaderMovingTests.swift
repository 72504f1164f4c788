import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct EncodedFormReaderMovingTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A form with every kind of replayable content, and an empty part.
    private func form(boundary: Boundary = .random()) throws -> MultipartFormData {
        var form = MultipartFormData(boundary: boundary)
        form.append("text", withName: "data")
        form.append(Data(), withName: "empty")
        form.append(try directory.write(Data("a file's content".utf8), as: "file"), withName: "file")
        form.append(BodyPart(length: 12, name: "known") { InputStream(data: Data("known length".utf8)) })
        form.append(BodyPart(length: nil, name: "unknown") { InputStream(data: Data("unknown length".utf8)) })
        var other = MultipartFormData()
        other.append("a content within a file", withName: "range")
        let file = try directory.write(try other.encode(), as: "message")
        let parsed = try MultipartFormData(
            parsingFileAt: file,
            contentType: other.boundary.contentType,
            inMemoryUpTo: 0
        )
        form.append(try #require(parsed.first))
        return form
    }

    private func rest(_ reader: inout EncodedFormReader, size: Int = 64) throws -> Data {
        var result = Data()
        while let piece = try reader.next(maxLength: size) { result.append(piece) }
        return result
    }

    @Test(arguments: [Boundary.random(), Boundary("chosen")])
    func `a new reader continues from any offset`(boundary: Boundary?) throws {
        let form = try form(boundary: try #require(boundary))
        let whole = try form.encode()
        for offset in 0...whole.count {
            var reader = try form.makeReader(from: UInt64(offset))
            #expect(reader.offset == UInt64(offset))
            #expect(try rest(&reader) == whole.dropFirst(offset), "offset \(offset)")
        }
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a collision is found unless it lies before the offset`(kind: Int) throws {
        let content = Data("xx\r\n--BND and \n--BN more".utf8)
        var form = MultipartFormData(boundary: Boundary("BND"))
        switch kind {
        case 0: form.append(content, withName: "a")
        case 1: form.append(try directory.write(content, as: "file"), withName: "a")
        case 2: form.append(BodyPart(length: UInt64(content.count), name: "a") { InputStream(data: content) })
        default: form.append(BodyPart(length: nil, name: "a") { InputStream(data: content) })
        }
        let start = try #require(try plain(form, content).firstRange(of: Data("xx\r\n--BND".utf8)))
        for offset in 0..<start.upperBound + 10 {
            let collision = MultipartError(.boundaryCollision, partIndex: 0)
            do {
                var reader = try form.makeReader(from: UInt64(offset))
                _ = try rest(&reader, size: 1)
                #expect(offset >= start.upperBound, "offset \(offset)")
            } catch {
                #expect(error as? MultipartError == collision)
                #expect(offset < start.upperBound, "offset \(offset)")
            }
        }
    }

    /// The form's bytes up to the first part's content, and the content.
    private func plain(_ form: MultipartFormData, _ content: Data) throws -> Data {
        var reader = try form.makeReader()
        var result = Data()
        while !result.suffix(4).elementsEqual([13, 10, 13, 10]), let byte = try reader.next(maxLength: 1) {
            result.append(byte)
        }
        return result + content
    }

    @Test func `a read that throws does not move the reader`() throws {
        var form = MultipartFormData(boundary: Boundary("BND"))
        form.append("x", withName: "a")
        form.append("xyz\r\n--BND", withName: "b")
        for offset in [0, 7, 40] {
            var reader = try form.makeReader(from: UInt64(offset))
            #expect(throws: MultipartError(.boundaryCollision, partIndex: 1)) { try reader.next(maxLength: 1000) }
            #expect(reader.offset == UInt64(offset))
            var filling = try form.makeReader(from: UInt64(offset))
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
            defer { memory.deallocate() }
            var buffer = memory.mutableBytes
            do {
                _ = try filling.read(into: &buffer)
                Issue.record("a collision is not found")
            } catch let error as MultipartError {
                #expect(error.code == .boundaryCollision)
            }
            #expect(filling.offset == UInt64(offset))
        }
    }

    @Test func `two pieces of the boundary in two contents do not collide`() throws {
        var form = MultipartFormData(boundary: Boundary("chosen"))
        form.append("x--cho", withName: "a")
        form.append("sen", withName: "b")
        let whole = try form.encode()
        for offset in 0...whole.count {
            var reader = try form.makeReader(from: UInt64(offset))
            #expect(try rest(&reader, size: 1) == whole.dropFirst(offset), "offset \(offset)")
        }
    }

    @Test func `a collision at the start of content is found after a seek into it`() throws {
        var form = MultipartFormData(boundary: Boundary("BND"))
        form.append("--BND", withName: "a")
        let start = try plain(form, Data()).count
        for offset in 0...start + 4 {
            #expect(throws: MultipartError(.boundaryCollision, partIndex: 0), "offset \(offset)") {
                var reader = try form.makeReader(from: UInt64(offset))
                _ = try rest(&reader)
            }
        }
    }

    @Test func `a stream that has not been read can be begun anywhere`() throws {
        for offset in 0...10 {
            var form = MultipartFormData(boundary: Boundary("B"))
            form.append(InputStream(data: Data("0123456789".utf8)), withLength: 10, name: "s")
            form.append("end", withName: "e")
            let start = try plain(form, Data()).count
            var reader = try form.makeReader(from: UInt64(start + offset))
            #expect(reader.offset == UInt64(start + offset))
            let rest = Data("0123456789\r\n--B\r\nContent".utf8).dropFirst(offset)
            #expect(try reader.next(maxLength: 12) == rest.prefix(12))
        }
    }

    #if FullFoundation
        @Test func `a stream that has been read cannot be read again`() throws {
            var form = MultipartFormData(boundary: Boundary("B"))
            form.append("x", withName: "a")
            form.append(InputStream(data: Data("0123456789".utf8)), withLength: 10, name: "s")
            let end = try form.encode().count - "\r\n--B--\r\n".utf8.count
            for offset in 1..<UInt64(end) {
                let error = #expect(throws: MultipartError(.notReplayable, partIndex: 1), "\(offset)") {
                    _ = try form.makeReader(from: offset)
                }
                #expect(error?.partName == "s")
            }
            var reader = try form.makeReader()
            #expect(throws: MultipartError(.bodyPartStreamConsumed, partIndex: 1)) { _ = try rest(&reader) }
        }
    #endif

    @Test func `a stream that has been read may lie before the offset`() throws {
        var form = MultipartFormData()
        form.append(InputStream(data: Data("0123456789".utf8)), withLength: 10, name: "s")
        form.append("end", withName: "e")
        let whole = try form.encode()
        var reader = try form.makeReader(from: UInt64(whole.count - 20))
        #expect(try rest(&reader) == whole.suffix(20))
    }

    @Test(arguments: [4, nil] as [UInt64?])
    func `an offset beyond the end is an error`(length: UInt64?) throws {
        var form = MultipartFormData()
        form.append(BodyPart(length: length, name: "s") { InputStream(data: Data("text".utf8)) })
        let end = UInt64(try form.encode().count)
        var reader = try form.makeReader(from: end)
        let nothing = try reader.next(maxLength: 1)
        #expect(nothing == nil)
        for offset in [end + 1, 1 << 40, 1 << 63, .max] {
            #expect(throws: MultipartError(.offsetBeyondEnd)) { _ = try form.makeReader(from: offset) }
        }
    }

    @Test(arguments: [0, 5, 9, 11])
    func `a seek into a file whose length changed is an error`(length: Int) throws {
        let file = try directory.write(Data("0123456789".utf8), as: "file")
        var form = MultipartFormData()
        form.append(file, withName: "f")
        let start = try plain(form, Data()).count
        try Data(repeating: 65, count: length).write(to: file)
        for offset in 0..<10 {
            #expect(throws: MultipartError(.bodyPartFileChanged, partIndex: 0), "offset \(offset)") {
                var reader = try form.makeReader(from: UInt64(start + offset))
                _ = try rest(&reader)
            }
        }
    }

    @Test(arguments: [9, 11])
    func `a stream that lies about its length is an error after a seek into it`(length: Int) throws {
        var form = MultipartFormData()
        form.append(BodyPart(length: 10, name: "s") { InputStream(data: Data(count: length)) })
        let start = try plain(form, Data()).count
        let error = #expect(throws: MultipartError.self) {
            var reader = try form.makeReader(from: UInt64(start + 9))
            _ = try rest(&reader)
        }
        #expect(error == MultipartError(.bodyPartLengthMismatch, partIndex: 0))
        #expect(error?.expectedLength == 10 && error?.actualLength == UInt64(length))
    }

    @Test(.timeLimit(.minutes(10))) func `a seek over a long file does not read it`() throws {
        let file = try directory.write(Data(), as: "long")
        let handle = try FileHandle(forWritingTo: file)
        // The file is sparse, but reading it would take minutes.
        try handle.truncate(atOffset: 1 << 40)
        try handle.close()
        var form = MultipartFormData(boundary: Boundary("chosen"))
        form.append(file, withName: "f")
        form.append(file, withName: "g")
        let length = try #require(form.encodedLength)
        var reader = try form.makeReader(from: length - 1000)
        #expect(try rest(&reader) == Data(count: 1000 - 14) + Data("\r\n--chosen--\r\n".utf8))
        #expect(OpenDescriptors.count(on: file) == 0)
    }

    @Test func `skipped content is not opened`() throws {
        var form = MultipartFormData()
        form.append(
            BodyPart(length: 1000, name: "s") {
                Issue.record("opened")
                return InputStream(data: Data())
            }
        )
        form.append("end", withName: "e")
        let length = try #require(form.encodedLength)
        var reader = try form.makeReader(from: length - 5)
        #expect(try rest(&reader).count == 5)
    }
}
