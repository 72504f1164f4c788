/// Where the name and the value of a header field stand in a text.
package struct FieldPlace: Sendable, BitwiseCopyable {
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
