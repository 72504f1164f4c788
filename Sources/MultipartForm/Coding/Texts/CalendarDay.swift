/// A day of the Gregorian calendar.
///
/// Its number counts years from March, so that a leap day is the last of its year, and in cycles of 400 years.
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

    /// `yyyy-MM-dd`, for the years 0 to 9999.
    var text: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }

    /// The days in the first years of a cycle.
    private static func days(inYears years: Int64) -> Int64 { daysInYear * years + years / 4 - years / 100 }

    /// The days in the first months of a year from March: in five months 31, 30, 31, 30 and 31, which are 153.
    private static func days(inMonths months: Int64) -> Int64 { (153 * months + 2) / 5 }

    private static func monthFromMarch(of dayInYear: Int64) -> Int64 { (5 * dayInYear + 2) / 153 }
}

// The productions that the grammars of dates share.
extension TextCursor {
    /// `full-date = 4DIGIT "-" 2DIGIT "-" 2DIGIT`
    mutating func fullDate(_ text: Span<UInt8>) -> CalendarDay? {
        guard let year = number(digits: 4, text), skip("-", text), let month = number(digits: 2, text), skip("-", text),
            let day = number(digits: 2, text)
        else { return nil }
        return CalendarDay(year: year, month: month, day: day)
    }

    /// The minutes of `2DIGIT ":" 2DIGIT`.
    mutating func hoursAndMinutes(_ text: Span<UInt8>) -> Int64? {
        guard let hour = number(digits: 2, text), skip(":", text), let minute = number(digits: 2, text), hour < 24,
            minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// The seconds of `2DIGIT`.
    mutating func seconds(_ text: Span<UInt8>) -> Int64? {
        guard let second = number(digits: 2, text), second < 60 else { return nil }
        return second
    }

    /// `[ "." 1*DIGIT ]`; zero if there is no point.
    mutating func fraction(_ text: Span<UInt8>) -> Double? {
        guard skip(".", text) else { return 0 }
        var first = self
        // Further digits exceed the precision of a date.
        let count = min(skipDigits(text).count, 15)
        guard count > 0, let value = first.number(digits: count, text) else { return nil }
        // Exact, as the power has fewer than 23 digits.
        let power = (0..<count).reduce(1.0) { power, _ in power * 10 }
        return Double(value) / power
    }
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
