/// Where the names and values of header fields stand in a run of bytes.
///
/// Most parts have one or two fields, whose places need no allocation.
package struct FieldPlaces: Sendable {
    /// Where one field stands.
    package struct Place: Sendable, Hashable {
        private let nameStart: UInt32
        private let nameEnd: UInt32
        private let valueStart: UInt32
        private let valueEnd: UInt32

        /// Creates a place from two ranges below 4 GiB.
        package init(name: Range<Int>, value: Range<Int>) {
            nameStart = UInt32(name.lowerBound)
            nameEnd = UInt32(name.upperBound)
            valueStart = UInt32(value.lowerBound)
            valueEnd = UInt32(value.upperBound)
        }

        /// The name's bytes.
        package var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }

        /// The value's bytes.
        package var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    }

    private var first = Place(name: 0..<0, value: 0..<0)
    private var second = Place(name: 0..<0, value: 0..<0)
    private var others: [Place] = []

    /// How many fields there are.
    package private(set) var count = 0

    /// Creates an empty list.
    package init() {}

    /// Creates a list of places.
    package init(_ places: some Sequence<Place>) {
        for place in places { append(place) }
    }

    /// Removes all places, but keeps the memory for more.
    package mutating func removeAll() {
        others.removeAll(keepingCapacity: true)
        count = 0
    }

    /// Appends a place.
    package mutating func append(_ place: Place) {
        switch count {
        case 0: first = place
        case 1: second = place
        default:
            if count == 2 { others.reserveCapacity(8) }
            others.append(place)
        }
        count += 1
    }
}

extension FieldPlaces: RandomAccessCollection, MutableCollection {
    /// The index of the first place.
    package var startIndex: Int { 0 }

    /// The index behind the last place.
    package var endIndex: Int { count }

    /// The place at an index.
    package subscript(position: Int) -> Place {
        get {
            precondition(position < count, "no field at this index")
            return position == 0 ? first : position == 1 ? second : others[position - 2]
        }
        set {
            precondition(position < count, "no field at this index")
            switch position {
            case 0: first = newValue
            case 1: second = newValue
            default: others[position - 2] = newValue
            }
        }
    }
}
