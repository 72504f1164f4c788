package import MultipartFormCodec

extension ContentDisposition {
    /// Parses a Content-Disposition field's value as the parser does; offsets of errors are in the value.
    package init(parsing value: String) throws {
        let bytes = ContiguousArray(value.utf8)
        if let offset = bytes.firstIndex(where: { [0, 10, 13].contains($0) }) {
            throw MultipartError(.invalidHeaderCharacter, offset: UInt64(offset))
        }
        let isBlank: (UInt8) -> Bool = { $0 == 32 || $0 == 9 }
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.count
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.count
        try self.init(bytes.span, start..<end)
    }
}
