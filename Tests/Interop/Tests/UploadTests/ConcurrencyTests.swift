import Foundation
import Loopback
import Testing

extension UploadTests {
    @Suite struct ConcurrencyTests {
        @Test(arguments: [ClientKind.asyncHTTPClient, .urlSession, .nio], [ServerKind.hummingbird, .flyingFox])
        func `64 uploads at once arrive whole`(_ client: ClientKind, _ server: ServerKind) async throws {
            try await TemporaryDirectory.with { workspace in
                try await withServer(server, directory: workspace.url) { url in
                    try await client.withClient(connections: 64, directory: workspace.url) { client in
                        let url = url.appendingPathComponent("upload")
                        let equal = try await uploadAtOnce(64, length: 200_000, with: client, to: url)
                        #expect(equal == 64)
                    }
                }
            }
        }
    }
}
