/// An option of a coder, which prints as it is written: `.brackets`.
protocol CodingOption: CustomStringConvertible, Sendable {
    associatedtype Kind

    var kind: Kind { get }
}

extension CodingOption {
    /// The option as it is written, without what a closure or a parameter adds.
    public var description: String { ".\(String(describing: kind).prefix { $0 != "(" })" }
}
