package import MultipartFormCodec

/// The options of a round trip.
package struct CodingStyle: CustomStringConvertible {
    package var encoder = FormDataEncoder()
    package var decoder = FormDataDecoder()
    package var description: String
    /// Whether names can be turned back to the keys of an enum's cases.
    var hasInverse = true

    package static let all: [CodingStyle] = {
        let arrays: [(String, FormDataEncoder.ArrayEncoding)] = [
            ("brackets", .brackets), ("noBrackets", .noBrackets), ("indexInBrackets", .indexInBrackets),
        ]
        let paths: [(String, FormKeyPathEncoding)] = [("a[b]", .brackets), ("a.b", .dots)]
        let keys: [(String, FormKeyEncoding)] = [
            ("keys", .useDefaultKeys), ("snake", .convertToSnakeCase), ("kebab", .convertToKebabCase),
            ("capitalized", .capitalized), ("upper", .uppercased), ("lower", .lowercased),
            ("custom", .custom { "x-\($0)" }),
        ]
        var result: [CodingStyle] = []
        for (arrayName, array) in arrays {
            for (pathName, path) in paths {
                for (keyName, key) in keys {
                    var style = CodingStyle(description: "\(arrayName) \(pathName) \(keyName)")
                    style.encoder.arrayEncoding = array
                    style.encoder.keyPathEncoding = path
                    style.decoder.keyPathEncoding = path
                    style.encoder.keyEncoding = key
                    style.decoder.keyEncoding = key
                    style.hasInverse = keyName != "custom"
                    result.append(style)
                }
            }
        }
        return result
    }()

    /// The style of a seed, with the other options chosen at random.
    package static func random(_ seed: UInt64, _ generator: inout SeededGenerator) -> CodingStyle {
        var style = all[Int(seed % UInt64(all.count))]
        if Bool.random(using: &generator) { style.encoder.boolEncoding = .numeric }
        if Bool.random(using: &generator) { style.encoder.alphabetizeKeyValuePairs = true }
        if Bool.random(using: &generator) {
            style.encoder.dateEncoding = .deferredToDate
            style.decoder.dateDecoding = .deferredToDate
        }
        if Bool.random(using: &generator) { style.encoder.dataEncoding = .field }
        return style
    }
}
