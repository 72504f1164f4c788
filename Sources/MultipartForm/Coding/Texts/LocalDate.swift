#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The dates of HTML's inputs, for the years 0001 to 9999 in a time zone: `2026-11-21` of `date`, and `2026-11-21T19:00` of
/// `datetime-local`.
///
/// A local time that the clock skips or repeats is read with the offset before the change, as JavaScript does: of one that
/// is repeated, it is the first, and one that is skipped moves later by what the clock is set forward.
enum LocalDate {
    private static let secondsInMinute: Int64 = 60
    private static let secondsInDay: Int64 = 86_400
    private static let years: ClosedRange<Int64> = 1...9999

    /// The date of a text; nil if it has another form, or the day does not exist in the calendar.
    ///
    /// HTML "parse a date string" and "parse a local date and time string", §2.3.5. A day alone is its midnight.
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

    /// `[ ":" 2DIGIT [ "." 1*DIGIT ] ]`
    private static func seconds(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> (Int64, fraction: Double)? {
        guard cursor.skip(":", text) else { return (0, 0) }
        guard let second = cursor.seconds(text), let fraction = cursor.fraction(text) else { return nil }
        return (second, fraction)
    }

    /// The date at which clocks of a time zone show a time, in seconds since the midnight of 1 January 2001.
    private static func date(ofLocal time: Int64, in timeZone: TimeZone) -> Date {
        // No offset is a day long, so these dates are before and after the one that is sought.
        let before = offset(of: timeZone, at: time - secondsInDay)
        let after = offset(of: timeZone, at: time + secondsInDay)
        let isAfterChange =
            offset(of: timeZone, at: time - before) != before && offset(of: timeZone, at: time - after) == after
        return Date(timeIntervalSinceReferenceDate: Double(time - (isAfterChange ? after : before)))
    }

    private static func offset(of timeZone: TimeZone, at time: Int64) -> Int64 {
        Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(time))))
    }

    /// The day of a date in a time zone: `2026-11-21`.
    static func dayText(of date: Date, in timeZone: TimeZone) throws(CodingProblem) -> String {
        try local(date, timeZone).day.text
    }

    /// The day and the time of a date in a time zone, as short as possible: `2026-11-21T19:00`, or `2026-11-21T19:00:05`.
    /// A fraction of a second is left out.
    static func dayAndTimeText(of date: Date, in timeZone: TimeZone) throws(CodingProblem) -> String {
        let (day, time) = try local(date, timeZone)
        let (minutes, second) = time.quotientAndRemainder(dividingBy: secondsInMinute)
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        let suffix = second == 0 ? "" : ":\(second.padded(to: 2))"
        return "\(day.text)T\(hour.padded(to: 2)):\(minute.padded(to: 2))\(suffix)"
    }

    /// The day, and the seconds since its midnight.
    private static func local(_ date: Date, _ timeZone: TimeZone) throws(CodingProblem) -> (day: CalendarDay, Int64) {
        let interval = date.timeIntervalSinceReferenceDate
        guard interval.isFinite else { throw CodingProblem(.nonFiniteNumber) }
        guard abs(interval) < InternetDate.greatestInterval else { throw CodingProblem(.unencodable) }
        let time = Int64(interval.rounded(.down)) + Int64(timeZone.secondsFromGMT(for: date))
        let (days, seconds) = time.flooredQuotientAndRemainder(dividingBy: secondsInDay)
        let day = CalendarDay(number: days)
        guard years.contains(day.year) else { throw CodingProblem(.unencodable) }
        return (day, seconds)
    }
}
