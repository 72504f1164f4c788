import MultipartForm

/// What is told of a part: its identity, its headers and its size.
struct PartReport {
    /// The name of the form's field.
    let name: String?
    /// The file name as it was sent.
    let filename: String?
    /// The media type as it was sent.
    let contentType: String?
    /// The header fields, in order.
    let headers: HeaderFields
    /// The length of the body in bytes.
    var length: UInt64 = 0
    /// Whether the part ended with a delimiter.
    var isComplete = false

    /// Begins the report of a part.
    init(_ headers: HeaderFields) {
        self.name = headers.name
        self.filename = headers.filename
        self.contentType = headers.contentType
        self.headers = headers
    }

    /// The members of the part's JSON object that are known when it begins.
    var identity: [(key: String, value: JSONValue)] {
        [
            ("name", .optional(name)),
            ("filename", .optional(filename)),
            ("contentType", .optional(contentType)),
            ("headers", .array(headers.map { .array([.string($0.name), .string($0.value)]) })),
        ]
    }

    /// The members of the part's JSON object that all reports have.
    var members: [(key: String, value: JSONValue)] {
        identity + [("length", .number(length))]
    }
}

extension ToolError {
    /// The error as a JSON object.
    var json: JSONValue {
        .object([
            ("code", .string(code)),
            ("offset", offset.map(JSONValue.number) ?? .null),
            ("part", part.map { .number(UInt64($0)) } ?? .null),
            ("message", .string(message)),
        ])
    }
}
