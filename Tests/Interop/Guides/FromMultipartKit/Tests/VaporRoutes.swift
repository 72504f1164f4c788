import MultipartFormCodec
import Vapor

import struct MultipartFormCodec.FormDataDecoder
import struct MultipartFormCodec.MultipartFormData

/// What a form of the examples has.
struct Profile: Content, Equatable {
    static let defaultContentType = HTTPMediaType.formData

    var name: String
    var tags: [String]
    var address: Address
    var avatar: File
}

struct Address: Codable, Equatable {
    var street: String
    var zip: String
}

/// The same form, with its file on disk.
struct Upload: Decodable {
    var name: String
    var avatar: FormFile
}

/// Routes that read forms.
struct VaporRoutes {
    let directory: URL

    /// Adds the coder for all routes.
    func configure() {
        ContentConfiguration.global.use(decoder: FormContentCoder(), for: .formData)
        ContentConfiguration.global.use(encoder: FormContentCoder(), for: .formData)
    }

    /// Adds the routes.
    func add(to app: Application) {
        let directory = directory

        app.on(.POST, "profile", body: .collect(maxSize: "10mb")) { req in
            try req.content.decode(Profile.self)
        }

        app.post("name") { req in
            try req.content.get(String.self, at: "address", "zip")
        }

        app.post("once") { req in
            try req.content.decode(Profile.self, using: FormContentCoder()).avatar.filename
        }

        app.on(.POST, "upload", body: .stream) { req in
            let form = try await MultipartFormData(
                collecting: req.body.map(\.readableBytesView),
                contentType: req.headers.first(name: .contentType)
            ) { headers in
                headers.filename == nil ? .accept : .disk(upTo: 1 << 30)
            }
            let upload = try FormDataDecoder().decode(Upload.self, from: form)
            try await upload.avatar.save(to: directory.appendingPathComponent(UUID().uuidString))
            return HTTPStatus.created
        }

        app.on(.POST, "video", body: .stream) { req in
            let chunks = req.body.map(\.readableBytesView)
            let contentType = req.headers.first(name: .contentType)
            for try await part in try chunks.multipartParts(contentType: contentType) {
                guard part.name == "avatar" else { continue }
                let file = directory.appendingPathComponent(UUID().uuidString)
                try await part.save(to: file, upTo: 2 << 30)
            }
            return HTTPStatus.created
        }
    }
}
