import Foundation
import MultipartForm
import TestSupport
import Testing

/// The dates of HTML's inputs, in a time zone.
@Suite struct HTMLDateTests {
    private static func zone(_ identifier: String) throws -> TimeZone {
        try #require(TimeZone(identifier: identifier))
    }

    private static func read(_ text: String, in timeZone: TimeZone) throws -> Double {
        let decoder = options(FormDataDecoder()) { $0.dateDecoding = .html(in: timeZone) }
        return try decoder.decode(D<Date>.self, Part("d", Data(text.utf8))).d.timeIntervalSince1970
    }

    private static func write(_ seconds: Double, _ encoding: FormDataEncoder.DateEncoding) throws -> String {
        let encoder = options(FormDataEncoder()) { $0.dateEncoding = encoding }
        return try #require(try encoder.encode(D(d: Date(timeIntervalSince1970: seconds)))["d"]?.text())
    }

    @Test(arguments: [
        ("1970-01-01", 0), ("2026-11-21", 1_795_219_200), ("2026-11-21T19:00", 1_795_287_600),
        ("2026-11-21 19:00", 1_795_287_600), ("2026-11-21T19:00:05", 1_795_287_605),
        ("2026-11-21T19:00:05.5", 1_795_287_605.5), ("2026-11-21T19:00:05.250", 1_795_287_605.25),
        ("2024-02-29", 1_709_164_800), ("0001-01-01", -62_135_596_800), ("9999-12-31T23:59:59", 253_402_300_799),
    ])
    func `a day or a local time is read`(text: String, seconds: Double) throws {
        #expect(try Self.read(text, in: Self.zone("UTC")) == seconds)
    }

