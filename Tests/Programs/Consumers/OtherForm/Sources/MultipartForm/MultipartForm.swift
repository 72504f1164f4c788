/// The type of another package's module.
public struct MultipartForm: Sendable {
    /// Creates a form.
    public init() {}
}
