/// A value that finds out what it is by trying: a scalar, a list, or a table, as types do that take anything.
package struct GuessedValue: Decodable {
    /// The key of a ``Counter`` of the calls of its initializer, in a decoder's `userInfo`.
    package static let counter: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "GuessedValue.counter") else { preconditionFailure("no key") }
        return key
    }()

    package init(from decoder: any Decoder) throws {
        (decoder.userInfo[Self.counter] as? Counter)?.increment()
        let value = try decoder.singleValueContainer()
        if (try? value.decode(Bool.self)) != nil { return }
        if (try? value.decode(Int.self)) != nil { return }
        if (try? value.decode(Double.self)) != nil { return }
        if (try? value.decode(String.self)) != nil { return }
        if (try? value.decode([GuessedValue].self)) != nil { return }
        if (try? value.decode([String: GuessedValue].self)) != nil { return }
        throw DecodingError.dataCorruptedError(in: value, debugDescription: "nothing fits")
    }
}
