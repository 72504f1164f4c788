import Foundation
import MultipartFormCodec

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the server has read.
struct Photo: Decodable {
    var caption: String
    var file: String
    var bytes: Int
}

@main
struct Send {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let local = "http://127.0.0.1:8080/photos"
        let address = arguments.count > 2 ? arguments[2] : local
        guard arguments.count > 1, let url = URL(string: address) else {
            print("usage: send PHOTO CAPTION [ADDRESS]")
            return
        }

        var form = MultipartFormData()
        form.append(arguments[1], withName: "caption")
        form.append(URL(fileURLWithPath: arguments[0]), withName: "photo")

        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
        let (answer, response) = try await form.withEncodedForm(
            inMemoryUpTo: 1 << 20
        ) { encoded in
            switch encoded {
            case .data(let data):
                try await URLSession.shared.upload(for: request, from: data)
            case .file(let file):
                try await URLSession.shared.upload(for: request, fromFile: file)
            }
        }
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            print("refused:", String(decoding: answer, as: UTF8.self))
            exit(1)
        }
        let photo = try JSONDecoder().decode(Photo.self, from: answer)
        print("\(photo.caption): \(photo.bytes) bytes, kept as \(photo.file)")
    }
}
