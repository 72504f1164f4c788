internal import Foundation
internal import MultipartFormCodec

/// Checks that a received form is sent on with every byte of its header sections and its contents, or refused for a
/// reason that its fields confirm.
enum PassedOnCheck {
    /// Checks the form of a message that was read in lenient mode.
    static func run(_ form: MultipartFormData, _ message: Data, _ boundary: Boundary) throws {
        let reason = form.lazy.compactMap { refusal(of: $0.headers) }.first
        var appended = MultipartFormData(boundary: boundary)
        appended.append(contentsOf: form)
        for form in [form, appended] {
            switch MultipartError.catching({ try form.encode() }) {
            case .success(let encoded):
                try require(reason == nil, "a part that may not be sent is encoded, in spite of \(reason ?? "")")
                try require(form.encodedLength == UInt64(encoded.count), "encodedLength is wrong")
                try check(encoded, form, message)
            case .failure(let error):
                let code = error.code.description
                // A peer's boundary may be one that is not sent, or be found in a content by other parsers.
                let isBoundary = code == "invalid-boundary" || code == "boundary-collision"
                try require(code == reason || isBoundary, "the error is \(code), not \(reason ?? "none")")
            }
        }
    }

    /// The code of the reason not to send fields as they came; nil for none.
    private static func refusal(of headers: HeaderFields) -> String? {
        guard let disposition = headers.contentDisposition, let name = disposition.name else { return "missing-name" }
        for field in headers {
            let fieldName = field.name.lowercased()
            let isIdentity = ["7bit", "8bit", "binary"].contains(field.value.lowercased())
            if fieldName == "content-transfer-encoding", !isIdentity { return "forbidden-header" }
            let isDisposition = fieldName == "content-disposition"
            if hasControl(field.value) {
                guard isDisposition else { return "invalid-header-value" }
                let filename = disposition.parameters.first { $0.name.lowercased() == "filename" }?.value
                return hasControl(name) || hasControl(filename ?? "") ? "invalid-character" : "lossy-disposition"
            }
            if isDisposition, hasUnreadName(disposition) { return "lossy-disposition" }
        }
        return nil
    }

    /// Whether a parameter might be read as another name. A `filename*` is read if this library can decode it, which it
    /// does on its own, too.
    private static func hasUnreadName(_ disposition: ContentDisposition) -> Bool {
        disposition.parameters.contains { parameter in
            let pieces = parameter.name.lowercased().split(separator: "*", omittingEmptySubsequences: false)
            guard pieces.count > 1, ["name", "filename"].contains(pieces[0]) else { return false }
            guard pieces == ["filename", ""] else { return true }
            let alone = "form-data; filename*=\"\(parameter.value)\""
            return (try? ContentDisposition(parsing: alone))?.filename == nil
        }
    }

    private static func hasControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { ($0.value < 32 && $0 != "\t") || $0.value == 127 }
    }

    private static func check(_ encoded: Data, _ form: MultipartFormData, _ message: Data) throws {
        let again = try MultipartFormData(parsing: encoded, contentType: form.contentType)
        try require(try again.map { try $0.data() } == form.map { try $0.data() }, "the bodies differ when sent on")
        try require(again.map(\.headers) == form.map(\.headers), "the header fields differ when sent on")
        let mayBeReformatted = mayBeReformatted(message)
        for section in try sections(of: encoded, form) {
            let lines = section.split(separator: 10)
            try require(lines.allSatisfy { $0.last == 13 }, "a line does not end in CR LF")
            try require(!lines.contains { $0.first == 32 || $0.first == 9 }, "a line is folded")
            let hasControl = section.contains { ($0 < 32 && ![9, 10, 13].contains($0)) || $0 == 127 }
            try require(!hasControl, "a control character is sent on")
            let isVerbatim = message.range(of: Data([10]) + section) != nil
            try require(isVerbatim || mayBeReformatted, "a section is not sent as it came")
        }
    }

    /// Whether a section of the message may have lines that are not sent as they are: ended by LF, or with white space
    /// before a name or a colon.
    private static func mayBeReformatted(_ message: Data) -> Bool {
        zip(message, message.dropFirst()).contains { byte, next in
            let isBeforeName = byte == 10 && (next == 32 || next == 9)
            let isBeforeColon = (byte == 32 || byte == 9) && next == 58
            return isBeforeName || isBeforeColon || (byte != 13 && next == 10)
        }
    }

    /// The header sections of an encoded form, each up to the end of its blank line.
    private static func sections(of encoded: Data, _ form: MultipartFormData) throws -> [Data] {
        let delimiter = form.boundary.dashBoundary.count + 2
        var start = encoded.startIndex
        return try form.map { part in
            let rest = encoded[start...].dropFirst(delimiter)
            let end = rest.range(of: Data([13, 10, 13, 10]))?.upperBound ?? encoded.endIndex
            start = end + (try part.data().count) + 2
            return Data(rest[..<end])
        }
    }
}
