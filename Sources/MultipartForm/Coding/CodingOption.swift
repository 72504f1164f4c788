/// An option of a coder, which prints as the name of its choice: `.brackets`.
protocol CodingOption: CustomStringConvertible, Sendable {
    associatedtype Kind

    var kind: Kind { get }
}

extension CodingOption {
    /// The name of the choice, without the closure or the parameters that it may have.
    var choice: String { ".\(String(describing: kind).prefix { $0 != "(" })" }
}

/// The limit of all limits of depth.
enum CodingDepth {
    /// The most steps, whatever `maxDepth` is, and the most levels of JSON.
    ///
    /// A step is a key, an element, or a value that replaces another in a single-value container. Each has frames of the
    /// type, the standard library and the coder on the stack. Threads may have stacks of 512 KiB. A step of a type that
    /// tries several shapes takes up to 4 KiB in an unoptimised build; the ceiling leaves as much again for larger frames.
    static let ceiling = 64
}
