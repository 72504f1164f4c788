/// What has been asked of a node or a part.
struct DecodingMarks {
    /// The most looks at a value: far more than a type needs that tries every shape.
    private static let mostLooks: UInt16 = 1000

    /// The most looks at all absent values of a form with so many names.
    static func mostLooks(atAbsentValuesOf names: Int) -> Int { Int(mostLooks) * max(names, 16) }

    /// Whether it was requested.
    var isRead = false
    /// Whether it is a node that was decoded as an array, whose elements are marked as read one by one.
    var isArray = false
    private var looks: UInt16 = 0

    /// Counts a look; false if there were too many.
    mutating func look() -> Bool {
        guard looks < Self.mostLooks else { return false }
        looks += 1
        return true
    }
}
