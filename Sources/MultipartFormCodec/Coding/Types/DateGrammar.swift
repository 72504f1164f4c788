#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The text formats of dates: the grammar of RFC 3339 §5.6, and the formats of HTML's date inputs.
enum DateGrammar {
    private static let secondsInMinute: Int64 = 60
    private static let secondsInHour: Int64 = 3600
    private static let secondsInDay: Int64 = 86_400

    /// A date to encode must be less than this number of seconds before or after 1 January 2001. The limit prevents
    /// integer overflow.
    private static let maxInterval = 1e12
}

// Reads and writes dates in the grammar of RFC 3339 §5.6, in the years 0000 to 9999: `yyyy-MM-ddTHH:mm:ss`, an optional
// fraction, and `Z` or `±hh:mm`.
//
// Unlike RFC 3339, this grammar has no lowercase `t` or `z`, and no leap seconds.
extension DateGrammar {
    /// Returns the date of a text such as `2026-11-21T19:00:00Z`; nil if the text has another form, or if the day or
    /// the time does not exist.
    static func date(_ text: Span<UInt8>) -> Date? {
        var cursor = TextCursor()
        guard let day = cursor.fullDate(text), cursor.skip("T", text), let time = partialTime(&cursor, text),
            let fraction = cursor.fraction(text), let offset = timeOffset(&cursor, text), cursor.isAtEnd(text)
        else { return nil }
        let seconds = day.number * secondsInDay + time - offset
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    /// Reads `time-hour ":" time-minute ":" time-second` of RFC 3339. Returns the seconds since midnight; nil if the
    /// text at the cursor has another form.
    private static func partialTime(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> Int64? {
        guard let minutes = cursor.hoursAndMinutes(text), cursor.skip(":", text), let second = cursor.seconds(text)
        else {
            return nil
        }
        return minutes * secondsInMinute + second
    }

    /// Reads `time-offset` of RFC 3339. Returns the offset from UTC in seconds; nil if the text at the cursor has
    /// another form.
    private static func timeOffset(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> Int64? {
        if cursor.skip("Z", text) { return 0 }
        guard let isNegative = cursor.skipSign(text), let minutes = cursor.hoursAndMinutes(text) else { return nil }
        let seconds = minutes * secondsInMinute
        return isNegative ? -seconds : seconds
    }

    /// Returns the text of a date in UTC. Drops fractions of a second. Throws if the date is not finite, or if its year
    /// is not from 0 to 9999.
    static func text(of date: Date) throws(CodingReason) -> String {
        let interval = date.timeIntervalSinceReferenceDate
        guard interval.isFinite else { throw CodingReason(ErrorCode.nonFiniteNumber) }
        guard abs(interval) < maxInterval else { throw CodingReason(ErrorCode.unencodable) }
        let (days, time) = Int64(interval.rounded(.down)).flooredQuotientAndRemainder(dividingBy: secondsInDay)
        let day = CalendarDay(number: days)
        guard 0...9999 ~= day.year else { throw CodingReason(ErrorCode.unencodable) }
        return "\(day.text)T\(text(ofTime: time))Z"
    }

    private static func text(ofTime seconds: Int64) -> String {
        let hour = seconds / secondsInHour
        let minute = seconds % secondsInHour / secondsInMinute
        let second = seconds % secondsInMinute
        return "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))"
    }
}

// Reads the dates of HTML inputs in a time zone, in the years 0001 to 9999. An input of the type `date` sends
// `2026-11-21`, and an input of the type `datetime-local` sends `2026-11-21T19:00`.
//
// If a clock change repeats or skips a local time, the offset before the change applies, as in JavaScript:
// - A repeated time is read as its first occurrence.
// - A skipped time moves forward by the length of the gap.
extension DateGrammar {
    private static let years: ClosedRange<Int64> = 1...9999

    /// Returns the date of a text such as `2026-11-21T19:00`; nil if the text has another form, or if the day or the
    /// time does not exist.
    ///
    /// The rules are "parse a date string" and "parse a local date and time string" in HTML §2.3.5, but a year must
    /// have four digits. A day without a time is read as midnight.
    static func date(_ text: Span<UInt8>, in timeZone: TimeZone) -> Date? {
        var cursor = TextCursor()
        guard let day = cursor.fullDate(text), years.contains(day.year) else { return nil }
        let midnight = day.number * secondsInDay
        guard !cursor.isAtEnd(text) else { return date(ofLocal: midnight, in: timeZone) }
        guard skipSeparator(&cursor, text), let minutes = cursor.hoursAndMinutes(text),
            let (second, fraction) = seconds(&cursor, text), cursor.isAtEnd(text)
        else { return nil }
        return date(ofLocal: midnight + minutes * secondsInMinute + second, in: timeZone) + fraction
    }

    private static func skipSeparator(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> Bool {
        if cursor.skip("T", text) { return true }
        return cursor.skip(" ", text)
    }

    /// Reads optional seconds, `[ ":" 2DIGIT [ "." 1*DIGIT ] ]`. Returns zero if there is no colon, and nil if anything
    /// other than seconds follows the colon.
    private static func seconds(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> (whole: Int64, fraction: Double)? {
        guard cursor.skip(":", text) else { return (0, 0) }
        guard let second = cursor.seconds(text), let fraction = cursor.fraction(text) else { return nil }
        return (second, fraction)
    }

    /// Returns the date at which the clocks in a time zone show a local time. `time` is the local time, counted in
    /// seconds from 2001-01-01T00:00.
    private static func date(ofLocal time: Int64, in timeZone: TimeZone) -> Date {
        // Takes `time` as UTC. Every offset is shorter than a day, so the date to return lies between one day before
        // `time` and one day after it. `before` and `after` are the offsets at these two instants.
        //
        // Each of the two offsets gives a candidate, which is `time` minus the offset. The result is the candidate of
        // `before`, with one exception: if the time zone has the offset `after` at the candidate of `after`, but not
        // the offset `before` at the candidate of `before`, the result is the candidate of `after`.
        let before = offset(of: timeZone, at: time - secondsInDay)
        let after = offset(of: timeZone, at: time + secondsInDay)
        let isAfterChange =
            offset(of: timeZone, at: time - before) != before && offset(of: timeZone, at: time - after) == after
        return Date(timeIntervalSinceReferenceDate: Double(time - (isAfterChange ? after : before)))
    }

    private static func offset(of timeZone: TimeZone, at time: Int64) -> Int64 {
        Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(time))))
    }
}

// Productions that the grammars of RFC 3339 and HTML share.
extension TextCursor {
    /// Reads `full-date` of RFC 3339; returns nil if the text at the cursor has another form, or if the day does not
    /// exist.
    mutating func fullDate(_ text: Span<UInt8>) -> CalendarDay? {
        guard let year = number(digits: 4, text), skip("-", text), let month = number(digits: 2, text), skip("-", text),
            let day = number(digits: 2, text)
        else { return nil }
        return CalendarDay(year: year, month: month, day: day)
    }

    /// Reads `time-hour ":" time-minute` of RFC 3339. Returns the total number of minutes; nil if the text at the
    /// cursor has another form.
    mutating func hoursAndMinutes(_ text: Span<UInt8>) -> Int64? {
        guard let hour = number(digits: 2, text), skip(":", text), let minute = number(digits: 2, text), hour < 24,
            minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// Reads `time-second` of RFC 3339, except a leap second; returns nil if the text at the cursor has another form.
    mutating func seconds(_ text: Span<UInt8>) -> Int64? {
        guard let second = number(digits: 2, text), second < 60 else { return nil }
        return second
    }

    /// Reads an optional fraction of a second, `[ "." 1*DIGIT ]`. Returns zero if there is no decimal point, and nil if
    /// no digit follows the decimal point.
    mutating func fraction(_ text: Span<UInt8>) -> Double? {
        guard skip(".", text) else { return 0 }
        var first = self
        // At most 15 digits count. More digits would exceed the precision of a `Date`, and could overflow an `Int64`.
        let count = min(skipDigits(text).count, 15)
        guard count > 0, let value = first.number(digits: count, text) else { return nil }
        // A `Double` holds every power of ten up to 10^22 exactly.
        let power = (0..<count).reduce(1.0) { power, _ in power * 10 }
        return Double(value) / power
    }
}

/// A day of the Gregorian calendar.
///
/// The conversions from and to ``number`` count years from March, so that a leap day is the last day of its year. The
/// conversions use cycles of 400 years, because all such cycles have the same number of days.
struct CalendarDay {
    /// The number of days from 1 March of the year 0 to 1 January 2001.
    private static let reference: Int64 = 730_791
    private static let daysInYear: Int64 = 365
    private static let daysInFourYears: Int64 = 1461
    private static let daysInCentury: Int64 = 36_524
    private static let daysInCycle: Int64 = 146_097

    let year: Int64
    let month: Int64
    let day: Int64

    /// Creates a day; returns nil if the day does not exist.
    init?(year: Int64, month: Int64, day: Int64) {
        guard 1...12 ~= month, 1...Self.lastDay(of: month, in: year) ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    private static func lastDay(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// Creates the day that is `number` days after 1 January 2001. A negative number means an earlier day.
    init(number: Int64) {
        let (cycle, dayInCycle) = (number + Self.reference).flooredQuotientAndRemainder(dividingBy: Self.daysInCycle)
        let leapDays =
            dayInCycle / (Self.daysInFourYears - 1) - dayInCycle / Self.daysInCentury
            + dayInCycle / (Self.daysInCycle - 1)
        let yearInCycle = (dayInCycle - leapDays) / Self.daysInYear
        let dayInYear = dayInCycle - Self.days(inYears: yearInCycle)
        let monthFromMarch = Self.monthFromMarch(of: dayInYear)
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        day = dayInYear - Self.days(inMonths: monthFromMarch) + 1
        year = 400 * cycle + yearInCycle + (month < 3 ? 1 : 0)
    }

    /// The number of days from 1 January 2001 to this day; negative for an earlier day.
    var number: Int64 {
        let yearFromMarch = month < 3 ? year - 1 : year
        let (cycle, yearInCycle) = yearFromMarch.flooredQuotientAndRemainder(dividingBy: 400)
        let dayInYear = Self.days(inMonths: (month + 9) % 12) + day - 1
        return Self.daysInCycle * cycle + Self.days(inYears: yearInCycle) + dayInYear - Self.reference
    }

    /// The day in the form `yyyy-MM-dd`. The year must be from 0 to 9999.
    var text: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }

    /// Returns the number of days in the first `years` years of a cycle of 400 years.
    private static func days(inYears years: Int64) -> Int64 { daysInYear * years + years / 4 - years / 100 }

    /// Returns the number of days in the first `months` months of a year that begins in March. From March on, each
    /// group of five months has 31, 30, 31, 30 and 31 days, 153 in total.
    private static func days(inMonths months: Int64) -> Int64 { (153 * months + 2) / 5 }

    private static func monthFromMarch(of dayInYear: Int64) -> Int64 { (5 * dayInYear + 2) / 153 }
}

extension Int64 {
    /// Returns the quotient, rounded down, and the remainder, which is not negative. The divisor must be positive.
    func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    func padded(to count: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
    }
}
