#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Appends parts to forms. The methods have Alamofire's names and labels.
extension MultipartFormData {
    /// Appends bytes in memory, such as an image that was just drawn.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name; nil for a part that is not a file.
    ///   - mimeType: The media type. If it is nil, a file gets the type of its file name's extension, or else
    ///     application/octet-stream. A part that is not a file is sent without a type. If the media type is not
    ///     `type/subtype`, encoding throws `invalid-header-value`.
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
    ///   - value: The field's value. Its `description` is sent, such as `36`, `1.5` or `true`. Nil appends nothing.
    ///   - name: The name of the form's field.
    ///   - mimeType: The media type; nil to send no type, as browsers do for text. If the type has a charset that does
    ///     not decode the UTF-8 bytes to the same text, the part has a ``BodyPart/error``.
    ///   - normalizingNewlines: Whether each lone CR and each lone LF becomes CR LF, as in text that browsers send.
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
    ///   - value: The field's value. The `description` of its raw value is sent. Nil appends nothing.
    ///   - name: The name of the form's field.
    ///   - mimeType: The media type; nil to send no type, as browsers do for text.
    @_disfavoredOverload
    @inlinable
    public mutating func append<Value: RawRepresentable>(
        _ value: Value?,
        withName name: String,
        mimeType: String? = nil
    ) where Value.RawValue: LosslessStringConvertible {
        // Without this overload, the compiler of Swift 6.3.1 fails without a message for `append` of an optional
        // enumeration. The overload is disfavored. So a value that is also `LosslessStringConvertible` is sent as its
        // own description, not as its raw value.
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

    /// Appends a file. `append` checks the file; encoding reads the file.
    ///
    /// These are the checks, in order:
    /// 1. `fileName` is not nil, or the URL ends in a file name.
    /// 2. The URL names a file on this machine.
    /// 3. The file is reachable and regular.
    /// 4. The file can be opened.
    /// 5. The file's size can be read.
    ///
    /// If a check fails, its error becomes the part's ``BodyPart/error``. To send a file's content as a plain field, or
    /// a range of a file, append a ``BodyPart``.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name to send; nil for the last component of the URL.
    ///   - mimeType: The media type. If it is nil, the file gets the type of its file name's extension, or else
    ///     application/octet-stream.
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

// Unavailable methods with the labels of `BodyPart`'s initializers. For a call such as `append(data, name: "a")`, the
// compiler then suggests the right labels. Without these methods, the compiler would report only one of several wrong
// labels, or an error about streams.
extension MultipartFormData {
    /// Does not compile, because the label `name:` is wrong here. The right label is `withName:`, as in Alamofire.
    @available(*, unavailable, renamed: "append(_:withName:)")
    public mutating func append<Value>(_ value: Value, name: String) {}

    /// Does not compile, because the labels `name:filename:contentType:` are wrong here. The right labels are
    /// `withName:fileName:mimeType:`, as in Alamofire.
    @available(*, unavailable, renamed: "append(_:withName:fileName:mimeType:)")
    public mutating func append<Value>(
        _ value: Value,
        name: String,
        filename: String?,
        contentType: String? = nil
    ) {}

    /// Does not compile, because the labels `filename:contentType:` are wrong here. The right labels are
    /// `fileName:mimeType:`, as in Alamofire.
    @available(*, unavailable, renamed: "append(_:withName:fileName:mimeType:)")
    public mutating func append<Value>(
        _ value: Value,
        withName name: String,
        filename: String?,
        contentType: String? = nil
    ) {}

    /// Does not compile, because the label `contentType:` is wrong here. The right label is `mimeType:`, as in
    /// Alamofire.
    @available(*, unavailable, renamed: "append(_:withName:mimeType:)")
    public mutating func append<Value>(_ value: Value, withName name: String, contentType: String?) {}
}
