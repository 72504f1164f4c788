// swift-format-ignore-file
@_exported import ObjectiveC

@frozen public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
    public var boolValue: Bool
    public init(_ value: Bool) { boolValue = value }
    public init(booleanLiteral value: Bool) { boolValue = value }
}
@frozen public struct Selector: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {}
}
extension NSObject: Hashable {
    public static func == (left: NSObject, right: NSObject) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
}
public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool { ObjCBool(value) }
public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool { value.boolValue }
