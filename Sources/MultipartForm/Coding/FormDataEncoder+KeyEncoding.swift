extension FormDataEncoder {
    /// How coding keys become names; choose by how the receiver spells them.
    public struct KeyEncoding: Sendable {
        private enum Kind {
            case useDefaultKeys, capitalized, uppercased, lowercased
            case separated(Character)
            case custom(@Sendable (String) -> String)
        }

        private let kind: Kind

        /// The keys unchanged, for receivers that spell names as Swift does.
        public static let useDefaultKeys = Self(kind: .useDefaultKeys)

        /// `homeURL` becomes `home_url`, as names are spelt in Python and Ruby.
        public static let convertToSnakeCase = Self(kind: .separated("_"))

        /// `homeURL` becomes `home-url`, as names are spelt in HTML and CSS.
        public static let convertToKebabCase = Self(kind: .separated("-"))

        /// `homeURL` becomes `HomeURL`, as names are spelt in C# and Go.
        public static let capitalized = Self(kind: .capitalized)

        /// `homeURL` becomes `HOMEURL`, for receivers with names in capitals.
        public static let uppercased = Self(kind: .uppercased)

        /// `homeURL` becomes `homeurl`, for receivers with names in small letters.
        public static let lowercased = Self(kind: .lowercased)

        /// The names that a closure returns, for any other spelling.
        ///
        /// - Parameter encode: Returns the name of a key, and the same one each time.
        /// - Returns: The encoding.
        public static func custom(_ encode: @escaping @Sendable (String) -> String) -> Self {
            Self(kind: .custom(encode))
        }

        /// The name of a key.
        func name(of key: String) -> String {
            switch kind {
            case .useDefaultKeys: key
            case .separated(let separator): Self.separate(key, by: separator)
            case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
            case .uppercased: key.uppercased()
            case .lowercased: key.lowercased()
            case .custom(let encode): encode(key)
            }
        }

        /// The keys that may have a name, the likeliest first.
        func keys(of name: String) -> [String] {
            switch kind {
            case .useDefaultKeys: [name]
            case .separated(let separator): [name, Self.join(name, at: separator)]
            case .capitalized: [name, name.prefix(1).lowercased() + name.dropFirst()]
            case .uppercased: [name, name.lowercased()]
            case .lowercased, .custom: [name]
            }
        }

        /// Separates the words of a key in camel case, in lower case. A word begins with a capital after another letter,
        /// or with the last of several capitals: `myURLPath` is `my_url_path`.
        private static func separate(_ key: String, by separator: Character) -> String {
            let letters = Array(key)
            var result = ""
            for (index, letter) in letters.enumerated() {
                if letter.isUppercase, index > 0 {
                    let isAfterCapital = letters[index - 1].isUppercase
                    let isBeforeSmall = index + 1 < letters.count && letters[index + 1].isLowercase
                    if !isAfterCapital || isBeforeSmall { result.append(separator) }
                }
                result += letter.lowercased()
            }
            return result
        }

        /// The key in camel case whose words are separated in a name.
        private static func join(_ name: String, at separator: Character) -> String {
            let words = name.split(separator: separator)
            let others = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
            return words.prefix(1).joined() + others.joined()
        }
    }
}
