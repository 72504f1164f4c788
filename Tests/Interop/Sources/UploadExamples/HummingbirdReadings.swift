package import Foundation
package import Hummingbird
import MultipartFormCodec
import NIOFoundationCompat
import NIOPosix

/// A Hummingbird router whose routes read a form in different ways and do nothing else with it, to compare their cost.
///
/// All routes answer with the number of bytes that they have seen: the first three of the whole message, the others of
/// the parts' content, together with the number of parts and that of the bytes in their names.
///
/// - Parameter directory: The directory for files, which are removed before the answer or with the form.
/// - Returns: A router with six routes. `/drained`, `/buffered` and `/saved` do not parse: they drop the body, keep it
///   in memory, or write it to a file. `/parts` reads each part as it arrives, `/collected` keeps the form with the
///   default options, and `/collected-in-memory` keeps it in memory.
package func makeReadingRouter(directory: URL) -> Router<BasicRequestContext> {
    let router = Router()

    router.post("drained") { request, _ in
        var count = 0
        for try await chunk in request.body { count += chunk.readableBytes }
        return "{\"bytes\":\(count)}"
    }

    router.post("buffered") { request, _ in
        let body = try await request.body.collect(upTo: 64 << 20)
        return "{\"bytes\":\(body.readableBytes)}"
    }

    router.post("saved") { request, _ in
        let url = directory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let file = try FileHandle(forWritingTo: url)
        var count = 0
        for try await chunk in request.body {
            // Files may block, as the library assumes, too.
            try await NIOThreadPool.singleton.runIfActive { try file.write(contentsOf: chunk.readableBytesView) }
            count += chunk.readableBytes
        }
        try file.close()
        return "{\"bytes\":\(count)}"
    }

    router.post("parts") { request, _ in
        let chunks = request.body.map(\.readableBytesView)
        var tally = FormTally()
        for try await part in try chunks.multipartParts(contentType: request.headers[.contentType]) {
            tally.add(part.name)
            for try await bytes in part.body { tally.content += bytes.count }
        }
        return tally.text
    }

    router.post("collected") { request, _ in
        let form = try await MultipartFormData(
            collecting: request.body.map(\.readableBytesView),
            contentType: request.headers[.contentType],
            options: MultipartCollector.Options(temporaryDirectory: directory)
        )
        return FormTally(form).text
    }

    router.post("collected-in-memory") { request, _ in
        let form = try await MultipartFormData(
            collecting: request.body.map(\.readableBytesView),
            contentType: request.headers[.contentType],
            options: MultipartCollector.Options(maxMemoryBytes: 64 << 20, diskThreshold: 64 << 20)
        )
        return FormTally(form).text
    }

    return router
}

/// What a route has read of a form.
private struct FormTally {
    /// The number of parts.
    var parts = 0
    /// The number of bytes in their names.
    var names = 0
    /// The number of bytes in their content.
    var content = 0

    /// The numbers as JSON, without the cost of an encoder.
    var text: String { "{\"parts\":\(parts),\"names\":\(names),\"bytes\":\(content)}" }

    init() {}

    init(_ form: MultipartFormData) {
        for part in form {
            add(part.name)
            content += Int(part.length ?? 0)
        }
    }

    /// Counts a part.
    mutating func add(_ name: String?) {
        parts += 1
        names += name?.utf8.count ?? 0
    }
}
