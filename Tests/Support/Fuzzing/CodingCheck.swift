internal import Foundation
internal import MultipartFormCodec

/// Checks the decoding of forms with any names. The input is two bytes of choices, then parts: a byte of choices, a
/// name and a content.
enum CodingCheck {
    private struct Part {
        var name: String
        var content: String
        var filename: String?
        var isEmptyFileInput: Bool { filename?.isEmpty == true && content.isEmpty }
    }

    static func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let (first, second) = (input.byte(), input.byte())
        let decoder = decoder(first, second)
        var parts: [Part] = []
        var form = MultipartFormData()
        while !input.rest.isEmpty, parts.count < 64 {
            let choices = input.byte()
            let filename: String? = choices & 1 == 0 ? nil : choices & 2 == 0 ? "" : "a"
            let part = Part(name: input.text(), content: input.text(), filename: filename)
            parts.append(part)
            form.append(BodyPart(Data(part.content.utf8), name: part.name, filename: filename))
        }
        // A name that no header can have.
        guard form.firstError == nil else { return }
        try checkTree(form, parts, usesDots: first & 128 != 0)
        try checkShapes(form, decoder)
        var json = decoder
        json.keyPathEncoding = .json
        try checkShapes(form, json)
        try checkAttempts(form, parts, decoder)
        try checkNothingIsLost(form, parts, decoder)
        try checkArrays(form, parts, decoder.keyPathEncoding, usesDots: first & 128 != 0)
    }

    /// A decoder with options that bits choose.
    private static func decoder(_ first: UInt8, _ second: UInt8) -> FormDataDecoder {
        var decoder = FormDataDecoder()
        decoder.absentBoolsAreFalse = first & 1 != 0
        decoder.dateDecoding = first & 32 != 0 ? .iso8601 : first & 64 != 0 ? .secondsSince1970 : .deferredToDate
        decoder.keyPathEncoding = first & 128 != 0 ? .dots : .brackets
        decoder.duplicates = second & 1 != 0 ? .reject : second & 2 != 0 ? .first : .last
        decoder.nilDecoding = second & 4 != 0 ? .emptyValue : .absence
        decoder.unknownNames = second & 16 != 0 ? .reject : .ignore
        let keys: [FormKeyEncoding] = [
            .useDefaultKeys, .convertToSnakeCase, .convertToKebabCase, .capitalized, .uppercased, .lowercased,
            .custom { "\($0)!" }, .useDefaultKeys,
        ]
        decoder.keyEncoding = keys[Int(second >> 5)]
        return decoder
    }

    /// What types see of each name is what the naive tree has.
    private static func checkTree(_ form: MultipartFormData, _ parts: [Part], usesDots: Bool) throws {
        var plain = FormDataDecoder()
        plain.keyPathEncoding = usesDots ? .dots : .brackets
        let names = parts.map(\.name)
        let result = Result { try plain.decode(NodeView.self, from: form) }
        let isRefused =
            NaiveNames.depth(names, usesDots: usesDots) > plain.maxDepth
            || names.contains(where: NaiveNames.hasTooManyMarks)
        guard case .success(let view) = result else {
            return try require(isRefused, "a form is refused without a name that is too deep, or has too many marks")
        }
        try require(!isRefused, "a name that is too deep, or has too many marks, is read")
        let contents = parts.map(\.content)
        try NaiveNames(names, usesDots: usesDots).check(view, contents) { parts[$0].isEmptyFileInput }
    }

    /// Types of all shapes are decoded, or refused with an error that has a code, a status and a message for the client.
    private static func checkShapes(_ form: MultipartFormData, _ decoder: FormDataDecoder) throws {
        let types: [any Decodable.Type] = [
            CodingSample.self, [String: String].self, [String: [String]].self, [String: [String: Int?]].self,
            [Int: Bool?].self, [[Double]].self, [String: [FormFile?]].self, [String: Data].self,
            [String: FormJSON<[Int]>].self, [String: [Int: Date]].self, Set<String>.self, String?.self,
            [String: URL?].self, [String: Decimal].self, [String: CodingSample.Shape].self, [String: UUID?].self,
            [String: CodingSample.Color].self, [String: [CodingSample.Color?]].self, [String: Duration].self,
            [CodingSample.Color: CodingSample.Numbers].self,
        ]
        for type in types {
            do {
                _ = try decoder.decode(type, from: form)
            } catch {
                try require(error is DecodingError, "\(type) is refused with \(error)")
                let cause = MultipartError(error)
                let isTyped = cause.map { [400, 413].contains($0.httpStatus) && $0.clientMessage != nil } ?? false
                try require(isTyped, "\(type) is refused without a cause: \(error)")
            }
        }
    }

    /// A type that tries one shape after another is not asked more often than the form allows.
    private static func checkAttempts(_ form: MultipartFormData, _ parts: [Part], _ other: FormDataDecoder) throws {
        let counter = Counter()
        var decoder = other
        decoder.userInfo[GuessedValue.counter] = counter
        _ = try? decoder.decode(GuessedValue.self, from: form)
        let segments = parts.reduce(0) { $0 + $1.name.utf8.count { "[.".utf8.contains($0) } }
        // The root, and for each part itself and its first key.
        let bytes = parts.reduce(0) { $0 + $1.name.utf8.count / 8 + $1.content.count / 4 + 2 }
        let budget = 10_000 + 64 * (1 + 2 * parts.count + segments) + bytes
        try require(counter.value <= budget, "\(counter.value) attempts with a budget of \(budget)")
    }

    /// A type that takes any name gets each part once, or the form is refused.
    private static func checkNothingIsLost(_ form: MultipartFormData, _ parts: [Part], _ other: FormDataDecoder) throws
    {
        var decoder = FormDataDecoder()
        decoder.keyPathEncoding = other.keyPathEncoding
        decoder.unknownNames = .reject
        guard let value = try? decoder.decode(Everything.self, from: form) else { return }
        let count = parts.count { !$0.isEmptyFileInput }
        try require((count...parts.count).contains(value.count), "a part is lost or read twice")
    }

    /// An array is never empty if a field's name begins with its key and a bracket.
    private static func checkArrays(
        _ form: MultipartFormData,
        _ parts: [Part],
        _ style: FormKeyPathEncoding,
        usesDots: Bool
    ) throws {
        let ends = usesDots ? "[]." : "[]"
        let names = parts.filter { $0.filename == nil }.map(\.name.utf8)
        for name in names.filter({ $0.contains(where: "[]".utf8.contains) }).prefix(4) {
            let key = String(decoding: name.prefix { !ends.utf8.contains($0) }, as: UTF8.self)
            guard !key.isEmpty else { continue }
            var decoder = FormDataDecoder()
            decoder.keyPathEncoding = style
            decoder.userInfo[Member.key] = key
            let array = try? decoder.decode(Member.self, from: form)
            try require(array?.count != 0, "an array is empty in silence")
        }
    }

    /// The array of any key.
    private struct Member: Decodable {
        static let key: CodingUserInfoKey = {
            guard let key = CodingUserInfoKey(rawValue: "CodingCheck.Member") else { preconditionFailure("no key") }
            return key
        }()

        let count: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: NodeView.Key.self)
            let key = NodeView.Key(stringValue: decoder.userInfo[Self.key] as? String ?? "")
            count = try container.decode([NodeView].self, forKey: key).count
        }
    }

    static func seeds() throws -> [[UInt8]] {
        var seeds: [[UInt8]] = []
        for seed in 0..<20 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let style = CodingStyle.random(seed, &generator)
            let form = try style.encoder.encode(CodingSample.random(&generator, style))
            let parts = try form.prefix(30).reduce(into: [UInt8]()) { bytes, part in
                bytes += [part.filename == nil ? 0 : 3] + FuzzInput.run((part.name ?? "").utf8)
                bytes += FuzzInput.run(try part.data().prefix(40))
            }
            seeds.append([UInt8(seed), UInt8(seed) &* 37] + parts)
        }
        let names = [
            "a", "a[]", "a[0]", "a[1]", "a[b]", "a[b][]", "a[][b]", "a]", "[a]", "a[b", "a.b", "a.0", "é", "e\u{301}",
            "",
            "a[01]", "a[18446744073709551616]", "a[-1].b", "a.b[x]", "a[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]",
            "a" + String(repeating: "\u{345}\u{334}", count: 15), "a" + String(repeating: "\u{301}", count: 31),
        ]
        for first in names {
            seeds.append([0, 0] + names.flatMap { [0] + FuzzInput.run("\($0)".utf8) + FuzzInput.run("1".utf8) })
            seeds.append([0, 1, 0] + FuzzInput.run(first.utf8) + FuzzInput.run("1".utf8))
        }
        for number in numbers {
            seeds.append(
                [0, 0] + ["a", "a[0]", "a[b]"].flatMap { [0] + FuzzInput.run($0.utf8) + FuzzInput.run(number.utf8) }
            )
        }
        return seeds
    }

    /// Numbers at the edges of what types hold.
    private static let numbers: [String] = {
        let edges = [Int.min, Int.max, Int(Int32.min), Int(Int32.max), -127, 128, 166].map { "\($0)" }
        return edges + edges.flatMap { ["1e\($0)", "0.1E\($0)"] } + [
            "1e-9223372036854775809", "18446744073709551616", "-0",
        ]
    }()
}
