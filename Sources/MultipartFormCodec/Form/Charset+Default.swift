// Finds the character set of a part's text.
extension Charset {
    /// Returns the character set `name`; nil if this name is unknown.
    ///
    /// If `name` is nil, returns the character set `defaultName`; throws if `defaultName` is unknown.
    static func named(_ name: String?, default defaultName: String) throws(MultipartError) -> Charset? {
        if let name { return Charset(named: name) }
        if let charset = Charset(named: defaultName) { return charset }
        throw MultipartError(.undecodableText, "default charset \"\(defaultName.printable(upTo: 64))\" is unknown")
    }
}
