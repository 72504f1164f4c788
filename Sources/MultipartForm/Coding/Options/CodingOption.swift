/// An option of a coder, which prints as the name of its choice: `.brackets`.
protocol CodingOption: CustomStringConvertible, Sendable {
    associatedtype Kind

    var kind: Kind { get }
}

extension CodingOption {
    /// The name of the choice, without the closure or the parameters that it may have.
    var choice: String { ".\(String(describing: kind).prefix { $0 != "(" })" }
}
