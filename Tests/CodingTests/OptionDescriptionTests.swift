import Foundation
import MultipartFormCodec
import Testing

@Suite struct OptionDescriptionTests {
    @Test func `an option prints as it is written`() throws {
        let encoder = FormDataEncoder()
        let decoder = FormDataDecoder()
        let utc = try #require(TimeZone(secondsFromGMT: 0))
        let rows: [(any CustomStringConvertible, String)] = [
            (encoder.arrayEncoding, ".brackets"), (encoder.boolEncoding, ".literal"), (encoder.dataEncoding, ".file"),
            (encoder.dateEncoding, ".iso8601"), (encoder.emptyArrayEncoding, ".dropKey"),
            (encoder.nilEncoding, ".dropKey"), (encoder.keyEncoding, ".useDefaultKeys"),
            (encoder.keyPathEncoding, ".brackets"), (FormKeyPathEncoding.json, ".json"),
            (FormKeyEncoding.convertToSnakeCase, ".convertToSnakeCase"), (FormKeyEncoding.custom { $0 }, ".custom"),
            (FormDataEncoder.ArrayEncoding.custom { "\($0)\($1)" }, ".custom"),
            (FormDataDecoder.DateDecoding.html(in: utc), ".html"), (decoder.dateDecoding, ".iso8601"),
            (decoder.duplicates, ".reject"), (decoder.nilDecoding, ".emptyValue"), (decoder.unknownNames, ".ignore"),
        ]
        for (option, text) in rows { #expect(option.description == text) }
    }

    @Test func `a mode and a route print in one short line`() {
        #expect("\(ParsingMode.strict) \(ParsingMode.lenient)" == "strict lenient")
        let routes: [MultipartCollector.Route] = [
            .accept, .memory(upTo: -1), .disk(upTo: 7), .skip, .reject,
        ]
        #expect(
            routes.map(\.description)
                == ["accept", "memory(upTo: 0)", "disk(upTo: 7)", "skip", "reject"]
        )
    }
}
