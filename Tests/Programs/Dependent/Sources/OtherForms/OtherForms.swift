/// A type of the same name as one of MultipartFormCodec, as Alamofire and multipart-kit have it.
public final class MultipartFormData {
    /// Makes one.
    public init() {}
}

/// Another, as multipart-kit has it.
public struct MultipartParser {
    /// Makes one.
    public init() {}
}
