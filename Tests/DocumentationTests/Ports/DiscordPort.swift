import Foundation
import MultipartFormCodec
import Testing

private struct Attachment: Codable, Equatable {
    var id: String
    var description: String?
}

private struct Message: Codable, Equatable {
    var content: String?
    var attachments: [Attachment]?
}

private struct MessageUpload<Payload: Encodable>: Encodable {
    var payloadJSON: FormJSON<Payload>
    var files: [FormFile]
}

private func form(of payload: some Encodable, files: [FormFile]) throws -> MultipartFormData {
    var encoder = FormDataEncoder()
    encoder.keyEncoding = .convertToSnakeCase
    encoder.arrayEncoding = .indexInBrackets
    return try encoder.encode(MessageUpload(payloadJSON: FormJSON(payload), files: files))
}

/// The messages with files of DiscordBM.
@Suite struct DiscordPort {
    @Test func `a message is one part of JSON, and its files are numbered`() throws {
        let message = Message(
            content: "Two charts",
            attachments: [Attachment(id: "0", description: "\"May\""), Attachment(id: "1")]
        )
        let files = [
            FormFile(Data("PNG".utf8), filename: "may.png", contentType: "image/png"),
            FormFile(Data("a,b\r\n".utf8), filename: "may; \"raw\".csv", contentType: "text/csv"),
        ]
        let form = try form(of: message, files: files)
        #expect(
            try form.received().dropFirst() == [
                "files[0]; may.png; image/png = PNG", "files[1]; may; %22raw%22.csv; text/csv = a,b\r\n",
            ]
        )
        let received = try MultipartFormData(parsing: form.encode(), contentType: form.contentType)
        let payload = try #require(received.first)
        #expect(payload.name == "payload_json" && payload.contentType == "application/json")
        #expect(payload.filename == nil)
        #expect(try JSONDecoder().decode(Message.self, from: payload.data()) == message)
    }

    @Test func `each message has a boundary of its own`() throws {
        let forms = try (0..<2).map { _ in try form(of: Message(content: "x"), files: []) }
        #expect(forms[0].boundary != forms[1].boundary)
        #expect(
            try forms.map { try $0.received() }
                == Array(
                    repeating: [
                        #"payload_json; application/json = {"content":"x"}"#
                    ],
                    count: 2
                )
        )
    }
}
