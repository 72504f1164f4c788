// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import MultipartFormCodec

/// A type with nothing but its part.
public struct Medium: FormPartEncodable, FormPartDecodable, FormPartOnly, Hashable {
    public var name: String

    public init(_ name: String) {
        self.name = name
    }

    public func formPart(named name: String) -> BodyPart {
        BodyPart(Data(self.name.utf8), name: name, filename: self.name)
    }

    public init(formPart: BodyPart) throws {
        name = formPart.filename ?? ""
    }
}

// What no module should do, and any can.

private func refused(_ name: String) -> BodyPart { BodyPart(Data(), name: name, filename: "asked") }

extension Array: FormPartEncodable where Element == Medium {
    public func formPart(named name: String) throws -> BodyPart { refused(name) }
}
extension Array: FormPartDecodable where Element == Medium {
    public init(formPart: BodyPart) throws { throw Difference(text: "asked") }
}
extension Set: FormPartEncodable where Element == Medium {
    public func formPart(named name: String) throws -> BodyPart { refused(name) }
}
extension Dictionary: FormPartEncodable where Key == String, Value == Medium {
    public func formPart(named name: String) throws -> BodyPart { refused(name) }
}
extension Dictionary: FormPartDecodable where Key == String, Value == Medium {
    public init(formPart: BodyPart) throws { throw Difference(text: "asked") }
}
extension Optional: FormPartEncodable where Wrapped == Medium {
    public func formPart(named name: String) throws -> BodyPart { refused(name) }
}
extension Optional: FormPartDecodable where Wrapped == Medium {
    public init(formPart: BodyPart) throws { throw Difference(text: "asked") }
}
extension String: FormPartEncodable, FormPartDecodable {
    public func formPart(named name: String) throws -> BodyPart { refused(name) }
    public init(formPart: BodyPart) throws { throw Difference(text: "asked") }
}
extension Int: FormPartEncodable, FormPartDecodable {
    public func formPart(named name: String) throws -> BodyPart { refused(name) }
    public init(formPart: BodyPart) throws { throw Difference(text: "asked") }
}
extension Bool: FormPartEncodable, FormPartDecodable {
    public func formPart(named name: String) throws -> BodyPart { refused(name) }
    public init(formPart: BodyPart) throws { throw Difference(text: "asked") }
}
extension Date: FormPartEncodable, FormPartDecodable {
    public func formPart(named name: String) throws -> BodyPart { refused(name) }
    public init(formPart: BodyPart) throws { throw Difference(text: "asked") }
}
extension ClosedRange: FormPartEncodable, FormPartDecodable where Bound == Int {
    public func formPart(named name: String) throws -> BodyPart { refused(name) }
    public init(formPart: BodyPart) throws { throw Difference(text: "asked") }
}
