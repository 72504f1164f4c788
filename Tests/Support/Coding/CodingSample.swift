internal import Foundation
internal import MultipartFormCodec

/// A value of nearly all types that a form can hold, nested in itself.
package struct CodingSample: Codable, Equatable {
    /// A file that is equal to one with the same content, file name and type.
    struct File: Codable, Equatable {
        var file: FormFile

        init(_ file: FormFile) {
            self.file = file
        }

        init(from decoder: any Decoder) throws {
            file = try FormFile(from: decoder)
        }

        func encode(to encoder: any Encoder) throws {
            try file.encode(to: encoder)
        }

        static func == (left: File, right: File) -> Bool {
            left.file.filename == right.file.filename && left.file.contentType == right.file.contentType
                && (try? left.file.data()) == (try? right.file.data())
        }
    }

    enum Color: String, Codable {
        case red, green
    }

    enum Shape: Codable, Equatable {
        case circle(radius: Double)
        case dot
    }

    struct Numbers: Codable, Equatable {
        var int: Int
        var int8: Int8
        var int16: Int16
        var int32: Int32
        var int64: Int64
        var uint: UInt
        var uint8: UInt8
        var uint16: UInt16
        var uint32: UInt32
        var uint64: UInt64
        var double: Double
        var float: Float
        var decimal: Decimal
        var optionalInt: Int?
        var optionalDouble: Double?
    }

    var text: String
    var optionalText: String?
    var isSet: Bool
    var optionalFlag: Bool?
    var numbers: Numbers
    var homeURL: URL
    var identifier: UUID
    var date: Date
    var data: Data
    var optionalData: Data?
    var color: Color
    var optionalColor: Color?
    var shape: Shape?
    var list: [Int]
    var optionalList: [String]?
    var matrix: [[String]]
    var named: [String: Double]
    var numbered: [Int: [Bool]]
    var file: File
    var optionalFile: File?
    var files: [File]
    var optionalNumbers: Numbers?
    var samples: [CodingSample]
}

extension CodingSample {
    /// A random sample that survives a round trip in a style.
    package static func random(_ generator: inout SeededGenerator, _ style: CodingStyle) -> CodingSample {
        random(&generator, style, depth: 0)
    }

    private static func random(_ generator: inout SeededGenerator, _ style: CodingStyle, depth: Int) -> CodingSample {
        var source = Source(generator: generator)
        defer { generator = source.generator }
        let sample = CodingSample(
            text: source.text(),
            optionalText: source.optional { $0.text() },
            isSet: source.flag(),
            optionalFlag: source.optional { $0.flag() },
            numbers: source.numbers(),
            homeURL: source.url(),
            identifier: source.identifier(),
            date: source.date(),
            data: source.data(),
            optionalData: source.optional { $0.data() },
            color: source.flag() ? .red : .green,
            optionalColor: source.optional { _ in .green },
            shape: style.hasInverse ? source.optional { .circle(radius: $0.double()) } : nil,
            list: source.array { $0.int() },
            optionalList: source.optional { $0.array { $0.text() + "x" } },
            matrix: source.array { $0.array { $0.text() + "x" } },
            named: source.dictionary({ $0.key() }) { $0.double() },
            numbered: source.dictionary({ $0.int() }) { $0.array { $0.flag() } },
            file: source.file(),
            optionalFile: source.optional { $0.file() },
            files: source.array { $0.file() },
            optionalNumbers: source.optional { $0.numbers() },
            samples: depth < 1 ? source.array(upTo: 1) { random(&$0.generator, style, depth: depth + 1) } : []
        )
        return sample
    }

    private struct Source {
        var generator: SeededGenerator

        mutating func flag() -> Bool { Bool.random(using: &generator) }
        mutating func int() -> Int {
            Int.random(in: .min ... .max, using: &generator) >> Int.random(in: 0..<64, using: &generator)
        }
        mutating func number<T: FixedWidthInteger>() -> T { T.random(in: .min ... .max, using: &generator) }

        mutating func double() -> Double {
            let number = Double(bitPattern: number())
            return number.isFinite ? number : 0.1
        }

        mutating func text() -> String {
            let pieces = [
                "a", "Zß", "é", "e\u{301}", "\r\n", "\n", "\"", "[0]", "=&", "\0", "💩", " ", "--", "1", "\u{FEFF}",
            ]
            return (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
        }

        /// A key that any name can hold.
        mutating func key() -> String {
            let pieces = ["a", "B", "0", "é", "ß", " ", "-", "_", "日", "%22"]
            return "k"
                + (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
                    pieces.randomElement(using: &generator) ?? ""
                }.joined()
        }

        mutating func url() -> URL { URL(string: "https://example.com/?q=\(int())") ?? URL(fileURLWithPath: "/") }

        mutating func identifier() -> UUID {
            func next() -> UInt8 { number() }
            return UUID(
                uuid: (
                    next(), next(), next(), next(), next(), next(), next(), next(), next(), next(), next(), next(),
                    next(), next(), next(), next()
                )
            )
        }

        /// From the year 1 to 9999.
        mutating func date() -> Date {
            Date(timeIntervalSince1970: Double(Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator)))
        }

        mutating func data() -> Data {
            Data((0...Int.random(in: 0..<20, using: &generator)).map { _ in number() })
        }

        mutating func file() -> File {
            let names = ["a.jpg", "ä b.txt", "x"], types = ["image/jpeg", "text/plain; charset=utf-8"]
            return File(
                FormFile(
                    data(),
                    filename: names.randomElement(using: &generator) ?? "",
                    contentType: types.randomElement(using: &generator)
                )
            )
        }

        mutating func numbers() -> Numbers {
            let float = Float(bitPattern: number())
            return Numbers(
                int: number(),
                int8: number(),
                int16: number(),
                int32: number(),
                int64: number(),
                uint: number(),
                uint8: number(),
                uint16: number(),
                uint32: number(),
                uint64: number(),
                double: double(),
                float: float.isFinite ? float : 0,
                decimal: Decimal(int()) / 1000,
                optionalInt: optional { $0.int() },
                optionalDouble: optional { $0.double() }
            )
        }

        mutating func optional<T>(_ make: (inout Source) -> T) -> T? { flag() ? make(&self) : nil }

        /// An array that is not empty.
        mutating func array<T>(upTo count: Int = 3, _ make: (inout Source) -> T) -> [T] {
            (0..<Int.random(in: 1...count, using: &generator)).map { _ in make(&self) }
        }

        mutating func dictionary<K: Hashable, V>(
            _ makeKey: (inout Source) -> K,
            _ makeValue: (inout Source) -> V
        ) -> [K: V] {
            Dictionary(array { (makeKey(&$0), makeValue(&$0)) }) { first, _ in first }
        }
    }
}
