import Foundation
import Hummingbird
import Loopback
import MultipartFormCodec
import Testing
import UploadExamples

extension UploadTests {
    /// Values that a client encodes to a form and a server decodes.
    @Suite struct OrderTests {
        static let limit = 1 << 20

        /// Long enough to be kept on disk, with bytes that look like delimiters.
        static let drawing = FormFile(
            Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) }) + Data("\r\n--\r\n".utf8),
            filename: "größe.png",
            contentType: "image/png"
        )
        static let photo = FormFile(Data([0, 13, 10, 255]), filename: "a b.jpg", contentType: "image/jpeg")
        static let order = Order(
            customer: "Ada — 漢字\r\n",
            isUrgent: true,
            items: [Order.Item(article: "bolt", quantity: 12), Order.Item(article: "nut [6]", quantity: -1)],
            drawing: drawing
        )

        @Test(arguments: [false, true])
        func `an order arrives as it was encoded`(_ hasPhoto: Bool) async throws {
            try await withOrders { client in
                var order = Self.order
                if hasPhoto { order.photo = Self.photo }
                let receipt = try await client.upload(order)
                #expect(try receipt == Self.receipt(for: order))
                #expect((receipt.photo != nil) == hasPhoto)
            }
        }

        @Test func `a file that is sent from disk arrives`() async throws {
            try await TemporaryDirectory.with { workspace in
                let file = try workspace.write(Self.drawing.data(), as: "drawing.png")
                try await withOrders { client in
                    var order = Self.order
                    order.drawing = try FormFile(contentsOf: file)
                    let receipt = try await client.upload(order)
                    #expect(try receipt == Self.receipt(for: order))
                }
            }
        }

        @Test func `an order without items has none`() async throws {
            try await withOrders { client in
                var order = Self.order
                order.items = []
                let receipt = try await client.upload(order)
                #expect(receipt.items.isEmpty)
            }
        }

        @Test func `a file input without a file is no photo`() async throws {
            try await withOrders { client in
                var form = try FormDataEncoder().encode(Self.order)
                form.append(Data(), withName: "photo", fileName: "", mimeType: "application/octet-stream")
                #expect(try await client.post(form) == OrderClient.Answer(status: 200))
            }
        }

        /// A form without a good order, and why.
        struct Wrong: CustomTestStringConvertible {
            let name: String
            let value: String?
            let message: String

            var testDescription: String { message }

            static let all = [
                Wrong(name: "items[0][quantity]", value: "a dozen", message: "invalid-value \"items[0][quantity]\""),
                Wrong(name: "items[1][quantity]", value: "", message: "empty-value \"items[1][quantity]\""),
                Wrong(name: "items[1][quantity]", value: nil, message: "missing-value \"items[1][quantity]\""),
                Wrong(name: "items[1][article][x]", value: "bolt", message: "expected-value \"items[1][article]\""),
                Wrong(name: "items[3][article]", value: "bolt", message: "sparse-array \"items\""),
                Wrong(name: "customer", value: nil, message: "missing-value \"customer\""),
                Wrong(name: "isUrgent", value: "perhaps", message: "invalid-value \"isUrgent\""),
                Wrong(name: "drawing", value: nil, message: "missing-value \"drawing\""),
                Wrong(name: "photo", value: "not a file", message: "expected-file \"photo\""),
            ]

            /// The form of the order, with one part changed, added or left out.
            func makeForm() throws -> MultipartFormData {
                var form = MultipartFormData()
                for part in try FormDataEncoder().encode(order) where part.name != name { form.append(part) }
                if let value { form.append(value, withName: name) }
                return form
            }
        }

        @Test(arguments: Wrong.all)
        func `a wrong value is refused with its name`(_ wrong: Wrong) async throws {
            try await withOrders { client in
                let answer = try await client.post(wrong.makeForm())
                #expect(answer == OrderClient.Answer(status: 400, message: wrong.message))
            }
        }

        @Test func `a body of the greatest length is read, and a longer one refused for its size`() async throws {
            try await withOrders { client in
                var order = Self.order
                order.photo = FormFile(Data(), filename: "p")
                let length = try #require(try FormDataEncoder().encode(order).encodedLength)
                let rest = Self.limit - Int(length)
                for (count, status) in [(rest, UInt(200)), (rest + 1, 413)] {
                    order.photo = FormFile(Data(count: count), filename: "p")
                    let form = try FormDataEncoder().encode(order)
                    #expect(form.encodedLength == UInt64(Self.limit + count - rest))
                    #expect(try await client.post(form).status == status)
                }
            }
        }

        @Test(arguments: RefusalTests.Case.all.filter { $0.status != "200" })
        func `a bad message is refused with the status of its cause`(_ refused: RefusalTests.Case) async throws {
            try await TemporaryDirectory.with { workspace in
                let received = try workspace.makeDirectory("received")
                try await withServer(makeOrderRouter(directory: received, upTo: Self.limit)) { server in
                    let url = server.appendingPathComponent("orders")
                    let status = try await RefusalTests.send(refused.body, as: refused.type, to: url, workspace)
                    #expect(status == refused.status)
                }
            }
        }

        @Test func `a long file is on disk for as long as the order`() async throws {
            try await TemporaryDirectory.with { workspace in
                let received = try workspace.makeDirectory("received")
                var decoder = FormRequestDecoder()
                decoder.options.temporaryDirectory = received
                let count = Counter()
                let router = Router()
                router.post("orders") { [decoder] request, context in
                    let order = try await decoder.decode(Order.self, from: request, context: context)
                    count.set(UInt64(try FileManager.default.contentsOfDirectory(atPath: received.path).count))
                    return try OrderReceipt(order)
                }
                try await withServer(router) { server in
                    try await OrderClient.with(server.appendingPathComponent("orders")) { client in
                        let receipt = try await client.upload(Self.order)
                        #expect(try receipt == Self.receipt(for: Self.order))
                        #expect(count.value == 1)
                        let left = Leftovers(directory: received)
                        #expect(await eventually(within: .seconds(2)) { left.files.isEmpty })
                    }
                }
            }
        }

        /// Loses its file before it reads it.
        private struct LostFile: Decodable {
            private enum CodingKeys: CodingKey { case drawing }

            static let directory = CodingUserInfoKey(rawValue: "directory")

            init(from decoder: any Decoder) throws {
                let directory = try #require(Self.directory.flatMap { decoder.userInfo[$0] } as? URL)
                let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
                for file in files { try FileManager.default.removeItem(at: file) }
                _ = try decoder.container(keyedBy: CodingKeys.self).decode(Data.self, forKey: .drawing)
            }
        }

        @Test func `a file that cannot be read is the server's fault`() async throws {
            try await TemporaryDirectory.with { workspace in
                let received = try workspace.makeDirectory("received")
                var decoder = FormRequestDecoder()
                decoder.options.temporaryDirectory = received
                decoder.decoder.userInfo[try #require(LostFile.directory)] = received
                let router = makeOrderRouter(directory: received, upTo: Self.limit)
                router.post("lost") { [decoder] request, context in
                    _ = try await decoder.decode(LostFile.self, from: request, context: context)
                    return HTTPResponse.Status.ok
                }
                try await withServer(router) { server in
                    try await OrderClient.with(server.appendingPathComponent("lost")) { client in
                        let form = try FormDataEncoder().encode(Self.order)
                        #expect(
                            try await client.post(form) == OrderClient.Answer(status: 500, message: "upload failed")
                        )
                    }
                }
            }
        }

        @Test func `a context's decoder answers in the same way`() async throws {
            let router = Router(context: FormContext.self)
            router.post("orders") { request, context in
                try OrderReceipt(try await request.decode(as: Order.self, context: context))
            }
            try await withServer(router) { server in
                try await OrderClient.with(server.appendingPathComponent("orders")) { client in
                    let receipt = try await client.upload(Self.order)
                    #expect(try receipt == Self.receipt(for: Self.order))
                    for wrong in Wrong.all {
                        let answer = try await client.post(wrong.makeForm())
                        #expect(answer == OrderClient.Answer(status: 400, message: wrong.message))
                    }
                }
            }
        }

        private struct FormContext: RequestContext {
            var coreContext: CoreRequestContextStorage
            let requestDecoder = FormRequestDecoder()

            init(source: Source) {
                coreContext = CoreRequestContextStorage(source: source)
            }
        }

        /// What a server reads of an order.
        private static func receipt(for order: Order) throws -> OrderReceipt {
            var receipt = try OrderReceipt(order)
            receipt.drawing.name = "drawing"
            receipt.photo?.name = "photo"
            return receipt
        }

        /// Runs an operation with a client of the recipe's server; nothing may be left afterwards.
        private func withOrders(_ operation: (OrderClient) async throws -> Void) async throws {
            try await TemporaryDirectory.with { workspace in
                let received = try workspace.makeDirectory("received")
                try await withServer(makeOrderRouter(directory: received, upTo: Self.limit)) { server in
                    let url = server.appendingPathComponent("orders")
                    try await OrderClient.with(url) { client in
                        // Client and server open their lasting descriptors.
                        _ = try await client.upload(Self.order)
                        await Leftovers.settle()
                        let left = Leftovers(directory: received)
                        try await operation(client)
                        #expect(await left.areGone())
                    }
                }
            }
        }
    }
}
