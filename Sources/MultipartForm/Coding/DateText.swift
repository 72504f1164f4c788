internal import Foundation

extension Date: FormLeaf {
    static func read(_ part: DecodedPart) throws(CodingProblem) -> Date {
        switch part.options.dateDecoding.kind {
        case .iso8601:
            let text = try part.nonEmptyText()
            guard let date = Date(internet: text.utf8.span) else { throw text.problem }
            return date
        case .secondsSince1970: return Date(timeIntervalSince1970: try Double.read(part))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try Double.read(part) / 1000)
        case .deferredToDate: return Date(timeIntervalSinceReferenceDate: try Double.read(part))
        case .custom(let decode):
            let text = try part.nonEmptyText().string()
            return try CodingProblem.wrap(.invalidValue) { try decode(text) }
        }
    }

    func encoded(_ options: FormDataEncoder) throws(CodingProblem) -> EncodedValue {
        switch options.dateEncoding.kind {
        case .iso8601: return .text(try internetText(hasFraction: false))
        case .iso8601WithFractionalSeconds: return .text(try internetText(hasFraction: true))
        case .secondsSince1970: return try timeIntervalSince1970.encoded(options)
        case .millisecondsSince1970: return try (timeIntervalSince1970 * 1000).encoded(options)
        case .deferredToDate: return try timeIntervalSinceReferenceDate.encoded(options)
        case .custom(let encode): return .text(try CodingProblem.wrap(.unencodable) { try encode(self) })
        }
    }
}

// RFC 3339 §5.6, for the years 0000 to 9999.
extension Date {
    private static let secondsInDay: Int64 = 86_400

    /// A date of the form `yyyy-MM-ddTHH:mm:ss[.f+](Z|±hh:mm)`.
    fileprivate init?(internet text: Span<UInt8>) {
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for index in range {
                guard ASCII.isDigit(text[index]) else { return nil }
                value = value * 10 + Int64(text[index] - UInt8(ascii: "0"))
            }
            return value
        }
        func isMark(_ character: Unicode.Scalar, _ index: Int) -> Bool { text[index] == UInt8(ascii: character) }

        guard text.count > 19, isMark("-", 4), isMark("-", 7), isMark("T", 10), isMark(":", 13), isMark(":", 16),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            let date = CalendarDay(year: year, month: month, day: day), hour < 24, minute < 60, second < 60
        else { return nil }

        var index = 19
        var fraction = 0.0
        if isMark(".", index) {
            index += 1
            let start = index
            while index < text.count, ASCII.isDigit(text[index]) { index += 1 }
            // Further digits are beyond the precision of a date.
            let digits = start..<Swift.min(index, start + 15)
            guard !digits.isEmpty, let value = number(digits) else { return nil }
            fraction = Double(value) / pow(10, Double(digits.count))
        }

        var offset: Int64 = 0
        switch text.count - index {
        case 1:
            guard isMark("Z", index) else { return nil }
        case 6:
            guard isMark("+", index) || isMark("-", index), isMark(":", index + 3),
                let hours = number(index + 1..<index + 3), let minutes = number(index + 4..<index + 6),
                hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (isMark("-", index) ? -60 : 60)
        default:
            return nil
        }
        let seconds = date.number * Self.secondsInDay + (hour * 60 + minute) * 60 + second - offset
        self.init(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    /// The date in UTC, cut to the second or rounded to the millisecond.
    fileprivate func internetText(hasFraction: Bool) throws(CodingProblem) -> String {
        let interval = timeIntervalSinceReferenceDate
        guard interval.isFinite else { throw CodingProblem(.nonFiniteNumber) }
        // Beyond these, the year has five digits, and the number may not fit.
        guard abs(interval) < 1e12 else { throw CodingProblem(.unencodable) }
        let milliseconds = Int64(hasFraction ? (interval * 1000).rounded() : interval.rounded(.down) * 1000)
        let (seconds, fraction) = milliseconds.flooredQuotientAndRemainder(dividingBy: 1000)
        let (days, time) = seconds.flooredQuotientAndRemainder(dividingBy: Self.secondsInDay)
        let day = CalendarDay(number: days)
        guard 0...9999 ~= day.year else { throw CodingProblem(.unencodable) }
        let date = "\(day.year.padded(to: 4))-\(day.month.padded(to: 2))-\(day.day.padded(to: 2))"
        let clock = [time / 3600, time / 60 % 60, time % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        return "\(date)T\(clock)\(hasFraction ? ".\(fraction.padded(to: 3))" : "")Z"
    }
}

/// A day of the Gregorian calendar.
private struct CalendarDay {
    /// The days from 1 March of the year 0 to 1 January 2001.
    private static let reference: Int64 = 730_791
    private static let daysInCycle: Int64 = 146_097

    let year: Int64
    let month: Int64
    let day: Int64

    /// A day that exists.
    init?(year: Int64, month: Int64, day: Int64) {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let last: Int64 = month == 2 ? isLeap ? 29 : 28 : [4, 6, 9, 11].contains(month) ? 30 : 31
        guard 1...12 ~= month, 1...last ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day so many days after 1 January 2001.
    ///
    /// Years begin in March here, so that a leap day is the last of its year, and are counted in cycles of 400.
    init(number: Int64) {
        let (cycle, inCycle) = (number + Self.reference).flooredQuotientAndRemainder(dividingBy: Self.daysInCycle)
        let leapDays = inCycle / 1460 - inCycle / 36_524 + inCycle / 146_096
        let yearInCycle = (inCycle - leapDays) / 365
        let inYear = inCycle - (365 * yearInCycle + yearInCycle / 4 - yearInCycle / 100)
        // Months of 31, 30, 31, 30 and 31 days: 153 in five.
        let march = (5 * inYear + 2) / 153
        month = march < 10 ? march + 3 : march - 9
        day = inYear - (153 * march + 2) / 5 + 1
        year = 400 * cycle + yearInCycle + (month < 3 ? 1 : 0)
    }

    /// The days from 1 January 2001.
    var number: Int64 {
        let (cycle, yearInCycle) = (month < 3 ? year - 1 : year).flooredQuotientAndRemainder(dividingBy: 400)
        let march = (month + 9) % 12
        let inYear = (153 * march + 2) / 5 + day - 1
        return Self.daysInCycle * cycle + 365 * yearInCycle + yearInCycle / 4 - yearInCycle / 100 + inYear
            - Self.reference
    }
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
