import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// How content becomes files, texts and numbers.
@Suite struct ValueRuleTests {
    private let decoder = FormDataDecoder()
    private let none = Part("d", Data(), filename: "", contentType: "application/octet-stream")
    private let file = Part("d", Data("1".utf8), filename: "a.txt", contentType: "text/plain")

    @Test func `a file input without a file is nil, and no element of an array`() throws {
        for decoding in [FormDataDecoder.NilDecoding.absence, .emptyValue] {
            let decoder = options(self.decoder) { $0.nilDecoding = decoding }
            #expect(try decoder.decode(D<FormFile?>.self, none).d == nil)
            #expect(try decoder.decode(D<String?>.self, none).d == nil)
            #expect(try decoder.decode(D<[FormFile]>.self, none).d.isEmpty)
            #expect(try decoder.decode(D<[FormFile?]>.self, none, file).d.count == 1)
            #expect(try decoder.decode(D<BodyPart>.self, none).d.filename == "")
        }
        // Its index counts.
        let first = Part("d[0]", Data(), filename: ""), second = Part("d[1]", Data("x".utf8), filename: "x")
        #expect(try decoder.decode(D<[FormFile]>.self, first, second).d.map(\.filename) == ["x"])
        // A file without content, and content without a name, are files.
        #expect(try decoder.decode(D<FormFile>.self, Part("d", Data(), filename: "empty")).d.length == 0)
        #expect(try decoder.decode(D<FormFile>.self, Part("d", Data("x".utf8), filename: "")).d.length == 1)
    }

