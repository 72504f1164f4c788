extension BodyPart: FormPartEncodable, FormPartDecodable, FormPartOnly {
    /// The part itself; called by the encoder.
    ///
    /// - Parameter name: The name of the form's field.
    /// - Returns: The part under that name.
    /// - Throws: Nothing.
    public func formPart(named name: String) throws -> BodyPart { named(name) }

    /// Creates a copy of a part; called by the decoder.
    ///
    /// - Parameter formPart: The part.
    /// - Throws: Nothing.
    public init(formPart: BodyPart) throws {
        self = formPart
    }

    /// False: the part may be a field or a file. Decode a `BodyPart` where a file may come without a file name.
    public static var requiresFile: Bool { false }

    /// The part under another name, with its content and its header fields; those that name or frame it are
    /// written again.
    ///
    /// A Content-Transfer-Encoding stays: without it nobody could read the content. A form refuses the part, under any
    /// name, unless the field says that the content is not encoded.
    func named(_ name: String) -> BodyPart {
        guard !hasName(name) else { return self }
        var fields = headers
        for framing in ["Content-Disposition", "Content-Type", "Content-Length"] {
            fields[framing] = nil
        }
        return BodyPart(content, name, filename, contentType, fields)
    }
}
