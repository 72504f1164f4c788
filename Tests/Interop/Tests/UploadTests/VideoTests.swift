import Foundation
import HummingbirdTesting
import InMemoryLogging
import Logging
import Loopback
import MultipartFormCodec
import NIOCore
import Testing
import UploadExamples

extension UploadTests {
    /// The routes of the articles about servers: what they store, what they refuse, and what is then left on disk.
    @Suite struct VideoTests {
        static let limit = 100_000
        static let maxBodyBytes = limit + (64 << 10)
        static let video = Data((0..<limit).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) })
        static let caption = BodyPart("Lighthouse", name: "caption")

        static func file(_ content: Data = Data("film".utf8), name: String = "video") -> BodyPart {
            BodyPart(content, name: name, filename: "../film.mp4", contentType: "video/mp4")
        }

        /// A form that a route refuses.
        struct Mistake: CustomTestStringConvertible {
            let testDescription: String
            let parts: [BodyPart]
            let status: Int
            let reason: String

            init(_ description: String, _ parts: [BodyPart], _ status: Int, _ reason: String) {
                testDescription = description
                (self.parts, self.status, self.reason) = (parts, status, reason)
            }

            static let all = [
                Mistake("no video", [caption], 400, "missing-value \"video\""),
                Mistake("no caption", [file()], 400, "missing-value \"caption\""),
                Mistake("an empty file", [caption, file(Data())], 422, "the video is empty"),
                Mistake(
                    "a file input that was left empty",
                    [caption, BodyPart(Data(), name: "video", filename: "", contentType: "application/octet-stream")],
                    400,
                    "no-file \"video\""
                ),
                Mistake(
                    "a text field named video",
                    [caption, BodyPart("film.mp4", name: "video")],
                    400,
                    "expected-file \"video\""
                ),
                Mistake("two videos", [caption, file(), file()], 400, "duplicate-name \"video\""),
                Mistake(
                    "a photo under a wrong name",
                    [caption, file(), file(name: "photo")],
                    400,
                    "part-rejected \"photo\""
                ),
                Mistake(
                    "a caption that is too long, after the video",
                    [file(), BodyPart(String(repeating: "x", count: 1001), name: "caption")],
                    413,
                    "limit-part-bytes \"caption\" (limit 1000)"
                ),
                Mistake("two captions", [caption, caption, file()], 400, "duplicate-name \"caption\""),
                Mistake("a file named caption", [file(), file(name: "caption")], 400, "unexpected-file \"caption\""),
                Mistake(
                    "a video that is too long",
                    [caption, file(video + [0])],
                    413,
                    "limit-part-bytes \"video\" (limit \(limit))"
                ),
            ]
        }

        @Test(arguments: ServerKind.allCases, Mistake.all)
        func `a form with a mistake is refused with a reason, and nothing is left`(
            _ kind: ServerKind,
            _ mistake: Mistake
        ) async throws {
            try await withVideos(kind) { url, directory, log in
                let form = MultipartFormData(mistake.parts)
                let answer = try await RawRequest(try form.encode(), as: form.contentType).send(to: url)
                #expect(answer.status == mistake.status)
                // Hummingbird answers in JSON.
                #expect(answer.text.replacing("\\\"", with: "\"").contains(mistake.reason), "\(answer.text)")
                #expect(directory.contents.isEmpty)
                #expect(log.entries.allSatisfy { $0.level < .error })
            }
        }

        @Test(arguments: [
            ("text/plain", 1000, 415, "unsupported-media-type"),
            ("multipart/form-data", 1000, 400, "missing-boundary"),
            ("multipart/form-data; boundary=y", 1000, 400, "boundary-not-found"),
            ("multipart/form-data; boundary=y", 100_000, 400, "limit-preamble-bytes (limit 65536)"),
        ])
        func `a form with a wrong Content-Type is refused`(
            _ type: String,
            _ length: Int,
            _ status: Int,
            _ reason: String
        ) async throws {
            try await withVideos(.hummingbird) { url, directory, log in
                // A random boundary may begin with that of the field.
                var form = MultipartFormData(boundary: "b")
                for part in [Self.caption, Self.file(Data(count: length))] { form.append(part) }
                let answer = try await RawRequest(try form.encode(), as: type).send(to: url)
                #expect(answer.status == status)
                #expect(answer.text.contains(reason), "\(answer.text)")
                #expect(directory.contents.isEmpty)
                #expect(log.entries.allSatisfy { $0.level < .error })
            }
        }

        /// The members of the answer to a refused form.
        private struct RefusedForm: Decodable {
            var code: String
            var field: String?
            var message: String
        }

        @Test(arguments: Mistake.all.filter { $0.status != 422 })
        func `the answer of Hummingbird is JSON that names the field`(_ mistake: Mistake) async throws {
            try await withVideos(.hummingbird) { url, _, _ in
                let form = MultipartFormData(mistake.parts)
                let answer = try await RawRequest(try form.encode(), as: form.contentType).send(to: url)
                let refused = try JSONDecoder().decode(RefusedForm.self, from: Data(answer.text.utf8))
                #expect(refused.message == mistake.reason)
                #expect(mistake.reason.hasPrefix("\(refused.code) \"\(refused.field ?? "")\""))
            }
        }

        @Test func `curl stops sending a form that is refused`() async throws {
            try await withVideos(.hummingbird) { url, workspace, _ in
                var form = MultipartFormData([Self.caption])
                form.append(Self.file(Data(count: 64 << 20), name: "film"))
                let file = try workspace.makeDirectory("sent").appendingPathComponent("form")
                try await form.writeEncodedData(to: file)
                let output = try await runCurl([
                    "--no-fail", "-o", "/dev/null", "-w", "%{http_code} %{size_upload}", "-H",
                    "Content-Type: \(form.contentType)", "-H", "Transfer-Encoding: chunked", "-X", "POST", "-T",
                    file.path, url.absoluteString,
                ])
                let values = String(decoding: output, as: UTF8.self).split(separator: " ")
                #expect(values.first == "400")
                let sent = values.last.flatMap { Int($0) } ?? .max
                #expect(sent < 64 << 20, "\(values)")
            }
        }

        @Test func `the application closes a connection on which nothing arrives`() async throws {
            try await TemporaryDirectory.with { workspace in
                let application = videoServer(directory: workspace.url, idleTimeout: .seconds(1))
                try await application.test(.live) { client in
                    let port = try #require(client.port)
                    let url = try #require(URL(string: "http://127.0.0.1:\(port)/videos"))
                    let stalled = try await sendHalfAForm(to: url, named: "video")
                    #expect(await eventually(within: .seconds(10)) { !workspace.contents.isEmpty })
                    #expect(await eventually(within: .seconds(10)) { !stalled.isActive })
                    #expect(await eventually(within: .seconds(10)) { workspace.contents.isEmpty })
                }
            }
        }

        // FlyingFox reads such a body before it answers.
        @Test(arguments: [ServerKind.hummingbird, .nio])
        func `a declared length beyond the limit is refused before a byte is sent`(_ kind: ServerKind) async throws {
            try await withVideos(kind) { url, directory, _ in
                let type = "multipart/form-data; boundary=b"
                let request = RawRequest(Data(), as: type, declaring: Self.maxBodyBytes + 1)
                let answer = try await request.send(to: url)
                #expect(answer.status == 413)
                #expect(answer.text.contains("a form may have \(Self.maxBodyBytes) bytes"))
                #expect(directory.contents.isEmpty)
            }
        }

        @Test(arguments: ServerKind.allCases)
        func `a long part under an unknown name is refused when its header arrives`(_ kind: ServerKind) async throws {
            try await withVideos(kind) { url, directory, _ in
                var form = MultipartFormData([Self.caption])
                form.append(Self.file(Data(count: 3 * Self.maxBodyBytes), name: "film"))
                let beginning = try form.encode().prefix(1000)
                let answer = try await RawRequest(chunk: beginning, as: form.contentType, hasEnded: false).send(to: url)
                #expect(answer.status == 400)
                #expect(directory.contents.isEmpty)
            }
        }

        @Test(arguments: ServerKind.allCases)
        func `a body of unknown length is refused at the limit`(_ kind: ServerKind) async throws {
            try await withVideos(kind) { url, directory, _ in
                // The parts are within their limits, but not the sum of them.
                let form = MultipartFormData([Self.file(Self.video), Self.file(Self.video)])
                let beginning = try form.encode().prefix(Self.maxBodyBytes + 1)
                let answer = try await RawRequest(chunk: beginning, as: form.contentType, hasEnded: false).send(to: url)
                #expect(answer.status == 413)
                #expect(answer.text.contains("(limit \(Self.maxBodyBytes))"))
                #expect(directory.contents.isEmpty)
            }
        }

        @Test(arguments: ServerKind.allCases)
        func `a body that is cut off is refused, and nothing is left`(_ kind: ServerKind) async throws {
            try await withVideos(kind) { url, directory, _ in
                let form = MultipartFormData([Self.caption, Self.file(Self.video)])
                let answer = try await RawRequest(try form.encode().dropLast(5), as: form.contentType).send(to: url)
                #expect(answer.status == 400)
                #expect(answer.text.contains("unexpected-end"))
                #expect(directory.contents.isEmpty)
            }
        }

        @Test(arguments: ServerKind.allCases, [false, true])
        func `a client that goes away is no fault of the server, and nothing is left`(
            _ kind: ServerKind,
            _ isReset: Bool
        ) async throws {
            try await withVideos(kind) { url, directory, log in
                let client = try await sendHalfAForm(to: url, named: "video", repeating: Self.limit / 2)
                #expect(await eventually(within: .seconds(10)) { !directory.contents.isEmpty })
                if isReset {
                    try await (client as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
                }
                try await client.close()
                #expect(await eventually(within: .seconds(10)) { directory.contents.isEmpty })
                // Whoever logs it does so after the file is gone.
                try await Task.sleep(for: .milliseconds(200))
                #expect(log.entries.allSatisfy { $0.level < .error }, "\(log.entries.map(\.message))")
            }
        }

        @Test(arguments: ServerKind.allCases)
        func `a directory that is missing is the server's fault, and logged`(_ kind: ServerKind) async throws {
            try await withVideos(kind, in: "missing") { url, directory, log in
                let form = MultipartFormData([Self.caption, Self.file()])
                let answer = try await RawRequest(try form.encode(), as: form.contentType).send(to: url)
                #expect(answer.status == 500)
                let missing = directory.url.appendingPathComponent("missing").path
                let cause = "temporary file cannot be created: \(missing) (No such file or directory)"
                #expect(!answer.text.contains(cause))
                let errors = log.entries.filter { $0.level == .error }
                #expect(errors.count == 1)
                #expect(errors.allSatisfy { "\($0.message)".contains(cause) })
                #expect(directory.contents.isEmpty)
            }
        }

        @Test(arguments: ServerKind.allCases)
        func `a video at the limit is stored under a name of the server's own`(_ kind: ServerKind) async throws {
            try await withVideos(kind) { url, directory, log in
                let text = String(repeating: "x", count: 1000)
                let form = MultipartFormData([BodyPart(text, name: "caption"), Self.file(Self.video)])
                for isChunked in [false, true] {
                    let body = try form.encode()
                    let request =
                        isChunked
                        ? RawRequest(chunk: body, as: form.contentType, hasEnded: true)
                        : RawRequest(body, as: form.contentType)
                    let answer = try await request.send(to: url)
                    #expect(answer.status == 201)
                    let name = try #require(directory.contents.first)
                    #expect(directory.contents.count == 1)
                    #expect(UUID(uuidString: name) != nil)
                    #expect(answer.text.contains(name))
                    #expect(try directory.read(name) == Self.video)
                    try directory.clear()
                }
                #expect(log.entries.allSatisfy { $0.level < .error })
            }
        }

        /// Runs a server that stores videos in a new directory, or in one that does not exist.
        private func withVideos(
            _ kind: ServerKind,
            in folder: String = "",
            _ operation: (URL, TemporaryDirectory, InMemoryLogHandler) async throws -> Void
        ) async throws {
            try await TemporaryDirectory.with { workspace in
                let log = InMemoryLogHandler()
                let logger = Logger(label: "videos") { _ in log }
                let directory = folder.isEmpty ? workspace.url : workspace.url.appendingPathComponent(folder)
                try await withVideoServer(kind, storingIn: directory, upTo: Self.limit, logger: logger) { url in
                    try await operation(url, workspace, log)
                }
            }
        }
    }
}
