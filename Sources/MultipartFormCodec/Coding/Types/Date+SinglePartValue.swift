#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reads and writes dates in the format that the options of the decoder or encoder select.
extension Date: SinglePartValue {
    static func read(_ part: ReceivedPart) throws(CodingReason) -> Date {
        switch part.options.dateDecoding.kind {
        case .iso8601:
            return try part.value(DateGrammar.date)
        case .html(let timeZone):
            return try part.value { DateGrammar.date($0, in: timeZone) }
        case .secondsSince1970: return Date(timeIntervalSince1970: try Double.read(part))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try Double.read(part) / 1000)
        case .deferredToDate: return Date(timeIntervalSinceReferenceDate: try Double.read(part))
        case .custom(let decode):
            let text = try part.nonEmptyText()
            return try CodingReason.wrap(.invalidValue) { try decode(text) }
        }
    }

    func encoded(_ options: FormDataEncoder) throws(CodingReason) -> EncodedPart {
        switch options.dateEncoding.kind {
        case .iso8601: return .text(try DateGrammar.text(of: self))
        case .secondsSince1970: return .text(try Self.text(of: timeIntervalSince1970))
        case .millisecondsSince1970: return .text(try Self.text(of: timeIntervalSince1970 * 1000))
        case .deferredToDate: return try timeIntervalSinceReferenceDate.encoded(options)
        case .custom(let encode): return .text(try CodingReason.wrap(ErrorCode.unencodable) { try encode(self) })
        }
    }

    /// Returns the text of a number of seconds or milliseconds. A whole number has no decimal point, because some
    /// receivers read only integers.
    private static func text(of number: Double) throws(CodingReason) -> String {
        guard number.isFinite else { throw CodingReason(ErrorCode.nonFiniteNumber) }
        return Int64(exactly: number)?.description ?? number.description
    }
}
