#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The grammars of dates in texts: those of RFC 3339 §5.6, and those of HTML's inputs in a time zone.
enum DateGrammar {
    private static let secondsInMinute: Int64 = 60
    private static let secondsInHour: Int64 = 3600
    private static let secondsInDay: Int64 = 86_400

    /// The maximum interval from 1 January 2001, in seconds, which keeps the arithmetic on days from overflowing.
    private static let maxInterval = 1e12
}

// RFC 3339 §5.6, for the years 0000 to 9999: `yyyy-MM-ddTHH:mm:ss[.f+](Z|±hh:mm)`.
extension DateGrammar {
    /// The date of a text; nil if the text has another form, or if the day or the time does not exist.
    static func date(_ text: Span<UInt8>) -> Date? {
        var cursor = TextCursor()
        guard let day = cursor.fullDate(text), cursor.skip("T", text), let time = partialTime(&cursor, text),
            let fraction = cursor.fraction(text), let offset = timeOffset(&cursor, text), cursor.isAtEnd(text)
        else { return nil }
        let seconds = day.number * secondsInDay + time - offset
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    /// Reads a time, `time-hour ":" time-minute ":" time-second` in RFC 3339, and returns the seconds since midnight;
    /// nil if the text is anything else.
    private static func partialTime(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> Int64? {
        guard let minutes = cursor.hoursAndMinutes(text), cursor.skip(":", text), let second = cursor.seconds(text)
        else {
            return nil
        }
        return minutes * secondsInMinute + second
    }

    /// Reads an offset from UTC, `time-offset = "Z" / ( "+" / "-" ) time-hour ":" time-minute` in RFC 3339, and returns
    /// it in seconds; nil if the text is anything else.
    private static func timeOffset(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> Int64? {
        if cursor.skip("Z", text) { return 0 }
        guard let isNegative = cursor.skipSign(text), let minutes = cursor.hoursAndMinutes(text) else { return nil }
        let seconds = minutes * secondsInMinute
        return isNegative ? -seconds : seconds
    }

    /// The text of a date in UTC, rounded down to the second.
    static func text(of date: Date) throws(CodingReason) -> String {
        let interval = date.timeIntervalSinceReferenceDate
        guard interval.isFinite else { throw CodingReason(CodingCode.nonFiniteNumber) }
        guard abs(interval) < maxInterval else { throw CodingReason(CodingCode.unencodable) }
        let (days, time) = Int64(interval.rounded(.down)).flooredQuotientAndRemainder(dividingBy: secondsInDay)
        let day = CalendarDay(number: days)
        guard 0...9999 ~= day.year else { throw CodingReason(CodingCode.unencodable) }
        return "\(day.text)T\(text(ofTime: time))Z"
    }

    private static func text(ofTime seconds: Int64) -> String {
        let hour = seconds / secondsInHour
        let minute = seconds % secondsInHour / secondsInMinute
        let second = seconds % secondsInMinute
        return "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))"
    }
}

// HTML's inputs, for the years 0001 to 9999 in a time zone: `2026-11-21` of `date`, and `2026-11-21T19:00` of
// `datetime-local`.
//
// A local time that is repeated or skipped, when clocks are set back or forward, is read with the offset before the
// change, as JavaScript does. So a repeated time is read as the first, and a skipped time moves later by as much as
// clocks are set forward.
extension DateGrammar {
    private static let years: ClosedRange<Int64> = 1...9999

    /// The date of a text; nil if the text has another form, or if the day does not exist in the calendar.
    ///
    /// HTML "parse a date string" and "parse a local date and time string", §2.3.5. A day without a time is read as its
    /// midnight.
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

    /// Reads the seconds that a time may have, `[ ":" 2DIGIT [ "." 1*DIGIT ] ]`; zero if there is no colon, nil if the
    /// text after it is anything else.
    private static func seconds(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> (whole: Int64, fraction: Double)? {
        guard cursor.skip(":", text) else { return (0, 0) }
        guard let second = cursor.seconds(text), let fraction = cursor.fraction(text) else { return nil }
        return (second, fraction)
    }

    /// The date at which clocks in a time zone show a time, given in seconds since the midnight of 1 January 2001.
    private static func date(ofLocal time: Int64, in timeZone: TimeZone) -> Date {
        // An offset is always less than a day. So a day before and a day after `time`, read as UTC, enclose the date to
        // find.
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

// The productions that the grammars of dates share.
extension TextCursor {
    /// Reads a day, `full-date = 4DIGIT "-" 2DIGIT "-" 2DIGIT` in RFC 3339; nil if the text is anything else, or if the
    /// day does not exist.
    mutating func fullDate(_ text: Span<UInt8>) -> CalendarDay? {
        guard let year = number(digits: 4, text), skip("-", text), let month = number(digits: 2, text), skip("-", text),
            let day = number(digits: 2, text)
        else { return nil }
        return CalendarDay(year: year, month: month, day: day)
    }

    /// Reads hours and minutes, `time-hour ":" time-minute` in RFC 3339, and returns them in minutes; nil if the text
    /// is anything else.
    mutating func hoursAndMinutes(_ text: Span<UInt8>) -> Int64? {
        guard let hour = number(digits: 2, text), skip(":", text), let minute = number(digits: 2, text), hour < 24,
            minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// Reads the seconds of a time, `time-second = 2DIGIT` in RFC 3339; nil if the text is anything else.
    mutating func seconds(_ text: Span<UInt8>) -> Int64? {
        guard let second = number(digits: 2, text), second < 60 else { return nil }
        return second
    }

    /// Reads the fraction of a second that a time may have, `[ "." 1*DIGIT ]`; zero if there is no point, nil if no
    /// digit follows the point.
    mutating func fraction(_ text: Span<UInt8>) -> Double? {
        guard skip(".", text) else { return 0 }
        var first = self
        // Uses at most 15 digits, because further ones exceed the precision of a date.
        let count = min(skipDigits(text).count, 15)
        guard count > 0, let value = first.number(digits: count, text) else { return nil }
        // The power is exact, because it has fewer than 23 digits.
        let power = (0..<count).reduce(1.0) { power, _ in power * 10 }
        return Double(value) / power
    }
}

/// A day of the Gregorian calendar.
///
/// For ``number``, years are counted from March, so that a leap day is the last day of its year, and in cycles of 400
/// years.
struct CalendarDay {
    /// The days from 1 March of the year 0 to 1 January 2001.
    private static let reference: Int64 = 730_791
    private static let daysInYear: Int64 = 365
    private static let daysInFourYears: Int64 = 1461
    private static let daysInCentury: Int64 = 36_524
    private static let daysInCycle: Int64 = 146_097

    let year: Int64
    let month: Int64
    let day: Int64

    /// Creates a day; nil if the day does not exist.
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

    /// The day that is `number` days after 1 January 2001.
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

    /// The number of days from 1 January 2001 to this day.
    var number: Int64 {
        let yearFromMarch = month < 3 ? year - 1 : year
        let (cycle, yearInCycle) = yearFromMarch.flooredQuotientAndRemainder(dividingBy: 400)
        let dayInYear = Self.days(inMonths: (month + 9) % 12) + day - 1
        return Self.daysInCycle * cycle + Self.days(inYears: yearInCycle) + dayInYear - Self.reference
    }

    /// `yyyy-MM-dd`, for the years 0 to 9999.
    var text: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }

    /// The days in the first years of a cycle.
    private static func days(inYears years: Int64) -> Int64 { daysInYear * years + years / 4 - years / 100 }

    /// The days in the first months of a year from March. Each five months have 31, 30, 31, 30 and 31 days, 153 in all.
    private static func days(inMonths months: Int64) -> Int64 { (153 * months + 2) / 5 }

    private static func monthFromMarch(of dayInYear: Int64) -> Int64 { (5 * dayInYear + 2) / 153 }
}

extension Int64 {
    /// The quotient rounded down, and the remainder, which is not negative.
    func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    func padded(to count: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
    }
}
