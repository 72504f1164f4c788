import Foundation
import MultipartFormCodec
import TestSupport
import Testing

private struct PackageRelease {
    var archive: URL
    var archiveSignature: Data?
    var metadata: URL?
    var metadataSignature: Data?
}

extension PackageRelease {
    func form() throws -> MultipartFormData {
        let json = "application/json", zip = "application/zip", bytes = "application/octet-stream"
        let parts: [BodyPart?] = [
            try BodyPart(fieldContentsOf: archive, name: "source-archive", contentType: zip),
            archiveSignature.map { BodyPart($0, name: "source-archive-signature", contentType: bytes) },
            try metadata.map { try BodyPart(fieldContentsOf: $0, name: "metadata", contentType: json) },
            metadataSignature.map { BodyPart($0, name: "metadata-signature", contentType: bytes) },
        ]
        return MultipartFormData(parts.compactMap(\.self))
    }
}

private struct ReleaseMetadata: Decodable, Equatable {
    var repositoryURLs: [String]?
    var description: String?
}

private struct ReceivedRelease: Decodable {
    var sourceArchive: BodyPart
    var metadata: FormJSON<ReleaseMetadata>?
}

private func receiveRelease<Chunks: AsyncSequence & Sendable>(
    _ chunks: Chunks,
    contentType: String?
) async throws -> ReceivedRelease where Chunks.Element == Data {
    let form = try await MultipartFormData(collecting: chunks, contentType: contentType) { headers in
        switch headers.name {
        case "source-archive": .disk(upTo: 256 << 20)
        case "metadata": .memory(upTo: 64 << 10)
        default: .skip
        }
    }
    var decoder = FormDataDecoder()
    decoder.keyEncoding = .convertToKebabCase
    return try decoder.decode(ReceivedRelease.self, from: form)
}

/// The release of a package, as SwiftPM publishes it and as the example registry receives it.
@Suite struct PackageRegistryPorts {
    private let directory: TemporaryDirectory
    private let release: PackageRelease

    init() throws {
        directory = try TemporaryDirectory()
        release = PackageRelease(
            archive: try directory.write(Data("PK\r\n--".utf8), as: "LinkedList-1.1.1.zip"),
            archiveSignature: Data("CMS 1".utf8),
            metadata: try directory.write(Data(#"{"description":"a=3D"}"#.utf8), as: "metadata.json"),
            metadataSignature: Data("CMS 2".utf8)
        )
    }

    @Test func `a signed release has its four parts in order, without file names`() throws {
        let form = try release.form()
        // Strict mode refuses the type of the signatures without a file name.
        #expect(
            try form.received(.lenient) == [
                "source-archive; application/zip = PK\r\n--",
                "source-archive-signature; application/octet-stream = CMS 1",
                #"metadata; application/json = {"description":"a=3D"}"#,
                "metadata-signature; application/octet-stream = CMS 2",
            ]
        )
        #expect(form.allSatisfy { $0.filename == nil })
    }

    @Test func `an unsigned release without metadata is its archive`() throws {
        let form = try PackageRelease(archive: release.archive).form()
        #expect(try form.received() == ["source-archive; application/zip = PK\r\n--"])
    }

    @Test func `an archive that is gone is an error with its path`() throws {
        let missing = directory.url.appendingPathComponent("none.zip")
        let error = #expect(throws: MultipartError.self) { try PackageRelease(archive: missing).form() }
        #expect(error?.code == .bodyPartFileNotReachable || error?.code == .bodyPartFileNotReachableWithError)
        #expect(error?.path == missing.path)
    }

    @Test func `the registry keeps the archive and the metadata, however the body is cut`() async throws {
        let form = try release.form()
        for size in [1, 7, 64, 4096] {
            let chunks = ChunkSource(ChunkSplitter.pieces(of: try form.encode(), size: size))
            let received = try await receiveRelease(chunks, contentType: form.contentType)
            #expect(received.metadata?.value == ReleaseMetadata(description: "a=3D"), "chunks of \(size)")
            let saved = directory.url.appendingPathComponent("\(size).zip")
            try await received.sourceArchive.save(to: saved)
            #expect(try Data(contentsOf: saved) == Data("PK\r\n--".utf8), "chunks of \(size)")
        }
    }

    @Test func `the registry refuses a body that breaks off, metadata that is too long, and no archive`() async throws {
        func refusal(_ form: MultipartFormData, length: Int? = nil) async throws -> (any Error)? {
            let body = try form.encode()
            let chunks = ChunkSource(ChunkSplitter.pieces(of: body.prefix(length ?? body.count), size: 100))
            return await #expect(throws: (any Error).self) {
                try await receiveRelease(chunks, contentType: form.contentType)
            }
        }
        let brokenOff = try await refusal(release.form(), length: 200) as? MultipartError
        #expect(brokenOff?.code == .unexpectedEnd && brokenOff?.httpStatus == 400)

        var long = try PackageRelease(archive: release.archive).form()
        long.append(Data(count: 65537), withName: "metadata", mimeType: "application/json")
        let tooLong = try await refusal(long) as? MultipartError
        #expect(tooLong?.partName == "metadata" && tooLong?.httpStatus == 413)

        var empty = MultipartFormData()
        empty.append("{}", withName: "metadata", mimeType: "application/json")
        let cause = try await refusal(empty).flatMap { MultipartError($0) }
        #expect(cause?.code == .missingValue && cause?.httpStatus == 400)
    }
}
