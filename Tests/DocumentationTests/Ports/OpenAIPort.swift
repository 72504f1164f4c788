import Foundation
import MultipartFormCodec
import Testing

private enum ResponseFormat: String, Encodable {
    case json, text, srt, vtt
    case verboseJSON = "verbose_json"
}

private struct TranscriptionQuery: Encodable {
    var file: FormFile
    var model: String
    var prompt: String?
    var temperature: Double?
    var language: String?
    var responseFormat: ResponseFormat?
    var stream = false
    var timestampGranularities: [String] = []
    var include: [String] = []
}

private struct TranslationQuery: Encodable {
    var file: FormFile
    var model: String
    var prompt: String?
    var responseFormat: ResponseFormat?
    var temperature: Double?
}

private func form(of query: some Encodable) throws -> MultipartFormData {
    var encoder = FormDataEncoder()
    encoder.keyEncoding = .convertToSnakeCase
    return try encoder.encode(query)
}

/// The queries of MacPaw's OpenAI client that have a file.
@Suite struct OpenAIPort {
    private static let speech = FormFile(Data("ID3".utf8), filename: "speech.mp3", contentType: "audio/mpeg")

    @Test func `a transcription has the fields that are set, and lists with brackets`() throws {
        var query = TranscriptionQuery(file: Self.speech, model: "whisper-1")
        #expect(
            try form(of: query).received() == [
                "file; speech.mp3; audio/mpeg = ID3", "model = whisper-1", "stream = false",
            ]
        )
        query.prompt = "Ada, \"Countess\"\r\n--x"
        query.temperature = 0.2
        query.language = "en"
        query.responseFormat = .verboseJSON
        query.timestampGranularities = ["word", "segment"]
        query.include = ["logprobs"]
        #expect(
            try form(of: query).received() == [
                "file; speech.mp3; audio/mpeg = ID3", "model = whisper-1", "prompt = Ada, \"Countess\"\r\n--x",
                "temperature = 0.2", "language = en", "response_format = verbose_json", "stream = false",
                "timestamp_granularities[] = word", "timestamp_granularities[] = segment", "include[] = logprobs",
            ]
        )
    }

    @Test func `a translation asks for its format by the name of the service`() throws {
        let query = TranslationQuery(file: Self.speech, model: "whisper-1", responseFormat: .verboseJSON)
        #expect(
            try form(of: query).received() == [
                "file; speech.mp3; audio/mpeg = ID3", "model = whisper-1", "response_format = verbose_json",
            ]
        )
    }

    @Test func `a recording that is gone is an error before anything is sent`() throws {
        let missing = URL(fileURLWithPath: "/nonexistent/speech.mp3")
        let error = #expect(throws: MultipartError.self) {
            try form(of: TranscriptionQuery(file: FormFile(contentsOf: missing), model: "whisper-1"))
        }
        #expect(error?.path == missing.path)
    }
}
