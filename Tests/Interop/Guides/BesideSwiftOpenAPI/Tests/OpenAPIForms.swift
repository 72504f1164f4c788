import Foundation
import HTTPTypes
import MultipartFormCodec
import OpenAPIRuntime

extension HTTPBody {
    /// The encoded form, with its length if that is known.
    convenience init(_ form: MultipartFormData) {
        self.init(
            form.chunks(),
            length: form.encodedLength.map { .known(Int64($0)) } ?? .unknown,
            iterationBehavior: .multiple
        )
    }
}

extension MultipartRawPart {
    /// A part that arrives, with its header fields, as a part of the runtime.
    init(_ part: MultipartParts.Part) {
        var headerFields = HTTPFields()
        for field in part.headers {
            guard let name = HTTPField.Name(field.name) else { continue }
            headerFields.append(HTTPField(name: name, value: field.value))
        }
        let body = HTTPBody(part.body, length: .unknown, iterationBehavior: .single)
        self.init(headerFields: headerFields, body: body)
    }
}

extension BodyPart {
    /// A part of the runtime, to send it as it arrives.
    init(_ part: MultipartRawPart) {
        var length: UInt64?
        if case .known(let known) = part.body.length { length = UInt64(known) }
        var others: HeaderFields = [:]
        let own: [HTTPField.Name] = [.contentDisposition, .contentType, .contentLength]
        for field in part.headerFields where !own.contains(field.name) {
            others.append(HeaderField(name: field.name.rawName, value: field.value))
        }
        self.init(
            part.body,
            length: length,
            name: part.name ?? "",
            filename: part.filename,
            contentType: part.headerFields[.contentType],
            additionalHeaders: others
        )
    }
}
