// The character set of a part's text, with a default.
extension Charset {
    /// Returns the character set `name`, or `defaultName` if `name` is nil. Returns nil if `name` is unknown.
    ///
    /// Throws if `defaultName` is needed and unknown, since this is a mistake of the program.
    static func named(_ name: String?, default defaultName: String) throws(MultipartError) -> Charset? {
        if let name { return Charset(named: name) }
        if let charset = Charset(named: defaultName) { return charset }
        throw MultipartError(.undecodableText, "default charset \"\(defaultName.printable(upTo: 64))\" is unknown")
    }
}
