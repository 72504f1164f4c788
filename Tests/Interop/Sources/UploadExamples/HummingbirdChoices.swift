package import Hummingbird
import MultipartFormCodec

private struct Choice: Decodable {
    enum Board: String, Decodable {
        case none
        case half
        case full
    }

    var board: Board
}

/// A Hummingbird router for a form with an enumeration, for which a client may send any value.
///
/// - Returns: A router with two routes that answer with the choice. `/choices` collects the form; `/choices/decoded` has a
///   ``FormRequestDecoder`` whose route rejects every other part.
package func makeChoiceRouter() -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: FormErrors())

    router.post("choices") { request, _ in
        let form = try await MultipartFormData(
            collecting: request.body.map(\.readableBytesView),
            contentType: request.headers[.contentType]
        )
        return try FormDataDecoder().decode(Choice.self, from: form).board.rawValue
    }

    var choices = FormRequestDecoder()
    choices.route = { headers in headers.name == "board" ? .memory(upTo: 100) : .reject }
    router.post("choices/decoded") { [choices] request, context in
        try await choices.decode(Choice.self, from: request, context: context).board.rawValue
    }

    return router
}
