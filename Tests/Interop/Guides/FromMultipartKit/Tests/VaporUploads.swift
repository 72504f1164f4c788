import MultipartFormCodec
import Vapor

import struct MultipartFormCodec.FormDataDecoder
import struct MultipartFormCodec.MultipartError
import struct MultipartFormCodec.MultipartFormData

/// Answers a refused form with the status of its error.
struct FormErrors: AsyncMiddleware {
    func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response {
        do {
            return try await next.respond(to: request)
        } catch {
            guard let refusal = MultipartError(error) else { throw error }
            request.logger.log(level: refusal.httpStatus < 500 ? .notice : .error, "form refused: \(refusal)")
            throw Abort(.init(statusCode: refusal.httpStatus), reason: refusal.clientMessage ?? "upload failed")
        }
    }
}

struct VideoForm: Decodable {
    var caption: String
    var video: FormFile
}

func addVideoRoute(to app: Application, directory: URL, maxVideoBytes: Int = 2 << 30) {
    // Room for the caption and the header fields.
    let maxBodyBytes = maxVideoBytes + (64 << 10)
    var options = MultipartCollector.Options(temporaryDirectory: directory)
    options.parser.maxTotalBytes = maxBodyBytes

    let forms = app.grouped(FormErrors())

    forms.on(.POST, "videos", body: .stream) { [options] request async throws -> Response in
        // Before more of the body is read.
        if let length = request.headers.first(name: .contentLength).flatMap({ Int($0) }), length > maxBodyBytes {
            throw Abort(.payloadTooLarge, reason: "a form may have \(maxBodyBytes) bytes")
        }
        let form = try await MultipartFormData(
            collecting: request.body.map(\.readableBytesView),
            contentType: request.headers.first(name: .contentType),
            options: options
        ) { headers in
            switch headers.name {
            case "caption": .memory(upTo: 1000)
            case "video": .disk(upTo: maxVideoBytes)
            default: .reject
            }
        }
        let upload = try FormDataDecoder().decode(VideoForm.self, from: form)
        guard upload.video.length != 0 else { throw Abort(.unprocessableEntity, reason: "the video is empty") }
        // The name is the server's own: the client's may be anything.
        let id = UUID().uuidString
        try await upload.video.save(to: directory.appendingPathComponent(id))
        return Response(status: .created, body: .init(string: id))
    }
}

/// The route of `ReceivingInVapor.md`, and others.
struct VaporUploads {
    let directory: URL

    /// Adds all routes.
    func add(to app: Application) {
        addVideoRoute(to: app, directory: directory, maxVideoBytes: 4 << 20)
        addSizeRoute(to: app)
        addOrderRoute(to: app)
    }

    /// Adds a route that reads parts as they arrive.
    private func addSizeRoute(to app: Application) {
        let forms = app.grouped(FormErrors())

        forms.on(.POST, "sizes", body: .stream) { request async throws -> [String: Int] in
            let chunks = request.body.map(\.readableBytesView)
            let contentType = request.headers.first(name: .contentType)
            var sizes: [String: Int] = [:]
            for try await part in try chunks.multipartParts(contentType: contentType) {
                for try await bytes in part.body { sizes[part.name ?? "", default: 0] += bytes.count }
            }
            return sizes
        }
    }

    /// Adds a route that decodes a value.
    private func addOrderRoute(to app: Application) {
        let forms = app.grouped(FormErrors())

        forms.on(.POST, "orders", body: .stream) { request async throws -> String in
            let form = try await MultipartFormData(
                collecting: request.body.map(\.readableBytesView),
                contentType: request.headers.first(name: .contentType)
            )
            let order = try FormDataDecoder().decode(Order.self, from: form)
            return order.items.map { "\($0.quantity) \($0.article)" }.joined(separator: ", ")
        }
    }
}

/// An order with a list of items.
private struct Order: Decodable {
    struct Item: Decodable {
        var article: String
        var quantity: Int
    }

    var items: [Item]
}