    @Test(arguments: [
        "2023-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00", "0000-01-01", "26-01-01",
        "2026-1-1", "2026-11-21T", "2026-11-21T19", "2026-11-21T24:00", "2026-11-21T19:60", "2026-11-21T19:00:60",
        "2026-11-21T19:00:", "2026-11-21T19:00:05.", "2026-11-21T19:00Z", "2026-11-21T19:00+01:00", "2026-11-21t19:00",
        "2026-11-21  19:00", " 2026-11-21", "2026-11-21 ", "2026-W47", "19:00", "2026-11", "x", "2026-11-21\n",
        "12026-11-21", "-2026-11-21", "٢٠٢٦-11-21",
    ])
    func `any other text is invalid`(text: String) {
        let zone = TimeZone(secondsFromGMT: 0)
        let failure = Failure.of { try Self.read(text, in: #require(zone)) }
        #expect(failure == Failure(.dataCorrupted, ["d"], .invalidValue))
    }

    @Test func `an empty text is nil or an error`() throws {
        let zone = try Self.zone("UTC")
        let decoder = options(FormDataDecoder()) { $0.dateDecoding = .html(in: zone) }
        #expect(try decoder.decode(D<Date?>.self, "d=").d == nil)
        #expect(Failure.of { try decoder.decode(D<Date>.self, "d=") }?.code == .emptyValue)
    }

    @Test func `a time that a clock shows twice is the first`() throws {
        // On 25 October 2026, Berlin sets 03:00 back to 02:00, at 01:00 UTC.
        let berlin = try Self.zone("Europe/Berlin")
        #expect(try Self.read("2026-10-25T01:59", in: berlin) == 1_792_886_340)
        #expect(try Self.read("2026-10-25T02:30", in: berlin) == 1_792_888_200)
        #expect(try Self.read("2026-10-25T03:00", in: berlin) == 1_792_893_600)
        let text = FormDataEncoder.DateEncoding.htmlDateTimeLocal(in: berlin)
        #expect(try Self.write(1_792_888_200, text) == "2026-10-25T02:30")
        #expect(try Self.write(1_792_888_200 + 3600, text) == "2026-10-25T02:30")
    }

    @Test func `a time that a clock skips moves later`() throws {
        // On 29 March 2026, Berlin sets 02:00 forward to 03:00, at 01:00 UTC.
        let berlin = try Self.zone("Europe/Berlin")
        #expect(try Self.read("2026-03-29T01:59:59", in: berlin) == 1_774_745_999)
        #expect(try Self.read("2026-03-29T02:30", in: berlin) == 1_774_747_800)
        #expect(try Self.read("2026-03-29T03:30", in: berlin) == 1_774_747_800)
        #expect(try Self.read("2026-03-29T03:00", in: berlin) == 1_774_746_000)
        // Santiago skips a midnight: the day begins at 01:00.
        let santiago = try Self.zone("America/Santiago")
        let day = try Self.read("2023-09-03", in: santiago)
        #expect(try Self.write(day, .htmlDateTimeLocal(in: santiago)) == "2023-09-03T01:00")
        #expect(try Self.write(day, .htmlDate(in: santiago)) == "2023-09-03")
        // Samoa has skipped a day.
        let apia = try Self.zone("Pacific/Apia")
        #expect(try Self.write(Self.read("2011-12-30T12:00", in: apia), .htmlDate(in: apia)) == "2011-12-31")
        #expect(try Self.write(Self.read("2011-12-29T12:00", in: apia), .htmlDate(in: apia)) == "2011-12-29")
        #expect(try Self.write(Self.read("2011-12-31", in: apia), .htmlDate(in: apia)) == "2011-12-31")
    }

    @Test func `a date is written as the day or the local time in a time zone`() throws {
        let tokyo = try Self.zone("Asia/Tokyo"), newYork = try Self.zone("America/New_York")
        #expect(try Self.write(1_795_287_600, .htmlDate(in: tokyo)) == "2026-11-22")
        #expect(try Self.write(1_795_287_600, .htmlDate(in: newYork)) == "2026-11-21")
        #expect(try Self.write(1_795_287_600, .htmlDateTimeLocal(in: tokyo)) == "2026-11-22T04:00")
        #expect(try Self.write(1_795_287_605.75, .htmlDateTimeLocal(in: newYork)) == "2026-11-21T14:00:05")
        #expect(try Self.write(-0.5, .htmlDateTimeLocal(in: Self.zone("UTC"))) == "1969-12-31T23:59:59")
        #expect(try Self.write(-62_135_596_800, .htmlDate(in: Self.zone("UTC"))) == "0001-01-01")
    }

    @Test func `a year of five digits, or before the year 1, is not written`() throws {
        let zone = try Self.zone("UTC")
        for seconds in [253_402_300_800, -62_135_596_801, 1e300, -1e300] {
            #expect(Failure.of { try Self.write(seconds, .htmlDate(in: zone)) }?.code == .unencodable)
            #expect(Failure.of { try Self.write(seconds, .htmlDateTimeLocal(in: zone)) }?.code == .unencodable)
        }
        #expect(Failure.of { try Self.write(.nan, .htmlDate(in: zone)) }?.code == .nonFiniteNumber)
    }

    @Test(arguments: [
        "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia",
        "America/St_Johns", "Africa/Casablanca", "Asia/Gaza",
    ])
    func `dates survive a round trip, and agree with Foundation's`(identifier: String) throws {
        let zone = try Self.zone(identifier)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let times = options(FormDataEncoder()) { $0.dateEncoding = .htmlDateTimeLocal(in: zone) }
        let days = options(FormDataEncoder()) { $0.dateEncoding = .htmlDate(in: zone) }
        let decoder = options(FormDataDecoder()) { $0.dateDecoding = .html(in: zone) }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let date = Date(timeIntervalSince1970: Double(Int.random(in: 0..<4_000_000_000, using: &generator)))
            let form = try times.encode(D(d: date))
            let read = try decoder.decode(D<Date>.self, from: form).d
            // A time that was shown twice is the first.
            #expect(read == date || (read < date && date.timeIntervalSince(read) <= 3600), "\(identifier): \(date)")
            #expect(try times.encode(D(d: read)).table == form.table, "\(identifier): \(date)")
            let day = try decoder.decode(D<Date>.self, from: days.encode(D(d: date))).d
            #expect(day == calendar.startOfDay(for: date), "\(identifier): \(date)")
        }
    }

    @Test func `whole seconds and milliseconds are integers`() throws {
        #expect(try Self.write(1_700_000_000, .secondsSince1970) == "1700000000")
        #expect(try Self.write(1_700_000_000.5, .secondsSince1970) == "1700000000.5")
        #expect(try Self.write(-1, .secondsSince1970) == "-1")
        #expect(try Self.write(1_700_000_000, .millisecondsSince1970) == "1700000000000")
        #expect(try Self.write(0.0625, .millisecondsSince1970) == "62.5")
    }
}
