import Foundation
import MultipartFormCodec

@main
struct Send {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count > 1 else {
            print("usage: send PHOTO CAPTION")
            return
        }

        var form = MultipartFormData()
        form.append(arguments[1], withName: "caption")
        form.append(URL(fileURLWithPath: arguments[0]), withName: "photo")

        print(form.contentType)
        print("\(form.encodedLength ?? 0) bytes")
        for part in form { print(part) }
    }
}
