import Foundation
import MultipartFormCodec
import TestSupport
import Testing

private enum InputFile: FormPartEncodable, FormPartOnly {
    case id(String)
    case link(URL)
    case upload(FormFile)

    func formPart(named name: String) -> BodyPart {
        switch self {
        case .id(let id): BodyPart(id, name: name)
        case .link(let link): BodyPart(link.absoluteString, name: name)
        case .upload(let file): file.formPart(named: name)
        }
    }
}

private struct Keyboard: Codable, Equatable {
    struct Button: Codable, Equatable {
        var text: String
        var callbackData: String
    }

    var inlineKeyboard: [[Button]]
}

private struct Entity: Codable, Equatable {
    var type: String
    var offset: Int
    var length: Int
}

private struct SendPhoto: Encodable {
    var chatId: Int64
    var photo: InputFile
    var caption: String?
    var captionEntities: [Entity]?
    var hasSpoiler: Bool?
    var replyMarkup: Keyboard?
}

private func form(of parameters: some Encodable) throws -> MultipartFormData {
    var encoder = FormDataEncoder()
    encoder.keyEncoding = .convertToSnakeCase
    encoder.keyPathEncoding = .json
    encoder.configureJSON = { $0.keyEncodingStrategy = .convertToSnakeCase }
    return try encoder.encode(parameters)
}

/// The parameters of a method of Telegram's bots, as nerzh/swift-telegram-bot sends them.
@Suite struct TelegramPort {
    @Test func `a photo is uploaded, and what has keys or elements is JSON`() throws {
        let photo = FormFile(Data("JFIF".utf8), filename: "a \"b\".jpg", contentType: "image/jpeg")
        let keyboard = Keyboard(inlineKeyboard: [[.init(text: "Yes", callbackData: "y")], []])
        let entities = [Entity(type: "bold", offset: 0, length: 2)]
        let message = SendPhoto(
            chatId: -1_001_234_567_890,
            photo: .upload(photo),
            caption: "Hi 👋",
            captionEntities: entities,
            hasSpoiler: true,
            replyMarkup: keyboard
        )
        let form = try form(of: message)
        #expect(
            form.map(\.name) == [
                "chat_id", "photo", "caption", "caption_entities", "has_spoiler", "reply_markup",
            ]
        )
        let lines = try form.received()
        #expect(lines[0] == "chat_id = -1001234567890")
        #expect(lines[1] == "photo; a %22b%22.jpg; image/jpeg = JFIF")
        #expect(lines[2] == "caption = Hi 👋")
        #expect(lines[4] == "has_spoiler = true")

        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let markup = try #require(form["reply_markup"])
        #expect(markup.contentType == nil && markup.filename == nil)
        #expect(try markup.text().contains("\"inline_keyboard\""))
        #expect(try decoder.decode(Keyboard.self, from: markup.data()) == keyboard)
        #expect(try decoder.decode([Entity].self, from: #require(form["caption_entities"]).data()) == entities)
    }

    @Test func `a photo that the service has, or fetches, is a field`() throws {
        let known = try form(of: SendPhoto(chatId: 7, photo: .id("AgAC")))
        #expect(try known.received() == ["chat_id = 7", "photo = AgAC"])
        let link = try #require(URL(string: "https://example.com/a.jpg"))
        let fetched = try form(of: SendPhoto(chatId: 7, photo: .link(link)))
        #expect(try fetched.received() == ["chat_id = 7", "photo = https://example.com/a.jpg"])
    }
}
