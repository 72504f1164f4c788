internal import Foundation

/// The grammar of dates in RFC 3339 §5.6, for the years 0000 to 9999: `yyyy-MM-ddTHH:mm:ss[.f+](Z|±hh:mm)`.
enum InternetDate {
    private static let secondsInMinute: Int64 = 60
    private static let secondsInHour: Int64 = 3600
    private static let secondsInDay: Int64 = 86_400
    private static let millisecondsInSecond: Int64 = 1000

    /// The date of a text; nil if it has another form, or the day or the time does not exist.
    static func date(_ text: Span<UInt8>) -> Date? {
        var cursor = TextCursor()
        guard let day = fullDate(&cursor, text), cursor.skip("T", text), let time = partialTime(&cursor, text),
            let fraction = fraction(&cursor, text), let offset = timeOffset(&cursor, text), cursor.isAtEnd(text)
        else { return nil }
        let seconds = day.number * secondsInDay + time - offset
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    /// `full-date = 4DIGIT "-" 2DIGIT "-" 2DIGIT`
    private static func fullDate(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> CalendarDay? {
        guard let year = cursor.number(digits: 4, text), cursor.skip("-", text),
            let month = cursor.number(digits: 2, text), cursor.skip("-", text),
            let day = cursor.number(digits: 2, text)
        else { return nil }
        return CalendarDay(year: year, month: month, day: day)
    }

    /// The seconds since midnight: `2DIGIT ":" 2DIGIT ":" 2DIGIT`.
    private static func partialTime(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> Int64? {
        guard let minutes = hoursAndMinutes(&cursor, text), cursor.skip(":", text),
            let second = cursor.number(digits: 2, text), second < 60
        else { return nil }
        return minutes * secondsInMinute + second
    }

    /// The minutes of `2DIGIT ":" 2DIGIT`.
    private static func hoursAndMinutes(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> Int64? {
        guard let hour = cursor.number(digits: 2, text), cursor.skip(":", text),
            let minute = cursor.number(digits: 2, text), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// `[ "." 1*DIGIT ]`; zero if there is no point.
    private static func fraction(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> Double? {
        guard cursor.skip(".", text) else { return 0 }
        var first = cursor
        // Further digits exceed the precision of a date.
        let count = min(cursor.skipDigits(text).count, 15)
        guard count > 0, let value = first.number(digits: count, text) else { return nil }
        return Double(value) / pow(10, Double(count))
    }

    /// The seconds of `"Z" / ( "+" / "-" ) 2DIGIT ":" 2DIGIT`.
    private static func timeOffset(_ cursor: inout TextCursor, _ text: Span<UInt8>) -> Int64? {
        if cursor.skip("Z", text) { return 0 }
        guard let isNegative = cursor.skipSign(text), let minutes = hoursAndMinutes(&cursor, text) else { return nil }
        let seconds = minutes * secondsInMinute
        return isNegative ? -seconds : seconds
    }

    /// The text of a date in UTC, rounded down to the second or rounded to the millisecond.
    static func text(of date: Date, hasFraction: Bool) throws(CodingProblem) -> String {
        let interval = date.timeIntervalSinceReferenceDate
        guard interval.isFinite else { throw CodingProblem(.nonFiniteNumber) }
        // Outside of these, the year has five digits, and the number may not fit.
        guard abs(interval) < 1e12 else { throw CodingProblem(.unencodable) }
        let milliseconds = Int64(hasFraction ? (interval * 1000).rounded() : interval.rounded(.down) * 1000)
        let (seconds, fraction) = milliseconds.flooredQuotientAndRemainder(dividingBy: millisecondsInSecond)
        let (days, time) = seconds.flooredQuotientAndRemainder(dividingBy: secondsInDay)
        let day = CalendarDay(number: days)
        guard 0...9999 ~= day.year else { throw CodingProblem(.unencodable) }
        let suffix = hasFraction ? ".\(fraction.padded(to: 3))Z" : "Z"
        return "\(text(of: day))T\(text(ofTime: time))\(suffix)"
    }

    private static func text(of day: CalendarDay) -> String {
        "\(day.year.padded(to: 4))-\(day.month.padded(to: 2))-\(day.day.padded(to: 2))"
    }

    private static func text(ofTime seconds: Int64) -> String {
        let hour = seconds / secondsInHour
        let minute = seconds % secondsInHour / secondsInMinute
        let second = seconds % secondsInMinute
        return "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))"
    }
}

/// A day of the Gregorian calendar.
///
/// Its number counts years from March, so that a leap day is the last of its year, and in cycles of 400 years.
private struct CalendarDay {
    /// The days from 1 March of the year 0 to 1 January 2001.
    private static let reference: Int64 = 730_791
    private static let daysInYear: Int64 = 365
    private static let daysInFourYears: Int64 = 1461
    private static let daysInCentury: Int64 = 36_524
    private static let daysInCycle: Int64 = 146_097

    let year: Int64
    let month: Int64
    let day: Int64

    /// A day that exists.
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

    /// The days from 1 January 2001.
    var number: Int64 {
        let yearFromMarch = month < 3 ? year - 1 : year
        let (cycle, yearInCycle) = yearFromMarch.flooredQuotientAndRemainder(dividingBy: 400)
        let dayInYear = Self.days(inMonths: (month + 9) % 12) + day - 1
        return Self.daysInCycle * cycle + Self.days(inYears: yearInCycle) + dayInYear - Self.reference
    }

    /// The days in the first years of a cycle.
    private static func days(inYears years: Int64) -> Int64 { daysInYear * years + years / 4 - years / 100 }

    /// The days in the first months of a year from March: in five months 31, 30, 31, 30 and 31, which are 153.
    private static func days(inMonths months: Int64) -> Int64 { (153 * months + 2) / 5 }

    private static func monthFromMarch(of dayInYear: Int64) -> Int64 { (5 * dayInYear + 2) / 153 }
}

extension Int64 {
    /// The quotient rounded down, and the remainder, which is not negative.
    fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    fileprivate func padded(to count: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
    }
}
