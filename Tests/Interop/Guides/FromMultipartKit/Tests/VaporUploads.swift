import MultipartForm
import Vapor

import struct MultipartForm.FormDataDecoder
import struct MultipartForm.MultipartFormData

/// The routes of `ReceivingInVapor.md`.
struct VaporUploads {
    let directory: URL

    /// Adds the routes.
    func add(to app: Application) {
        addVideoRoute(to: app)
        addProfileRoute(to: app)
        addOrderRoute(to: app)
    }

    /// Adds a route that reads parts as they arrive.
    private func addVideoRoute(to app: Application) {
        let directory = directory

        app.on(.POST, "videos", body: .stream) { request async throws -> [String: String] in
            let chunks = request.body.map(\.readableBytesView)
            let contentType = request.headers.first(name: .contentType)
            var answer: [String: String] = [:]
            for try await part in try chunks.multipartParts(contentType: contentType) {
                switch part.name {
                case "title":
                    answer["title"] = try await part.text(upTo: 1 << 10)
                case "video":
                    let name = UUID().uuidString
                    try await part.save(to: directory.appendingPathComponent(name), upTo: 2 << 30)
                    answer["file"] = name
                default:
                    break  // Not read, so it is dropped.
                }
            }
            return answer
        }
    }

    /// Adds a route that collects the form.
    private func addProfileRoute(to app: Application) {
        let directory = directory

        app.on(.POST, "profiles", body: .stream) { request async throws -> HTTPStatus in
            let form = try await MultipartFormData(
                collecting: request.body.map(\.readableBytesView),
                contentType: request.headers.first(name: .contentType),
                options: MultipartCollector.Options(temporaryDirectory: directory)
            ) { headers in
                switch headers.name {
                case "avatar": .disk(upTo: 5 << 20)
                case "name", "bio": .memory(upTo: 4 << 10)
                default: .reject
                }
            }
            let avatar = directory.appendingPathComponent(UUID().uuidString)
            try await form["avatar"]?.save(to: avatar)
            return .created
        }
    }

    /// Adds a route that decodes a value.
    private func addOrderRoute(to app: Application) {
        app.on(.POST, "orders", body: .stream) { request async throws -> String in
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
