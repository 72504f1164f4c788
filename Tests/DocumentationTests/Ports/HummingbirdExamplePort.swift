import Foundation
import MultipartFormCodec
import TestSupport
import Testing

private struct User: Decodable {
    var name: String
    var age: Int
    var profilePicture: FormFile
}

private func decode<Value: Decodable, Body: AsyncSequence & Sendable>(
    _ type: Value.Type,
    from body: Body,
    contentType: String?,
    maxUploadSize: Int
) async throws -> Value where Body.Element: Collection<UInt8> {
    let options = MultipartCollector.Options(parser: .init(maxTotalBytes: maxUploadSize))
    let form = try await MultipartFormData(collecting: body, contentType: contentType, options: options)
    return try FormDataDecoder().decode(type, from: form)
}

/// The form with a picture of Hummingbird's examples.
@Suite struct HummingbirdExamplePort {
    private static let contentType = "multipart/form-data; charset=utf-8; boundary=\"b\""

    private func message(age: String = "36", filename: String = "portrait.png") throws -> Data {
        var form = MultipartFormData(boundary: "b")
        form.append("Ada", withName: "name")
        form.append(age, withName: "age")
        form.append(Data("PNG".utf8), withName: "profilePicture", fileName: filename, mimeType: "image/png")
        return try form.encode()
    }

    private func user(from body: Data, chunkSize: Int = 10, contentType: String? = contentType) async throws -> User {
        let chunks = ChunkSource(ChunkSplitter.pieces(of: body, size: chunkSize).map(Array.init))
        return try await decode(User.self, from: chunks, contentType: contentType, maxUploadSize: 1000)
    }

    @Test func `a user is decoded however the body is cut`() async throws {
        for size in [1, 5, 64, 1000] {
            let user = try await user(from: message(), chunkSize: size)
            #expect(user.name == "Ada" && user.age == 36, "chunks of \(size)")
            #expect(user.profilePicture.filename == "portrait.png", "chunks of \(size)")
            #expect(user.profilePicture.contentType == "image/png", "chunks of \(size)")
            #expect(try user.profilePicture.data() == Data("PNG".utf8), "chunks of \(size)")
        }
    }

    @Test func `a picture may have a name that is not ASCII`() async throws {
        let user = try await user(from: message(filename: "../Porträt.png"))
        #expect(user.profilePicture.filename == "../Porträt.png")
        #expect(user.profilePicture.safeFilename == "Porträt.png")
    }

    @Test func `a broken upload is an error with its status`() async throws {
        let body = try message()
        let brokenOff = await #expect(throws: MultipartError.self) { try await user(from: body.dropLast(10)) }
        #expect(brokenOff?.code == .unexpectedEnd && brokenOff?.httpStatus == 400)
        let tooLong = await #expect(throws: MultipartError.self) { try await user(from: body + Data(count: 1000)) }
        #expect(tooLong?.code == .limitTotalBytes && tooLong?.httpStatus == 413)
        let noType = await #expect(throws: MultipartError.self) { try await user(from: body, contentType: nil) }
        #expect(noType?.httpStatus == 415)
        let noNumber = await #expect(throws: DecodingError.self) { try await user(from: message(age: "old")) }
        let cause = noNumber.flatMap { MultipartError($0) }
        #expect(cause?.partName == "age" && cause?.httpStatus == 400)
    }
}
