import Foundation
import MultipartFormCodec
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
        #expect(try Self.read("2023-09-03", in: santiago) == Self.read("2023-09-03T01:00", in: santiago))
        // Samoa has skipped 30 December 2011.
        let apia = try Self.zone("Pacific/Apia")
        #expect(try Self.read("2011-12-30T12:00", in: apia) == Self.read("2011-12-31T12:00", in: apia))
        #expect(try Self.read("2011-12-29T12:00", in: apia) + 86_400 == Self.read("2011-12-31T12:00", in: apia))
    }

    @Test(arguments: [
        "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia",
        "America/St_Johns", "Africa/Casablanca", "Asia/Gaza",
    ])
    func `a local time is the date that shows it, as Foundation's calendar has it`(identifier: String) throws {
        let zone = try Self.zone(identifier)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let date = Date(timeIntervalSince1970: Double(Int.random(in: 0..<4_000_000_000, using: &generator)))
            let (day, time) = Self.text(of: date, calendar)
            let read = try Date(timeIntervalSince1970: Self.read("\(day)T\(time)", in: zone))
            // A time that was shown twice is the first.
            #expect(read == date || (read < date && date.timeIntervalSince(read) <= 3600), "\(identifier): \(date)")
            #expect(Self.text(of: read, calendar) == (day, time), "\(identifier): \(date)")
            let midnight = try Date(timeIntervalSince1970: Self.read(day, in: zone))
            #expect(midnight == calendar.startOfDay(for: date), "\(identifier): \(date)")
        }
    }

    /// The text that an input of a page would send for a date, by Foundation's calendar.
    private static func text(of date: Date, _ calendar: Calendar) -> (day: String, time: String) {
        func digits(_ component: Calendar.Component, _ count: Int) -> String {
            let number = String(calendar.component(component, from: date))
            return String(repeating: "0", count: count - number.count) + number
        }
        let day = [digits(.year, 4), digits(.month, 2), digits(.day, 2)].joined(separator: "-")
        return (day, [digits(.hour, 2), digits(.minute, 2), digits(.second, 2)].joined(separator: ":"))
    }

    @Test func `whole seconds and milliseconds are integers`() throws {
        #expect(try Self.write(1_700_000_000, .secondsSince1970) == "1700000000")
        #expect(try Self.write(1_700_000_000.5, .secondsSince1970) == "1700000000.5")
        #expect(try Self.write(-1, .secondsSince1970) == "-1")
        #expect(try Self.write(1_700_000_000, .millisecondsSince1970) == "1700000000000")
        #expect(try Self.write(0.0625, .millisecondsSince1970) == "62.5")
    }
}
