import Foundation
import MultipartFormCodec
import Testing

/// Integers of 128 bits, which only newer systems have.
@Suite struct WideIntegerTests {
    private let decoder = FormDataDecoder()

    private enum Key: String, CodingKey {
        case d
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private struct Wide: Codable, Equatable {
        var signed = Int128.min
        var unsigned = UInt128.max
        var optional: Int128? = 5
        var missing: UInt128?
        var list = [Int128.max, 0]
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private struct WideList: Codable, Equatable {
        var signed: Int128 = 7
        var unsigned: UInt128 = 8

        init() {}

        init(from decoder: any Decoder) throws {
            var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .d)
            signed = try list.decode(Int128.self)
            unsigned = try list.decode(UInt128.self)
            let absent = try list.decodeIfPresent(Int128.self)
            #expect(absent == nil)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var list = container.nestedUnkeyedContainer(forKey: .d)
            try list.encode(signed)
            try list.encode(unsigned)
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private struct WideValue: Codable, Equatable {
        var value: Int128 = -9

        init() {}

        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Int128.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func `integers of 128 bits are coded wherever the compiler knows the type`() throws {
        #expect(try decoder.decode(Wide.self, from: FormDataEncoder().encode(Wide())) == Wide())
        #expect(try decoder.decode(WideList.self, from: FormDataEncoder().encode(WideList())) == WideList())
        #expect(
            try decoder.decode(D<WideValue>.self, from: FormDataEncoder().encode(D(d: WideValue()))).d == WideValue()
        )
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func `integers of 128 bits are written and read up to their ends`() throws {
        let least = "-170141183460469231731687303715884105728"
        let greatest = "170141183460469231731687303715884105727"
        #expect(try FormDataEncoder().parts(D(d: Int128.min)) == [field(least)])
        #expect(try FormDataEncoder().parts(D(d: Int128.max)) == [field(greatest)])
        #expect(try decoder.decode(D<Int128>.self, field(least)).d == .min)
        #expect(try decoder.decode(D<Int128>.self, field(greatest)).d == .max)
        #expect(try decoder.decode(D<UInt128>.self, field("0")).d == 0)
        #expect(try decoder.decode(D<UInt128>.self, field("\(UInt128.max)")).d == .max)
        for beyond in [
            "\(least)0", "-170141183460469231731687303715884105729", "170141183460469231731687303715884105728",
        ] {
            #expect(Failure.of { try decoder.decode(D<Int128>.self, field(beyond)) }?.code == .invalidValue)
        }
        for beyond in ["-1", "\(UInt128.max)0"] {
            #expect(Failure.of { try decoder.decode(D<UInt128>.self, field(beyond)) }?.code == .invalidValue)
        }
    }

    private func field(_ text: String) -> Part {
        Part("d", Data(text.utf8))
    }
}
