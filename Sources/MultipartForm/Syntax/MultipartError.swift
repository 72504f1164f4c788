/// Why a form could not be built, written, read or kept.
///
/// An error has an ``offset`` if received bytes caused it, and none if the program or its system did. Equality is by
/// code, offset and part.
///
/// From a message, an error quotes only these, made printable:
/// - The name of a field, a header field or a parameter, and a media or disposition type, each cut to 64 characters.
/// - A boundary that is not the expected one.
/// - A single byte that is forbidden where it is.
///
/// ```swift
/// do {
///     form = try MultipartFormData(parsing: body, contentType: contentType)
/// } catch let error as MultipartError {
///     return Response(status: error.httpStatus, text: error.httpStatus < 500 ? error.description : nil)
/// }
/// ```
public struct MultipartError: Error, Sendable {
    private typealias Values = (
        code: Code,
        reason: String?,
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

    /// One reference, so that `throws(MultipartError)` takes one register.
    private var box: Box

    /// Creates an error, for instance to test how a program handles it. With an offset, it counts as caused by received
    /// bytes and has the ``httpStatus`` of its code.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - offset: The offset in the received bytes.
    ///   - partIndex: The index of the part, from 0.
    ///   - partName: The name of the part's field.
    ///   - underlyingError: What the system, a stream or a sequence reported.
    public init(
        _ code: Code,
        offset: UInt64? = nil,
        partIndex: Int? = nil,
        partName: String? = nil,
        underlyingError: (any Error)? = nil
    ) {
        box = Box((code, nil, offset, partIndex, partName, nil, nil, nil, nil, nil, underlyingError))
    }

    /// Creates an error with details that its description prints.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - reason: What went wrong in this case, in words; nil for the code's own words.
    ///   - offset: The offset in the received bytes.
    ///   - partIndex: The index of the part, from 0.
    ///   - partName: The name of the part's field.
    ///   - limit: The limit that was exceeded.
    ///   - limitName: The option or route that sets the limit.
    ///   - path: The path of the file or directory, or the text of a URL that is not a file's.
    ///   - expectedLength: The declared length, in bytes.
    ///   - actualLength: The length found, in bytes.
    ///   - underlyingError: What the system, a stream or a sequence reported.
    package init(
        _ code: Code,
        _ reason: String? = nil,
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
                code, reason, offset, partIndex, partName, limit, limitName, path, expectedLength, actualLength,
                underlyingError
            )
        )
    }

    /// What went wrong, to branch on.
    public var code: Code { box.values.code }

    /// The offset of the offending byte; nil if no received bytes caused the error. It counts from the start of the
    /// message, of a header field's value that was parsed alone, or of a form's content that was read as text.
    public var offset: UInt64? { box.values.offset }

    /// The index of the part, from 0; nil if the error concerns no single part.
    public var partIndex: Int? { box.values.partIndex }

    /// The name of the part's field as it was sent, not escaped and not cut; nil if the part has no name, or if it is
    /// unknown.
    public var partName: String? { box.values.partName }

    /// The limit that was exceeded, for the codes that begin with `limit-`.
    public var limit: Int? { box.values.limit }

    /// The option, route or method that sets the ``limit``, such as `maxFieldBytes`, `disk(upTo:)` or
    /// `save(to:upTo:permissions:)`.
    public var limitName: String? { limit == nil ? nil : box.values.limitName ?? ErrorDetails.of(code)?.option }

    /// The path of a file that the program named, or of the directory of a temporary file; or the text of a URL that
    /// does not name a file.
    public var path: String? { box.values.path }

    /// The declared length in bytes, for ``Code/bodyPartLengthMismatch``.
    public var expectedLength: UInt64? { box.values.expectedLength }

    /// The length found in bytes, for ``Code/bodyPartLengthMismatch``; if the content is longer than declared, it is
    /// the declared length plus one.
    public var actualLength: UInt64? { box.values.actualLength }

    /// What the system, a stream or a sequence reported, for a log.
    public var underlyingError: (any Error)? { box.values.underlyingError }

    /// The HTTP status to respond with (RFC 9110 §15): 413 for a message that is too large, 415 for a wrong or missing
    /// media type, 400 for any other error of received bytes; 500 without an ``offset``.
    ///
    /// If the ``underlyingError`` is a ``MultipartError``, the status is that of the underlying error, so that a proxy
    /// answers 400 to a malformed message.
    public var httpStatus: Int {
        if let cause = underlyingError as? MultipartError { return cause.httpStatus }
        return offset == nil ? 500 : ErrorDetails.of(code)?.status ?? 400
    }

    /// An error at an offset in received bytes.
    init(_ code: Code, _ reason: String? = nil, at offset: Int, limit: Int? = nil) {
        self.init(code, reason, offset: UInt64(offset), limit: limit)
    }

    /// What went wrong, in words.
    package var reason: String { ownReason ?? ErrorDetails.of(code)?.reason(of: self) ?? code.rawValue }

    /// What went wrong in this case; nil if the code says it all.
    package var ownReason: String? { box.values.reason }

    func located(at index: Int, name: String?) -> MultipartError {
        var values = box.values
        values.partIndex = index
        values.partName = name
        var error = self
        error.box = Box(values)
        return error
    }

    /// Evaluates `call`; wraps an error that it throws in a ``MultipartError`` with a code and a path.
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
    /// Whether two errors have the same code, offset and part.
    public static func == (left: MultipartError, right: MultipartError) -> Bool {
        left.code == right.code && left.offset == right.offset && left.partIndex == right.partIndex
    }

    /// Hashes the code, the offset and the part.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(offset)
        hasher.combine(partIndex)
    }
}
