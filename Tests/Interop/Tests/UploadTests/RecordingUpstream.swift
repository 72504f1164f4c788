import Hummingbird
import MultipartFormCodec
import Synchronization

/// A server that counts how the messages it receives end.
final class RecordingUpstream: Sendable {
    private struct State {
        var begun = 0
        var wholeForms = 0
        var brokenBodies = 0
        var malformedForms = 0
        var bytesRead = 0
    }

    private let state = Mutex(State())

    /// The messages that were whole forms.
    var wholeForms: Int { state.withLock(\.wholeForms) }

    /// The requests that broke off before their bodies ended.
    var brokenBodies: Int { state.withLock(\.brokenBodies) }

    /// The bodies that ended but were not whole forms.
    var malformedForms: Int { state.withLock(\.malformedForms) }

    /// The bytes of the parts' bodies that have arrived.
    var bytesRead: Int { state.withLock(\.bytesRead) }

    /// Whether every message that began has ended.
    var isIdle: Bool { state.withLock { $0.begun == $0.wholeForms + $0.brokenBodies + $0.malformedForms } }

    /// A router with one route, `/upload`.
    func makeRouter() -> Router<BasicRequestContext> {
        let router = Router()
        router.post("upload") { request, _ in
            self.state.withLock { $0.begun += 1 }
            do {
                let chunks = request.body.map(\.readableBytesView)
                for try await part in try chunks.multipartParts(contentType: request.headers[.contentType]) {
                    for try await bytes in part.body { self.state.withLock { $0.bytesRead += bytes.count } }
                }
            } catch let error as MultipartError {
                self.state.withLock { $0.malformedForms += 1 }
                throw error
            } catch {
                self.state.withLock { $0.brokenBodies += 1 }
                throw error
            }
            self.state.withLock { $0.wholeForms += 1 }
            return HTTPResponse.Status.ok
        }
        return router
    }
}
