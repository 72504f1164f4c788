import Testing

/// Members are checked by name: of those that a layer adds to types of other layers, a layer that may not use it names
/// none. Members of a layer's own types need no check, since others cannot name these types.
extension LayeringTests {
    @Test(arguments: layers)
    func `a layer uses only members of the layers it may use`(layer: Layer) throws {
        let allowed = layer.uses + [layer.name]
        let (declared, added) = try Self.names.get()
        let known = allowed.reduce(into: Set<String>()) { $0.formUnion(declared[$1, default: []]) }
        let used = try Self.files(of: layer.name).mapValues(Self.usedNames)
        for other in Self.layers.map(\.name) where !allowed.contains(other) {
            let members = try #require(added[other]).subtracting(known)
            for (name, used) in used {
                let both = used.intersection(members)
                #expect(both.isEmpty, "\(layer.name)/\(name) uses members of \(other), or others of their names")
            }
        }
    }

    /// The names that each layer declares, and the members that it adds.
    private static let names = Result {
        (
            declared: try Dictionary(uniqueKeysWithValues: layers.map { ($0.name, try declaredNames(in: $0.name)) }),
            added: try Dictionary(uniqueKeysWithValues: layers.map { ($0.name, try addedMembers(of: $0.name)) })
        )
    }

    @Test func `members that a layer adds are found`() throws {
        #expect(try Self.addedMembers(of: "Encoding").isSuperset(of: ["encode", "makeInputStream", "makeReader"]))
        #expect(
            try Self.addedMembers(of: "Parsing").isSuperset(of: [
                "multipartParts", "MultipartFormData(parsing:", "MultipartFormData(parsingFileAt:",
            ])
        )
        #expect(try !Self.addedMembers(of: "Parsing").contains("finish"))
    }

    /// The members of extensions of types that a layer does not declare, except private ones: an initializer as
    /// `Type(label:`, any other by its name.
    private static func addedMembers(of layer: String) throws -> Set<String> {
        let types = try types(of: layer)
        let member =
            #/
            (?m)^\ {4}(?!private|fileprivate)(?:[@\w]\S*\ )*
            (?:(?:func|var|let|case|struct|enum|class|typealias)\ (\w+)|init\??(?:<[^>]*>)?\(\s*(\w+))
            /#
        var result: Set<String> = []
        for text in try files(of: layer).values.map(unindented) {
            for match in text.matches(of: /(?m)^(?:public |package )?extension (\w+)[^{]*\{\n((?: .*\n|\n)*)/)
            where !types.contains(String(match.1)) {
                for found in match.2.matches(of: member) {
                    result.insert(found.1.map(String.init) ?? "\(match.1)(\(found.2 ?? ""):")
                }
            }
        }
        return result
    }

    /// The names of all functions, variables, cases and parameters that a layer declares.
    private static func declaredNames(in layer: String) throws -> Set<String> {
        let text = try files(of: layer).values.joined(separator: "\n")
        let declaration = #/\b(?:func|var|let|case) (\w+)|\b(\w+)(?: (\w+))?: /#
        return Set(text.matches(of: declaration).flatMap { [$0.1, $0.2, $0.3].compactMap { $0.map { String($0) } } })
    }

    /// All words of a text but attributes, and each call of an initializer as `Type(label:`.
    private static func usedNames(in text: String) -> Set<String> {
        Set(text.replacing(/@\w+/, with: "").matches(of: /\w+/).map { String($0.0) })
            .union(text.matches(of: /\b([A-Z]\w*)\(\s*(\w+):/).map { "\($0.1)(\($0.2):" })
    }
}
