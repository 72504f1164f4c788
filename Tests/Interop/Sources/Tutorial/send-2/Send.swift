import Foundation
import MultipartFormCodec

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
        let (answer, _) = try await URLSession.shared.upload(
            for: request,
            from: form.encode()
        )
        print(String(decoding: answer, as: UTF8.self))
    }
}
