#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension FormEncoding {
    /// The JSON of a value. Fails if it is nested too deep.
    func json(_ value: some Encodable) throws(CodingProblem) -> Data {
        try NestingProbe.check(value, jsonEncoder.userInfo)
        return try CodingProblem.wrap(.unencodable) { try jsonEncoder.encode(value) }
    }

    /// A field with the JSON of a value.
    func jsonField(of value: some Encodable, _ name: String) throws(CodingProblem) -> BodyPart {
        BodyPart(try json(value), name: name)
    }
}
