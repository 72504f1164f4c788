import Foundation
import MultipartFormCodec

struct Profile: Codable, Equatable {
    var name: String
    var photo: Photo
}

struct Photo: Codable, Equatable, FormPartEncodable, FormPartDecodable {
    var jpeg: Data

    init(_ jpeg: Data) { self.jpeg = jpeg }

    func formPart(named name: String) -> BodyPart {
        BodyPart(jpeg, name: name, filename: "photo.jpg", contentType: "image/jpeg")
    }

    init(formPart: BodyPart) throws { jpeg = try formPart.data() }
}

/// Sends and receives, in the caller's isolation or in its own.
actor Service {
    private(set) var received: [Profile] = []

    func receive(_ body: some AsyncSequence<Data, any Error>, contentType: String) async throws {
        let form = try await MultipartFormData(collecting: body, contentType: contentType) { headers in
            headers.filename == nil ? .memory(upTo: 1 << 10) : .disk(upTo: 1 << 20)
        }
        received.append(try FormDataDecoder().decode(Profile.self, from: form))
    }
}

@concurrent
func encoded(_ profile: Profile) async throws -> MultipartFormData {
    try FormDataEncoder().encode(profile)
}

struct WrongResult: Error {}

@main
struct Program {
    static func main() async throws {
        let profile = Profile(name: "Ada", photo: Photo(Data("jpeg".utf8)))
        let form = try await encoded(profile)
        let service = Service()
        try await service.receive(form.chunks(ofSize: 7), contentType: form.contentType)
        guard await service.received == [profile] else { throw WrongResult() }
        print("a module with approachable concurrency sends, receives and codes")
    }
}
