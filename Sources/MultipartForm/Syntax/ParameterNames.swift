/// The names of a header field's parameters, to tell whether one occurs twice.
///
/// - Input: the places of names, in order.
/// - Output: where a name stands that stood before, letter case ignored.
/// - Cost: O(*n* log *n*) comparisons, once; nothing is copied.
struct ParameterNames {
    private var places: [Range<Int>] = []

    /// Takes the next name.
    mutating func append(_ place: Range<Int>) {
        places.append(place)
    }

    /// The offset of the first name that stood before; nil if there is none.
    func firstRepetition(in bytes: Span<UInt8>) -> Int? {
        guard places.count > 1 else { return nil }
        var sorted = places
        sorted.sort { left, right in
            let order = Self.order(left, right, in: bytes)
            return order == 0 ? left.lowerBound < right.lowerBound : order < 0
        }
        var first: Int?
        for (name, next) in zip(sorted, sorted.dropFirst()) where Self.order(name, next, in: bytes) == 0 {
            first = min(first ?? next.lowerBound, next.lowerBound)
        }
        return first
    }

    /// Negative, zero or positive, as one name comes before, is, or comes behind another.
    private static func order(_ left: Range<Int>, _ right: Range<Int>, in bytes: Span<UInt8>) -> Int {
        guard left.count == right.count else { return left.count - right.count }
        let left = bytes.extracting(left)
        let right = bytes.extracting(right)
        for index in 0..<left.count {
            let difference = Int(ASCII.lowercased(left[index])) - Int(ASCII.lowercased(right[index]))
            if difference != 0 { return difference }
        }
        return 0
    }
}
