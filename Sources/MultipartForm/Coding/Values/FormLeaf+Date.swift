#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Date: FormLeaf {
    static func read(_ part: DecodedPart) throws(CodingProblem) -> Date {
        switch part.options.dateDecoding.kind {
        case .iso8601:
            let text = try part.nonEmptyText()
            guard let date = InternetDate.date(text.utf8.span) else { throw text.problem }
            return date
        case .html(let timeZone):
            let text = try part.nonEmptyText()
            guard let date = LocalDate.date(text.utf8.span, in: timeZone) else { throw text.problem }
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
        case .iso8601: return .text(try InternetDate.text(of: self, hasFraction: false))
        case .iso8601WithFractionalSeconds: return .text(try InternetDate.text(of: self, hasFraction: true))
        case .htmlDate(let timeZone): return .text(try LocalDate.dayText(of: self, in: timeZone))
        case .htmlDateTimeLocal(let timeZone): return .text(try LocalDate.dayAndTimeText(of: self, in: timeZone))
        case .secondsSince1970: return .text(try Self.text(of: timeIntervalSince1970))
        case .millisecondsSince1970: return .text(try Self.text(of: timeIntervalSince1970 * 1000))
        case .deferredToDate: return try timeIntervalSinceReferenceDate.encoded(options)
        case .custom(let encode): return .text(try CodingProblem.wrap(.unencodable) { try encode(self) })
        }
    }

    /// A number of seconds or milliseconds, written as an integer if it is one: not all receivers read others.
    private static func text(of number: Double) throws(CodingProblem) -> String {
        guard number.isFinite else { throw CodingProblem(.nonFiniteNumber) }
        return Int64(exactly: number)?.description ?? number.description
    }
}
