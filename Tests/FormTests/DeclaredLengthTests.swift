import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Content that has another length than was declared: everything that reads it says so, and leaves no file.
@Suite struct DeclaredLengthTests {
    private static var bytes: Data { Data([1, 2, 3, 4, 5]) }

    enum Content: CaseIterable {
        case reading, stream, openedStream, sequence

        /// Content of five bytes, in pieces of at most three.
        func part(length: UInt64?) -> BodyPart {
            let pieces = [bytes.prefix(3), Data(), bytes.dropFirst(3)]
            switch self {
            case .reading:
                return BodyPart(
                    reading: {
                        var rest = pieces[...]
                        return { rest.popFirst() }
                    },
                    length: length,
                    name: "a"
                )
            case .stream:
                return BodyPart(InputStream(data: bytes), length: length ?? 5, name: "a")
            case .openedStream:
                return BodyPart(length: length, name: "a") { InputStream(data: bytes) }
            case .sequence:
                return BodyPart(ChunkSource(pieces), length: length, name: "a")
            }
        }
    }

    /// Everything that reads content.
    private static let readers: [(name: String, read: @Sendable (BodyPart, URL) async throws -> Data)] = [
        ("data", { part, _ in try part.data() }), ("save", { try save($0, $1) }),
        (
            "awaited save",
            { part, url in
                try await part.save(to: url)
                return try Data(contentsOf: url)
            }
        ), ("encoding", { part, _ in try content(of: MultipartFormData([part], boundary: "B").encode()) }),
        (
            "chunks",
            { part, _ in
                try content(of: await EncodingEntryPoints.chunks(MultipartFormData([part], boundary: "B"), size: 1))
            }
        ),
    ]

    // The function that is not awaited.
    private static func save(_ part: BodyPart, _ url: URL) throws -> Data {
        try part.save(to: url)
        return try Data(contentsOf: url)
    }

    private static func content(of message: Data) throws -> Data {
        try MultipartFormData(parsing: message, contentType: "multipart/form-data; boundary=B")[0].data()
    }

    @Test(arguments: Content.allCases, [0, 4, 5, 6, nil] as [UInt64?])
    func `bytes that are missing or too many are an error that says how many`(
        content: Content,
        length: UInt64?
    ) async throws {
        let directory = try TemporaryDirectory()
        for (name, read) in Self.readers {
            let part = content.part(length: length)
            let result: Result<Data, any Error>
            do {
                result = .success(try await read(part, directory.url.appendingPathComponent("saved")))
            } catch {
                result = .failure(error)
            }
            switch result {
            case .success(let read):
                #expect(read == Self.bytes && (part.length ?? 5) == 5, "\(name)")
                try directory.clear()
            case .failure(let error as MultipartError):
                guard error.code == .bodyPartLengthMismatch else {
                    let isSynchronous = ["data", "save", "encoding"].contains(name)
                    #expect(error.code == .bodyPartIsAsynchronous && content == .sequence && isSynchronous)
                    break
                }
                let length = try #require(part.length)
                #expect(length != 5 && error.expectedLength == length, "\(name)")
                #expect(error.actualLength == min(5, length + 1), "\(name)")
            case .failure(let error):
                throw error
            }
            #expect(directory.contents.isEmpty, "\(name)")
        }
    }
}
