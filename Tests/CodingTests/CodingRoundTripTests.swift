import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// With mirrored options, a decoded value equals the encoded one.
@Suite struct CodingRoundTripTests {
    // `hostile coding` tries 10,000 of them.
    @Test func `random values survive in every style, in memory and on the wire`() throws {
        for seed in 0..<200 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let style = CodingStyle.random(seed, &generator)
            let sample = CodingSample.random(&generator, style)
            let form = try style.encoder.encode(sample)
            try #require(try style.decoder.decode(CodingSample.self, from: form) == sample, "seed \(seed): \(style)")
            let received = try form.received
            let decoded = try style.decoder.decode(CodingSample.self, from: received)
            try #require(decoded == sample, "seed \(seed): \(style)")
            let again = try style.encoder.encode(decoded).map(\.name)
            try #require(again == received.map(\.name), "seed \(seed): \(style)")
        }
    }

    @Test func `the parts of different names may come in any order`() throws {
        for seed in 0..<100 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var style = CodingStyle.random(seed, &generator)
            style.decoder.unknownNames = .reject
            let sample = CodingSample.random(&generator, style)
            let form = try style.encoder.encode(sample)
            var groups = Dictionary(grouping: form) { $0.name ?? "" }
            var shuffled = MultipartFormData()
            for name in form.map({ $0.name ?? "" }).shuffled(using: &generator) {
                guard var parts = groups[name], !parts.isEmpty else { continue }
                shuffled.append(parts.removeFirst())
                groups[name] = parts
            }
            try #require(
                try style.decoder.decode(CodingSample.self, from: shuffled) == sample,
                "seed \(seed): \(style)"
            )
        }
    }

    @Test func `what does not survive is as documented`() throws {
        struct Values: Codable, Equatable {
            var list: [Int]?
            var table: [String: Int]?
            var child: Opt?
            var required: [Int] = []
            var struct_: Opt = Opt()
        }
        let value = Values(list: [], table: [:], child: Opt())
        let decoded = try FormDataDecoder().decode(Values.self, from: FormDataEncoder().encode(value))
        #expect(decoded == Values())
    }

    @Test(arguments: EncoderTableTests.rows)
    func `a row's parts have the same names in a received form`(row: EncoderTableTests.Row) throws {
        let parts = try row.encode()
        #expect(try MultipartFormData(receiving: parts).table.map(\.name) == parts.map(\.name))
    }
}
