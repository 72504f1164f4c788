import Foundation
import Loopback
import MultipartFormCodec
import Testing
import UploadExamples

extension UploadTests {
    @Suite struct ClientTests {
        struct Pair: CustomTestStringConvertible {
            let client: ClientKind
            let server: ServerKind

            var testDescription: String { "\(client.rawValue) to \(server.rawValue)" }

            static let all = ClientKind.allCases.flatMap { client in
                ServerKind.allCases.map { Pair(client: client, server: $0) }
            }
        }

        @Test(arguments: Pair.all)
        func `every form arrives as it was made`(_ pair: Pair) async throws {
            try await TemporaryDirectory.with { workspace in
                try await withServer(pair.server, directory: workspace.url) { server in
                    try await pair.client.withClient(directory: workspace.url) { client in
                        for kind in ExampleForm.allCases {
                            let form = try kind.make(in: workspace)
                            let receipts = try await client.upload(form, to: server.appendingPathComponent("upload"))
                            let made = try form.map { try PartReceipt($0) }
                            #expect(receipts == made, "\(kind)")
                        }
                    }
                }
            }
        }

        @Test func `a form that curl makes arrives`() async throws {
            try await TemporaryDirectory.with { workspace in
                let bytes = Data(repeating: 10, count: 70_000)
                let file = try workspace.write(bytes, as: "größe.bin")
                var form = MultipartFormData()
                form.append("漢字", withName: "text 🏔")
                form.append(bytes, withName: "file", fileName: "größe.bin", mimeType: "application/octet-stream")
                for kind in ServerKind.allCases {
                    let body = try await withServer(kind, directory: workspace.url) { server in
                        try await runCurl([
                            "-F", "text 🏔=漢字", "-F", "file=@\(file.path)",
                            server.appendingPathComponent("upload").absoluteString,
                        ])
                    }
                    let receipts = try JSONDecoder().decode([PartReceipt].self, from: body)
                    let made = try form.map { try PartReceipt($0) }
                    #expect(receipts == made, "\(kind)")
                }
            }
        }

        @Test func `a collected form keeps its files on disk until it is answered`() async throws {
            try await TemporaryDirectory.with { workspace in
                let received = try workspace.makeDirectory("received")
                try await withServer(.hummingbird, directory: received) { server in
                    try await ClientKind.asyncHTTPClient.withClient(directory: workspace.url) { client in
                        let content = GeneratedContent(seed: 1, length: 5 << 20)
                        var form = MultipartFormData()
                        form.append("Ada", withName: "name")
                        form.append(
                            BodyPart(length: content.length, name: "file", filename: "f") { content.makeStream() }
                        )
                        let url = server.appendingPathComponent("collect")
                        let receipts = try await client.upload(form, to: url)
                        #expect(receipts.map(\.size) == [3, 5 << 20])
                        #expect(receipts.last?.sha256 == content.sha256)
                        let left = Leftovers(directory: received)
                        #expect(await left.areGone())
                    }
                }
            }
        }

        @Test(arguments: [ClientKind.asyncHTTPClient, .urlSession, .nio])
        func `an upload whose content fails throws the error of the content`(_ kind: ClientKind) async throws {
            try await TemporaryDirectory.with { workspace in
                try await withServer(.hummingbird, directory: workspace.url) { server in
                    try await kind.withClient(directory: workspace.url) { client in
                        var form = MultipartFormData()
                        form.append("before", withName: "field")
                        form.append(BodyPart(length: 10, name: "short") { InputStream(data: Data(count: 5)) })
                        let url = server.appendingPathComponent("upload")
                        let result = await Task { [form] in try await client.upload(form, to: url) }.result
                        let error = #expect(throws: MultipartError.self) { try result.get() }
                        #expect(error?.code == .bodyPartLengthMismatch)
                        #expect(error?.expectedLength == 10)
                        #expect(error?.actualLength == 5)
                        #expect(error?.partName == "short")
                    }
                }
            }
        }
    }
}
