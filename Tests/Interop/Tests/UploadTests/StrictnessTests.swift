import Foundation
import Hummingbird
import HummingbirdTesting
import Metrics
import MetricsTestKit
import MultipartFormCodec
import Testing
import UploadExamples

/// The router that `StrictMode.md` links to.
@Suite struct StrictnessTests {
    private static let metrics = {
        let metrics = TestMetrics()
        MetricsSystem.bootstrap(metrics)
        return metrics
    }()

    private func count(_ code: MultipartError.Code, by label: String = "upload_strict_errors") throws -> Int64 {
        try Self.metrics.expectCounter(label, [("code", "\(code)")]).totalValue
    }

    @Test func `what strict mode would refuse is counted by its code, and answered as before`() async throws {
        _ = Self.metrics
        let honest = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n"
        let quoted = honest.replacingOccurrences(of: "\"a\"", with: "\"a\\\"\"")
        let late = "\r\n" + honest
        let cut = String(honest.dropLast(8))
        try await Application(router: makeObservedRouter()).test(.router) { client in
            for (body, status) in [(honest, 200), (quoted, 200), (quoted, 200), (late, 200), (cut, 400)] {
                try await client.execute(
                    uri: "/forms",
                    method: .post,
                    headers: [.contentType: "multipart/form-data; boundary=b"],
                    body: ByteBuffer(string: body)
                ) { response in
                    #expect(response.status.code == status, "\(body)")
                }
            }
        }
        #expect(try count(MultipartError.Code("ambiguous-header")) == 2)
        #expect(try count(MultipartError.Code("preamble-not-allowed")) == 1)
        #expect(throws: (any Error).self) { try count(.unexpectedEnd) }
        #expect(try count(.unexpectedEnd, by: "upload_errors") == 1)
        let quote = MultipartError.Code("ambiguous-header")
        #expect(throws: (any Error).self) { try count(quote, by: "upload_errors") }
    }
}
