import MultipartFormCodec

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a server does with forms: parts as they arrive, forms that are kept, values, and chunks that are sent on.
@main
enum Server {
    struct Profile: Codable, Equatable {
        var name: String
        var born: Date
        var tags: [String]
    }

    struct WrongResult: Error {}

    static func main() async throws {
        let profile = Profile(name: "Ada", born: Date(timeIntervalSince1970: 0), tags: ["a", "b"])
        var form = try FormDataEncoder().encode(profile)
        let photo = Data(repeating: 7, count: 200_000)
        form.append(photo, withName: "photo", fileName: "photo.png", mimeType: "image/png")

        // Chunks out, and parts as they arrive.
        var lengths: [String: Int] = [:]
        for try await part in try form.chunks(ofSize: 10_000).multipartParts(contentType: form.contentType) {
            for try await bytes in part.body { lengths[part.name ?? "", default: 0] += bytes.count }
        }
        try check(lengths["photo"] == photo.count)

        // A form that is kept, with its file on disk.
        let collected = try await MultipartFormData(
            collecting: form.chunks(),
            contentType: form.contentType
        ) { headers in
            headers.filename == nil ? .memory(upTo: 1000) : .disk(upTo: 1 << 20)
        }
        try check(collected["photo"]?.fileURL != nil && collected["photo"]?.data() == photo)

        // A value.
        var decoder = FormDataDecoder()
        decoder.unknownNames = .ignore
        try check(decoder.decode(Profile.self, from: collected) == profile)

        // An error, made for a test.
        try check(MultipartError(.missingValue, partName: "d").clientMessage == "missing-value \"d\"")

        // A form sent on, to memory and to a file.
        let whole = try form.encode()
        let isEqual = try await form.withEncodedForm(inMemoryUpTo: 0) { encoded in
            guard case .file(let url) = encoded else { return false }
            return try Data(contentsOf: url) == whole
        }
        try check(isEqual)
        print("\(whole.count) bytes")
    }

    static func check(_ isRight: Bool) throws {
        guard isRight else { throw WrongResult() }
    }
}
