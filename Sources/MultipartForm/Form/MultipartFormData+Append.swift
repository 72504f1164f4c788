#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Appends parts to forms, under Alamofire's names.
extension MultipartFormData {
    /// Appends bytes in memory, such as an image that was just drawn.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name; nil for a part that is not a file.
    ///   - mimeType: The media type; if it is not `type/subtype`, encoding throws `invalid-header-value`. Nil for none,
    ///     but a file without one gets application/octet-stream.
    public mutating func append(
        _ data: Data,
        withName name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) {
        list.append(.data(data), name: name, filename: fileName, contentType: mimeType)
    }

    /// Appends a text field in UTF-8, such as a text that a user has typed, or a number. Nil appends nothing.
    ///
    /// ```swift
    /// form.append("Ada", withName: "author")
    /// form.append(caption, withName: "caption")  // a String?
    /// form.append(36, withName: "age")
    /// ```
    ///
    /// - Parameters:
    ///   - value: The field's value, sent as its `description`, such as `36`, `1.5` or `true`; nil appends nothing.
    ///   - name: The field's name.
    ///   - mimeType: The media type; nil for none, as browsers send text. If its charset decodes the UTF-8 bytes to
    ///     another text, the part has a ``BodyPart/error``.
    ///   - normalizingNewlines: Whether each lone CR and lone LF becomes CR LF, as browsers send text.
    @inlinable
    public mutating func append(
        _ value: (some LosslessStringConvertible)?,
        withName name: String,
        mimeType: String? = nil,
        normalizingNewlines: Bool = false
    ) {
        guard let value else { return }
        append(text: value.description, name, mimeType, normalizingNewlines)
    }

    /// Appends the raw value of an enumeration or a structure as a text field.
    ///
    /// - Parameters:
    ///   - value: The field's value, sent as the `description` of its raw value; nil appends nothing.
    ///   - name: The field's name.
    ///   - mimeType: The media type; nil for none, as browsers send text.
    @_disfavoredOverload
    @inlinable
    public mutating func append<Value: RawRepresentable>(
        _ value: Value?,
        withName name: String,
        mimeType: String? = nil
    ) where Value.RawValue: LosslessStringConvertible {
        // Disfavored, so that a type with both conformances is sent as its own description. Without this overload,
        // Swift 6.3.1 fails without a message for an optional enumeration.
        append(value?.rawValue, withName: name, mimeType: mimeType)
    }

    @usableFromInline
    mutating func append(text: String, _ name: String, _ mimeType: String?, _ normalizesNewlines: Bool) {
        if normalizesNewlines {
            let text = String(decoding: ASCII.normalizingLineBreaks(text.utf8), as: UTF8.self)
            append(text: text, name, mimeType, false)
        } else if mimeType != nil || !list.append(shortField: name, text) {
            list.append(BodyContent(text, mimeType), name: name, filename: nil, contentType: mimeType)
        }
    }

    /// Appends a file; a file name or type that is nil is derived from its path.
    ///
    /// The file is checked now and read while encoding: it must be a reachable, regular file at a file URL, its size
    /// must be readable, and opening it must succeed. The first check that fails becomes the part's ``BodyPart/error``.
    /// For a plain field with a file's content, or a range of a file, append a ``BodyPart``.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name to send; nil for the last component of the URL.
    ///   - mimeType: The media type; nil to derive it from the URL's extension, else from the file name's, else
    ///     application/octet-stream. The table is the same on every platform.
    public mutating func append(
        _ fileURL: URL,
        withName name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) {
        do throws(MultipartError) {
            append(try BodyPart(fileAt: fileURL, name: name, filename: fileName, contentType: mimeType))
        } catch {
            list.append(
                .refused(error, fields: nil),
                name: name,
                filename: fileName ?? fileURL.lastPathComponent,
                contentType: mimeType
            )
        }
    }
}

// Catches calls with the labels of `BodyPart`'s initializers. Without these overloads, the compiler's errors are about
// streams, or about one of several wrong labels.
extension MultipartFormData {
    /// Catches the wrong label `name:`; the label is `withName:`, as in Alamofire.
    @available(*, unavailable, renamed: "append(_:withName:)")
    public mutating func append<Value>(_ value: Value, name: String) {}

    /// Catches wrong labels; they are `withName:fileName:mimeType:`, as in Alamofire.
    @available(*, unavailable, renamed: "append(_:withName:fileName:mimeType:)")
    public mutating func append<Value>(
        _ value: Value,
        name: String,
        filename: String?,
        contentType: String? = nil
    ) {}

    /// Catches the wrong labels `filename:` and `contentType:`; they are `fileName:` and `mimeType:`, as in Alamofire.
    @available(*, unavailable, renamed: "append(_:withName:fileName:mimeType:)")
    public mutating func append<Value>(
        _ value: Value,
        withName name: String,
        filename: String?,
        contentType: String? = nil
    ) {}

    /// Catches the wrong label `contentType:`; the label is `mimeType:`, as in Alamofire.
    @available(*, unavailable, renamed: "append(_:withName:mimeType:)")
    public mutating func append<Value>(_ value: Value, withName name: String, contentType: String?) {}
}
