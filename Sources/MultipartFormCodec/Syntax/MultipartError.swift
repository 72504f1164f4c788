/// An error in building, encoding, parsing, storing or decoding a form.
///
/// The errors of ``FormDataEncoder`` and ``FormDataDecoder`` are `EncodingError` and `DecodingError`, as those of other
/// coders. Each has a `MultipartError` as its underlying error, which ``init(_:)`` returns.
///
/// ```swift
/// do {
///     profile = try FormDataDecoder().decode(Profile.self, from: body, contentType: contentType)
/// } catch {
///     let refusal = MultipartError(error)
///     return Response(status: refusal?.httpStatus ?? 500, text: refusal?.clientMessage ?? "upload failed")
/// }
/// ```
///
/// Two errors are equal if they have the same code, offset and part index.
///
/// An error's description quotes only the following text of a message, and escapes unprintable characters:
/// - The name of a field, of a header field or of a parameter, cut to 64 characters.
/// - A media type or a disposition type, cut to 64 characters.
/// - The boundary at the start of the message and the boundary in the Content-Type, if the two differ.
/// - A single byte that is forbidden at its position.
public struct MultipartError: Error, Sendable {
    private typealias Values = (
        code: Code,
        reason: String?,
        isOfForm: Bool,
        offset: UInt64?,
        partIndex: Int?,
        partName: String?,
        limit: Int?,
        limitName: String?,
        path: String?,
        expectedLength: UInt64?,
        actualLength: UInt64?,
        underlyingError: (any Error)?
    )

    private final class Box: Sendable {
        let values: Values

        init(_ values: Values) {
            self.values = values
        }
    }

    /// All values behind one reference, so that `throws(MultipartError)` takes only one register.
    private var box: Box

    /// Creates an error, for example to test how a program handles errors.
    ///
    /// The error has the ``httpStatus`` of its code.
    ///
    /// - Parameters:
    ///   - code: The error's code.
    ///   - offset: The offset of the offending byte in the received bytes.
    ///   - partIndex: The index of the part, from 0.
    ///   - partName: The name of the part.
    ///   - underlyingError: The error from the system, a stream, a sequence or a closure.
    @_disfavoredOverload  // Within the package, `MultipartError(code)` calls the initializer below.
    public init(
        _ code: Code,
        offset: UInt64? = nil,
        partIndex: Int? = nil,
        partName: String? = nil,
        underlyingError: (any Error)? = nil
    ) {
        box = Box((code, nil, true, offset, partIndex, partName, nil, nil, nil, nil, nil, underlyingError))
    }

    /// Creates an error with any of its details.
    ///
    /// - Parameters:
    ///   - code: The error's code.
    ///   - reason: The reason in this case, in words; nil for the general reason of the code.
    ///   - isOfForm: Whether a received form caused the error. If false, the program or the system caused the error,
    ///     and the status is 500. The default is true if there is an offset, otherwise false.
    ///   - offset: The offset of the offending byte in the received bytes.
    ///   - partIndex: The index of the part, from 0.
    ///   - partName: The name of the part.
    ///   - limit: The limit that was exceeded.
    ///   - limitName: The name of the option, ``MultipartCollector/Route`` or method that sets the limit.
    ///   - path: The path of the file or directory, or the text of a URL that does not name a file.
    ///   - expectedLength: The declared length, in bytes.
    ///   - actualLength: The length that was found, in bytes.
    ///   - underlyingError: The error from the system, a stream, a sequence or a closure.
    package init(
        _ code: Code,
        _ reason: String? = nil,
        isOfForm: Bool? = nil,
        offset: UInt64? = nil,
        partIndex: Int? = nil,
        partName: String? = nil,
        limit: Int? = nil,
        limitName: String? = nil,
        path: String? = nil,
        expectedLength: UInt64? = nil,
        actualLength: UInt64? = nil,
        underlyingError: (any Error)? = nil
    ) {
        box = Box(
            (
                code, reason, isOfForm ?? (offset != nil), offset, partIndex, partName, limit, limitName, path,
                expectedLength, actualLength, underlyingError
            )
        )
    }

    /// The error's code, for a program to compare.
    public var code: Code { box.values.code }

    /// The offset of the offending byte; nil if the parser did not throw the error.
    ///
    /// The first byte of the parsed input has offset 0. Depending on the call, the input is one of these:
    /// - A message.
    /// - A boundary, or the value of a header field.
    /// - The content of a part, if the content is decoded as text.
    public var offset: UInt64? { box.values.offset }

    /// The index of the part, from 0; nil if the error does not concern one particular part.
    public var partIndex: Int? { box.values.partIndex }

