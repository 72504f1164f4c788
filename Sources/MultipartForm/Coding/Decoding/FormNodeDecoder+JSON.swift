#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Values below the root that are JSON text, if the names of the form are not joined.
extension FormNodeDecoder {
    /// Whether keys or elements of the value are JSON.
    var isJSON: Bool { form.readsJSON && path != nil }

    /// Decodes a type from JSON if it has keys or elements, else from this decoder.
    func decodedWithJSON<T: Decodable>(_ type: T.Type, _ role: CodingRole) throws -> T {
        guard !role.isCollection else {
            return try json(type) { decoder, data in try decoder.decode(type, from: data) }
        }
        do {
            return try T(from: self)
        } catch {
            // The containers of JSON do not know where they are.
            guard form.isJSON(value), FormDataCodingIssue(error) == nil else { throw error }
            throw self.error(CodingProblem(.invalidValue, underlyingError: error), type)
        }
    }

    /// A container of the value's JSON.
    func jsonContainer<Container>(_ type: Any.Type, _ body: (any Decoder) throws -> Container) throws -> Container {
        let container = try json(type) { decoder, data in try body(decoder.decode(JSONNode.self, from: data).decoder) }
        form.markJSON(value)
        return container
    }

    private func json<Value>(_ type: Any.Type, _ body: (JSONDecoder, Data) throws -> Value) throws -> Value {
        try checked(type) { () throws(CodingProblem) in
            if case .node(let index) = value { try form.checkContainer(index) }
            let data = try form.part(value).json(mayBeText: true)
            return try CodingProblem.wrap(.invalidValue) { try body(form.jsonDecoder, data) }
        }
    }
}

/// The decoder of a JSON text. It outlives the call that creates it, as Foundation allows.
private struct JSONNode: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) {
        self.decoder = decoder
    }
}