    @Test func `a type needs a file unless it takes any part`() throws {
        struct Upload: FormPartDecodable {
            let part: BodyPart
            init(formPart: BodyPart) { part = formPart }
            init(from decoder: any Decoder) throws { throw Difference(text: "not asked") }
        }
        struct Anything: FormPartDecodable {
            static var requiresFile: Bool { false }
            let part: BodyPart
            init(formPart: BodyPart) { part = formPart }
            init(from decoder: any Decoder) throws { throw Difference(text: "not asked") }
        }
        #expect(try decoder.decode(D<Upload>.self, file).d.part.filename == "a.txt")
        #expect(
            Failure.of { try decoder.decode(D<Upload>.self, "d=x") } == Failure(.typeMismatch, ["d"], .expectedFile)
        )
        #expect(Failure.of { try decoder.decode(D<Upload>.self, none) } == Failure(.valueNotFound, ["d"], .noFile))
        #expect(try decoder.decode(D<Anything>.self, "d=x").d.part.text() == "x")
        #expect(try decoder.decode(D<[Upload]>.self, file, none).d.count == 1)
    }

    @Test func `an empty field is no file where a file is expected`() throws {
        // As documentation in a browser sends it for a file that was not chosen.
        let none = Part("d", Data())
        for decoder in [decoder, options(decoder) { $0.nilDecoding = .absence }] {
            #expect(try decoder.decode(D<FormFile?>.self, none).d == nil)
            #expect(try decoder.decode(D<[FormFile]>.self, none).d.isEmpty)
            #expect(try decoder.decode(D<[FormFile]>.self, none, file, none).d.map(\.filename) == ["a.txt"])
            #expect(try decoder.decode(D<[FormFile?]>.self, file, none).d.map { $0?.filename } == ["a.txt"])
            #expect((try decoder.decode(D<[FormFile]?>.self, none).d ?? []).isEmpty)
            let failure = Failure.of { try decoder.decode(D<FormFile>.self, none) }
            #expect(failure == Failure(.valueNotFound, ["d"], .noFile))
            let strict = options(decoder) { $0.unknownNames = .reject }
            #expect(try strict.decode(D<[FormFile]>.self, none).d.isEmpty)
            let indexed = [Part("d[0]", Data()), Part("d[1]", Data("1".utf8), filename: "b")]
            #expect(try strict.decode(D<[FormFile]>.self, indexed[0], indexed[1]).d.map(\.filename) == ["b"])
        }
        // Other values are what they were.
        #expect(try decoder.decode(D<Data>.self, none).d.isEmpty)
        #expect(try decoder.decode(D<[String]>.self, none).d == [""])
        #expect(try decoder.decode(D<BodyPart>.self, none).d.length == 0)
        #expect(Failure.of { try decoder.decode(D<[FormFile]>.self, "d=x") }?.code == .expectedFile)
    }

    @Test func `files and data obey no limit but the form's`() throws {
        let small = options(decoder) { $0.maxValueBytes = 2 }
        let long = Part("d", Data("123".utf8), filename: "a", contentType: "application/json")
        #expect(try small.decode(D<FormFile>.self, long).d.data() == Data("123".utf8))
        #expect(try small.decode(D<Data>.self, long).d.count == 3)
        #expect(try small.decode(D<Data>.self, "d=123").d.count == 3)
        #expect(Failure.of { try small.decode(D<FormJSON<Int>>.self, long) }?.code == .valueTooLong)
        #expect(Failure.of { try small.decode(D<Int>.self, "d=123") }?.code == .valueTooLong)
        #expect(try small.decode(D<Int>.self, "d=12").d == 12)
        #expect(
            Failure.of { try options(small) { $0.maxValueBytes = -1 }.decode(D<String>.self, "d=1") }?.code
                == .valueTooLong
        )
    }

    @Test func `a part that is only passed on is not read`() throws {
        var form = MultipartFormData()
        form.append(
            BodyPart(length: 5, name: "d", filename: "a") {
                Issue.record("the file was opened")
                return InputStream(data: Data())
            }
        )
        let value = try decoder.decode(D<FormFile>.self, from: form)
        #expect(value.d.length == 5)
    }

    @Test func `texts are not trimmed, and keep a byte order mark`() throws {
        #expect(try decoder.decode(D<String>.self, "d= a \r\n").d == " a \r\n")
        #expect(try decoder.decode(D<String>.self, "d=\u{FEFF}a").d == "\u{FEFF}a")
        #expect(try decoder.decode(D<String>.self, Part("d", Data("a\0".utf8))).d == "a\0")
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("+5", 5), ("-128", -128), ("127", 127), ("007", 7), ("128", nil), ("-129", nil),
        ("", nil), ("+", nil), ("1 ", nil), ("0x1", nil), ("1.0", nil), ("1e2", nil), ("١", nil), ("--1", nil),
        ("9999999999999999999999", nil),
    ])
    func `an integer has decimal digits only, and is within its range`(text: String, value: Int8?) throws {
        #expect((try? decoder.decode(D<Int8>.self, Part("d", Data(text.utf8))).d) == value)
    }

    @Test func `integers of all widths are read up to their ends`() throws {
        func check<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws {
            for end in [T.min, .max] {
                #expect(try decoder.decode(D<T>.self, Part("d", Data("\(end)".utf8))).d == end)
            }
            let beyond = Part("d", Data("\(T.max)0".utf8))
            #expect(Failure.of { try decoder.decode(D<T>.self, beyond) }?.code == .invalidValue)
        }
        try check(Int.self)
        try check(Int16.self)
        try check(Int32.self)
        try check(Int64.self)
        try check(UInt.self)
        try check(UInt8.self)
        try check(UInt16.self)
        try check(UInt32.self)
        try check(UInt64.self)
        #expect(try decoder.decode(D<UInt8>.self, "d=-0").d == 0)
        #expect(Failure.of { try decoder.decode(D<UInt8>.self, "d=-1") }?.code == .invalidValue)
    }

    @Test(arguments: [
        ("1", 1), ("-1.5", -1.5), (".5", 0.5), ("5.", 5), ("+1e3", 1000), ("1E-2", 0.01), ("0", 0), ("1e400", nil),
        ("inf", nil), ("nan", nil), ("0x1p3", nil), (".", nil), ("e1", nil), ("1e", nil), ("1e+", nil), ("1,5", nil),
        (" 1", nil), ("1d", nil), ("+.e1", nil), ("-", nil),
    ])
    func `floating point and decimal numbers have one grammar`(text: String, value: Double?) throws {
        let part = Part("d", Data(text.utf8))
        #expect((try? decoder.decode(D<Double>.self, part).d) == value)
        guard text != "1e400" else { return }
        #expect((try? decoder.decode(D<Decimal>.self, part).d) == value.map { Decimal($0) })
    }

    @Test func `a number that does not fit its type is refused`() {
        #expect(Failure.of { try decoder.decode(D<Float>.self, "d=1e39") }?.code == .invalidValue)
        #expect(Failure.of { try decoder.decode(D<Decimal>.self, "d=1e999") }?.code == .invalidValue)
        #expect(throws: Never.self) {
            try decoder.decode(D<Double>.self, Part("d", Data(String(repeating: "9", count: 300).utf8)))
        }
    }

    @Test func `a Bool is one of eight words, in any letter case`() throws {
        let words = [
            "true": true, "On": true, "YES": true, "1": true, "false": false, "off": false, "No": false, "0": false,
        ]
        for (word, value) in words {
            #expect(try decoder.decode(D<Bool>.self, Part("d", Data(word.utf8))).d == value)
        }
        for word in ["t", "y", "2", "01", "truee", "enabled", "\u{661}"] {
            let part = Part("d", Data(word.utf8))
            #expect(Failure.of { try decoder.decode(D<Bool>.self, part) }?.code == .invalidValue)
        }
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59Z", 951_868_799), ("1969-12-31T23:59:59.25Z", -0.75),
        ("2026-11-21T19:00:00-01:30", 1_795_293_000), ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("1900-02-29T00:00:00Z", nil), ("2026-13-01T00:00:00Z", nil),
        ("2026-04-31T00:00:00Z", nil), ("2026-01-01T24:00:00Z", nil), ("2026-01-01T00:60:00Z", nil),
        ("2026-01-01T00:00:60Z", nil), ("2026-01-01 00:00:00Z", nil), ("2026-01-01T00:00:00", nil),
        ("2026-01-01T00:00:00.Z", nil), ("2026-01-01T00:00:00z", nil), ("2026-01-01T00:00:00+0100", nil),
        ("2026-01-01T00:00:00+01:60", nil), ("2026-1-1T00:00:00Z", nil), ("2026-01-01T00:00:00Z ", nil), ("2026", nil),
        ("2026-00-10T00:00:00Z", nil), ("2026-01-00T00:00:00Z", nil),
    ])
    func `a date in ISO 8601 is one of the calendar, and has a time zone`(text: String, seconds: Double?) throws {
        let date = try? decoder.decode(D<Date>.self, Part("d", Data(text.utf8))).d
        #expect(date?.timeIntervalSince1970 == seconds)
    }

    @Test func `dates agree with Foundation's`() throws {
        let formatter = ISO8601DateFormatter()
        var generator = SeededGenerator(seed: 47)
        for _ in 0..<2000 {
            let seconds = Double(Int64.random(in: -12_219_292_800...253_402_300_799, using: &generator))
            let text = formatter.string(from: Date(timeIntervalSince1970: seconds))
            #expect(
                try FormDataEncoder().parts(D(d: Date(timeIntervalSince1970: seconds))) == [Part("d", Data(text.utf8))]
            )
            #expect(try decoder.decode(D<Date>.self, Part("d", Data(text.utf8))).d.timeIntervalSince1970 == seconds)
        }
    }

    /// The days before and after the end of February, in seconds since 1970.
    @Test(arguments: [
        ("1900-02-28", "1900-03-01", -2_203_891_200), ("2000-02-29", "2000-03-01", 951_868_800),
        ("2100-02-28", "2100-03-01", 4_107_542_400), ("2104-02-29", "2104-03-01", 4_233_772_800),
        ("2400-02-29", "2400-03-01", 13_574_649_600),
    ])
    func `one century in four has a leap year`(last: String, first: String, seconds: Double) throws {
        for (day, time) in [(first, seconds), (last, seconds - 86_400)] {
            let part = Part("d", Data("\(day)T00:00:00Z".utf8))
            #expect(try decoder.decode(D<Date>.self, part).d.timeIntervalSince1970 == time)
            #expect(try FormDataEncoder().parts(D(d: Date(timeIntervalSince1970: time))) == [part])
        }
    }

    @Test func `a date is read in the form of its option`() throws {
        func seconds(_ decoding: FormDataDecoder.DateDecoding, _ text: String) throws -> Double {
            let decoder = options(self.decoder) { $0.dateDecoding = decoding }
            let value = try decoder.decode(D<Date>.self, Part("d", Data(text.utf8)))
            return value.d.timeIntervalSince1970
        }
        #expect(try seconds(.secondsSince1970, "1.5") == 1.5)
        #expect(try seconds(.millisecondsSince1970, "1500") == 1.5)
        #expect(try seconds(.deferredToDate, "0") == 978_307_200)
        #expect(try seconds(.iso8601, "1970-01-01T00:00:01.500Z") == 1.5)
        // Many more digits than a date has.
        for count in 0..<60 {
            let zeros = String(repeating: "0", count: count)
            #expect(try seconds(.iso8601, "1970-01-01T00:00:01.5\(zeros)Z") == 1.5)
        }
        #if FullFoundation
            let formatter = DateFormatter()
            formatter.dateFormat = "dd.MM.yyyy"
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            let encoder = options(FormDataEncoder()) { $0.dateEncoding = .formatted(formatter) }
            // Later changes have no effect.
            formatter.dateFormat = "yyyy"
            #expect(try encoder.parts(D(d: Date(timeIntervalSince1970: 86_400))) == ["d=02.01.1970"])
        #endif
        struct Reason: Error {}
        let failure = Failure.of { try seconds(.custom { _ in throw Reason() }, "x") }
        #expect(failure?.code == .invalidValue && failure?.cause?.underlyingError is Reason)
        #expect(Failure.of { try seconds(.custom { _ in Date() }, "") }?.code == .emptyValue)
    }

    @Test func `JSON needs a type of JSON, plain text or none`() throws {
        let types = [
            nil, "application/json", "Application/JSON; charset=utf-8", "application/problem+json", "text/plain",
            "Text/Plain;charset=UTF-8",
        ]
        for type in types {
            let part = Part("d", Data("1".utf8), contentType: type)
            #expect(try decoder.decode(D<FormJSON<Int>>.self, part).d.value == 1)
        }
        for type in ["text/html", "text/plainer", "application/jsonp", "application/octet-stream"] {
            let part = Part("d", Data("1".utf8), contentType: type)
            let failure = Failure(.typeMismatch, ["d"], .expectedJSON)
            #expect(Failure.of { try decoder.decode(D<FormJSON<Int>>.self, part) } == failure)
        }
        struct Dated: Codable { var date: Date }
        let special = options(decoder) { $0.configureJSON = { $0.dateDecodingStrategy = .iso8601 } }
        let dated = try special.decode(D<FormJSON<Dated>>.self, #"d={"date":"1970-01-01T00:00:01Z"}"#).d.value
        #expect(dated.date.timeIntervalSince1970 == 1)
    }

    @Test func `a URL is any text that Foundation takes for one, as it came`() throws {
        for text in ["https://e.x/?q=1#f", "/path/only", "mailto:a@b.c", "urn:isbn:1"] {
            let part = Part("d", Data(text.utf8))
            #expect(try decoder.decode(D<URL>.self, part).d.absoluteString == text)
            #expect(try FormDataEncoder().parts(D(d: try #require(URL(string: text)))) == [part])
        }
        #expect(Failure.of { try decoder.decode(D<URL>.self, "d=") } == Failure(.valueNotFound, ["d"], .emptyValue))
        let invalid = Failure(.dataCorrupted, ["d"], .invalidValue)
        #expect(Failure.of { try decoder.decode(D<URL>.self, "d=http://[") } == invalid)
    }

    private static let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"

    @Test func `a UUID has nothing before or after it`() throws {
        for text in [Self.uuid, Self.uuid.lowercased()] {
            #expect(try decoder.decode(D<UUID>.self, Part("d", Data(text.utf8))).d.uuidString == Self.uuid)
            #expect(try decoder.decode([String: [UUID?]].self, Part("d", Data(text.utf8)))["d"]?.count == 1)
        }
        for text in [Self.uuid + "\0", Self.uuid + "\0x", Self.uuid + "x", Self.uuid + "é", "{\(Self.uuid)}"] {
            let failure = Failure(.dataCorrupted, ["d"], .invalidValue)
            let part = Part("d", Data(text.utf8))
            #expect(Failure.of { try decoder.decode(D<UUID>.self, part) } == failure)
            #expect(Failure.of { try decoder.decode(D<UUID?>.self, part) } == failure)
        }
        #expect(Failure.of { try decoder.decode([UUID].self, "d=x") } != nil)
    }

    /// Texts and the numbers they are; nil if they are none, `self` if the number has the same text.
    private static let decimals: [(String, String?)] = [
        ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
        ("-340282366920938463463374607431768211455", "-340282366920938463463374607431768211455"),
        ("340282366920938463463374607431768211456", nil), ("99999999999999999999999999999999999999", "self"),
        ("999999999999999999999999999999999999999", nil), ("0.1234567890123456789012345678901234567", "self"),
        ("1234567890123456789012345678901234567890", "self"), ("1234567890123456789012345678901234567891", nil),
        ("0.10000000000000000000000000000000000000000000000000000000000000000000000000", "0.1"),
        ("000000000000000000000000000000000000000000000000000000000000000000000000001.50", "1.5"),
        ("0e999", "0"), ("-0.000e-999999999999999999999999999", "0"), ("0.0", "0"), ("+.5", "0.5"), ("5.", "5"),
        ("1e127", "1" + String(repeating: "0", count: 127)), ("1e165", "1" + String(repeating: "0", count: 165)),
        ("1e166", nil), ("1e-128", "0." + String(repeating: "0", count: 127) + "1"), ("1e-129", nil),
        ("10e-129", "0." + String(repeating: "0", count: 127) + "1"), ("1e999", nil), ("1e-999", nil),
        ("1e99999999999999999999999", nil), ("3.14159e2", "314.159"), ("-12.50", "-12.5"),
    ]

    @Test(arguments: decimals)
    func `decimal numbers are exact`(text: String, expected: String?) throws {
        let part = Part("d", Data(text.utf8))
        guard let expected else {
            let failure = Failure(.dataCorrupted, ["d"], .invalidValue)
            return #expect(Failure.of { try decoder.decode(D<Decimal>.self, part) } == failure)
        }
        let value = try decoder.decode(D<Decimal>.self, part).d
        #expect(value.description == (expected == "self" ? text : expected))
    }

    /// Exponents at which arithmetic could overflow.
    private static let extremeExponents: [String] =
        [Int.min, Int.max, Int(Int32.min), Int(Int32.max)].flatMap { edge in
            // Alone, and with the 200 zeros of a significand.
            [-202 ... -198, -3...3, 198...202].joined().compactMap { distance in
                let (sum, overflows) = edge.addingReportingOverflow(distance)
                return overflows ? nil : "\(sum)"
            }
        } + [
            "9223372036854775808", "-9223372036854775809", "-18446744073709551616",
            "-" + String(repeating: "9", count: 40),
        ]

    @Test func `decimal numbers with extreme exponents are values, or refused`() throws {
        let decoder = FormDataDecoder()
        for exponent in Self.extremeExponents {
            for significand in ["1", "-12.50", "100", "0.001", "." + String(repeating: "0", count: 200) + "1"] {
                let part = Part("d", Data("\(significand)e\(exponent)".utf8))
                let failure = Failure(.dataCorrupted, ["d"], .invalidValue)
                #expect(Failure.of { try decoder.decode(D<Decimal>.self, part) } == failure, "\(part)")
                #expect(Failure.of { try decoder.decode(D<Decimal?>.self, part) } == failure, "\(part)")
            }
            #expect(try decoder.decode(D<Decimal>.self, Part("d", Data("0e\(exponent)".utf8))).d == 0)
        }
        let element = Failure(.dataCorrupted, ["d", "0"], .invalidValue)
        #expect(Failure.of { try decoder.decode(D<[Decimal]>.self, "d[]=1e-9223372036854775808") } == element)
    }

    @Test func `a long number takes no long time, and is refused`() {
        let text = String(repeating: "1", count: 1 << 20)
        #expect(Failure.of { try decoder.decode(D<Decimal>.self, Part("d", Data(text.utf8))) }?.code == .invalidValue)
        let zeros = "1" + String(repeating: "0", count: 1 << 19) + "." + String(repeating: "0", count: 1 << 18)
        #expect(Failure.of { try decoder.decode(D<Decimal>.self, Part("d", Data(zeros.utf8))) }?.code == .invalidValue)
    }

    @Test func `a file on disk has its own name or a given one`() throws {
        let directory = try TemporaryDirectory()
        let url = try directory.write(Data("content".utf8), as: "photo.jpg")
        let file = try FormFile(contentsOf: url)
        #expect(file.filename == "photo.jpg" && file.contentType == "image/jpeg" && file.length == 7)
        let form = try FormDataEncoder().encode(D(d: try FormFile(contentsOf: url, filename: "a.png")))
        #expect(try form.table == [Part("d", Data("content".utf8), filename: "a.png", contentType: "image/png")])
        let decoded = try decoder.decode(D<FormFile>.self, from: form.received).d
        let copy = directory.url.appendingPathComponent("copy")
        try decoded.save(to: copy)
        #expect(try Data(contentsOf: copy) == Data("content".utf8))
        #expect(decoded.safeFilename == "a.png")
        #expect(throws: MultipartError(.bodyPartFileNotReachable)) {
            try FormFile(contentsOf: directory.url.appendingPathComponent("none"))
        }
    }
}
