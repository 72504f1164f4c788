#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The grammar of dates in RFC 3339 §5.6, for the years 0000 to 9999: `yyyy-MM-ddTHH:mm:ss[.f+](Z|±hh:mm)`.
enum InternetDate {
    private static let secondsInMinute: Int64 = 60
    private static let secondsInHour: Int64 = 3600
    private static let secondsInDay: Int64 = 86_400
    private static let millisecondsInSecond: Int64 = 1000

    /// An interval beyond which the year has five digits, and the number may not fit.
    static let greatestInterval = 1e12

    /// The date of a text; nil if it has another form, or the day or the time does not exist.
    static func date(_ text: Span<UInt8>) -> Date? {
        var cursor = TextCursor()
        guard let day = cursor.fullDate(text), cursor.skip("T", text), let time = partialTime(&cursor, text),
            let fraction = cursor.fraction(text), let offset = timeOffset(&cursor, text), cursor.isAtEnd(text)
        else { return nil }
        let seconds = day.number * secondsInDay + time - offset
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    /// The seconds since midnight: `2DIGIT ":" 2DIGIT ":" 2DIGIT`.
    private static func partialTime(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> Int64? {
        guard let minutes = cursor.hoursAndMinutes(text), cursor.skip(":", text), let second = cursor.seconds(text)
        else {
            return nil
        }
        return minutes * secondsInMinute + second
    }

    /// The seconds of `"Z" / ( "+" / "-" ) 2DIGIT ":" 2DIGIT`.
    private static func timeOffset(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> Int64? {
        if cursor.skip("Z", text) { return 0 }
        guard let isNegative = cursor.skipSign(text), let minutes = cursor.hoursAndMinutes(text) else { return nil }
        let seconds = minutes * secondsInMinute
        return isNegative ? -seconds : seconds
    }

    /// The text of a date in UTC, rounded down to the second or rounded to the millisecond.
    static func text(of date: Date, hasFraction: Bool) throws(CodingProblem) -> String {
        let interval = date.timeIntervalSinceReferenceDate
        guard interval.isFinite else { throw CodingProblem(.nonFiniteNumber) }
        guard abs(interval) < greatestInterval else { throw CodingProblem(.unencodable) }
        let milliseconds = Int64(hasFraction ? (interval * 1000).rounded() : interval.rounded(.down) * 1000)
        let (seconds, fraction) = milliseconds.flooredQuotientAndRemainder(dividingBy: millisecondsInSecond)
        let (days, time) = seconds.flooredQuotientAndRemainder(dividingBy: secondsInDay)
        let day = CalendarDay(number: days)
        guard 0...9999 ~= day.year else { throw CodingProblem(.unencodable) }
        let suffix = hasFraction ? ".\(fraction.padded(to: 3))Z" : "Z"
        return "\(day.text)T\(text(ofTime: time))\(suffix)"
    }

    private static func text(ofTime seconds: Int64) -> String {
        let hour = seconds / secondsInHour
        let minute = seconds % secondsInHour / secondsInMinute
        let second = seconds % secondsInMinute
        return "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))"
    }
}
