import Foundation
import MultipartFormCodec

/// The fields of the form.
struct VideoUpload: Decodable {
    var caption: String
    var video: FormFile
}

/// Why an upload is not stored.
struct Refusal: Error {
    /// The status of the answer.
    var status: Int
    /// For the client if the status is below 500, else for the log.
    var reason: String

    init(_ status: Int, _ reason: String) {
        (self.status, self.reason) = (status, reason)
    }

    init(_ error: any Error) {
        if let refusal = error as? Refusal {
            self = refusal
        } else {
            let cause = MultipartError(error)
            self.init(cause?.httpStatus ?? 500, cause?.clientMessage ?? "\(error)")
        }
    }
}

/// Stores the video of a form under a name of its own, and returns the name; leaves nothing if it throws.
func storeVideo<Body: AsyncSequence>(
    _ body: Body,
    contentType: String?,
    contentLength: String?,
    in directory: URL,
    maxVideoBytes: Int = 2 << 30
) async throws -> String where Body.Element: Collection<UInt8> {
    // Room for the caption and the header fields.
    let maxBodyBytes = maxVideoBytes + (64 << 10)
    // Before a byte of the body is read.
    if let length = contentLength.flatMap({ Int($0) }), length > maxBodyBytes {
        throw Refusal(413, "a form may have \(maxBodyBytes) bytes")
    }
    var options = MultipartCollector.Options(temporaryDirectory: directory)
    options.parser.maxTotalBytes = maxBodyBytes
    let form = try await MultipartFormData(collecting: body, contentType: contentType, options: options) { headers in
        switch headers.name {
        case "caption": .memory(upTo: 1000)
        case "video": .disk(upTo: maxVideoBytes)
        default: .reject
        }
    }
    let upload = try FormDataDecoder().decode(VideoUpload.self, from: form)
    guard upload.video.length != 0 else { throw Refusal(422, "the video is empty") }
    let id = UUID().uuidString
    try await upload.video.save(to: directory.appendingPathComponent(id))
    return id
}