    /// The part's name as it was sent, neither escaped nor cut; nil if the part has no name, or if the name is unknown.
    ///
    /// If no part was sent for a value, this is the name that the part would have, such as `items[0][qty]`.
    public var partName: String? { box.values.partName }

    /// The limit that was exceeded; nil for any other error.
    public var limit: Int? { box.values.limit }

    /// The name of the option, ``MultipartCollector/Route`` or method that sets the ``limit``, such as `maxFieldBytes`,
    /// `disk(upTo:)` or `save(to:upTo:permissions:)`.
    public var limitName: String? { limit == nil ? nil : box.values.limitName ?? ErrorDetails.of(code)?.option }

    /// The path of the file that the error concerns; nil if the error concerns no file.
    ///
    /// In these cases, the path has another value:
    /// - If a temporary file cannot be created or written, the path is the path of the file's directory.
    /// - If a temporary file cannot be read, the path is nil.
    /// - If a URL does not name a file, the path is the text of the URL.
    public var path: String? { box.values.path }

    /// The declared length in bytes, if the ``code`` is ``Code/bodyPartLengthMismatch``; otherwise nil.
    public var expectedLength: UInt64? { box.values.expectedLength }

    /// The number of bytes that were found, if the ``code`` is ``Code/bodyPartLengthMismatch``; otherwise nil.
    ///
    /// If the content is longer than declared, the number is the declared length plus one.
    public var actualLength: UInt64? { box.values.actualLength }

    /// The error from the system, a stream, a sequence, a closure, a type's own coding or a JSON coder, for a log.
    public var underlyingError: (any Error)? { box.values.underlyingError }

    /// The HTTP status for the response (RFC 9110 §15).
    ///
    /// - 413 if a received form exceeds a limit, except the limit of the preamble.
    /// - 415 if the media type is wrong or missing.
    /// - 400 for any other error that a received form caused.
    /// - 500 if the program or the system caused the error.
    ///
    /// If the ``underlyingError`` is a ``MultipartError``, the error has the status of the underlying error. For
    /// example, a proxy encodes a form with content from a received message. If the received message is malformed, the
    /// status is 400.
    public var httpStatus: Int {
        if let cause = underlyingError as? MultipartError { return cause.httpStatus }
        return isOfForm ? ErrorDetails.of(code)?.status ?? 400 : 500
    }

    /// Returns the `MultipartError` that `error` is or contains; nil for any other error.
    ///
    /// An `EncodingError` of ``FormDataEncoder`` and a `DecodingError` of ``FormDataDecoder`` contain a
    /// `MultipartError`.
    ///
    /// - Parameter error: The error that a call threw.
    public init?(_ error: any Error) {
        let cause: (any Error)? =
            switch error {
            case EncodingError.invalidValue(_, let context): context.underlyingError
            case DecodingError.keyNotFound(_, let context): context.underlyingError
            case DecodingError.valueNotFound(_, let context): context.underlyingError
            case DecodingError.typeMismatch(_, let context): context.underlyingError
            case DecodingError.dataCorrupted(let context): context.underlyingError
            default: error
            }
        guard let cause = cause as? MultipartError else { return nil }
        self = cause
    }

    /// Creates an error at an offset in received bytes.
    init(_ code: Code, _ reason: String? = nil, at offset: Int, limit: Int? = nil) {
        self.init(code, reason, offset: UInt64(offset), limit: limit)
    }

    /// The reason for the error, in words.
    package var reason: String { ownReason ?? ErrorDetails.of(code)?.reason(of: self) ?? code.rawValue }

    /// Whether a received form caused the error. If false, the program or the system caused the error.
    var isOfForm: Bool { box.values.isOfForm }

    /// The specific reason for this error, in words; nil if the error has only the general reason of its code.
    package var ownReason: String? { box.values.reason }

    func located(at index: Int, name: String?) -> MultipartError {
        var values = box.values
        values.partIndex = index
        values.partName = name
        var error = self
        error.box = Box(values)
        return error
    }

    /// Returns the result of `call`. If `call` throws an error, throws a ``MultipartError`` with that error as the
    /// underlying error.
    static func wrap<Result>(
        _ code: Code,
        path: String? = nil,
        _ call: @autoclosure () throws -> Result
    ) throws(MultipartError) -> Result {
        do {
            return try call()
        } catch {
            throw MultipartError(code, path: path, underlyingError: error)
        }
    }
}

extension MultipartError: Hashable {
    /// Whether two errors have the same code, offset and part index.
    public static func == (left: MultipartError, right: MultipartError) -> Bool {
        left.code == right.code && left.offset == right.offset && left.partIndex == right.partIndex
    }

    /// Hashes the code, the offset and the part index.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(offset)
        hasher.combine(partIndex)
    }
}
