// swift-format-ignore-file
@_exported import Darwin
@_exported import Dispatch
@_exported import Foundation
@_exported import ObjectiveC

public typealias TimeInterval = Double

public protocol ContiguousBytes {
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}
extension UnsafeRawBufferPointer: ContiguousBytes {
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        fatalError()
    }
}
public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {
    associatedtype Regions: BidirectionalCollection where Regions.Element: DataProtocol & ContiguousBytes
    var regions: Regions { get }
}
public struct Data: ContiguousBytes, Hashable, MutableCollection, RandomAccessCollection, RangeReplaceableCollection,
    Sendable, Codable
{
    public enum Deallocator { case free, none, custom((UnsafeMutableRawPointer, Int) -> Void) }
    public init() {}
    public init(_ bytes: some Sequence<UInt8>) {}
    public init(count: Int) {}
    public init(bytesNoCopy bytes: UnsafeMutableRawPointer, count: Int, deallocator: Deallocator) {}
    public var startIndex: Int { fatalError() }
    public var endIndex: Int { fatalError() }
    public var count: Int {
        get { fatalError() }
        set {}
    }
    public subscript(index: Int) -> UInt8 {
        get { fatalError() }
        set {}
    }
    public subscript(range: Range<Int>) -> Data {
        get { fatalError() }
        set {}
    }
    public mutating func append(_ other: Data) {}
    public mutating func append<Element>(_ buffer: UnsafeBufferPointer<Element>) {}
    public mutating func append(contentsOf bytes: some Sequence<UInt8>) {}
    public mutating func reserveCapacity(_ count: Int) {}
    public mutating func replaceSubrange(_ range: Range<Int>, with bytes: some Collection<UInt8>) {}
    public init?(base64Encoded text: Data) { nil }
    public init<Element>(buffer: UnsafeBufferPointer<Element>) {}
    public func base64EncodedString() -> String { fatalError() }
    public func base64EncodedData() -> Data { fatalError() }
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        fatalError()
    }
    public mutating func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result { fatalError() }
    @available(macOS 10.14.4, iOS 12.2, tvOS 12.2, watchOS 5.2, *)
    public var span: Span<UInt8> { @_lifetime(borrow self) borrowing get { fatalError() } }
}
public struct UUID: Hashable, Sendable, Codable {
    public init() {}
}

public struct URL: Hashable, Sendable, Codable {
    public init?(string: String) { nil }
    public init(fileURLWithPath path: String) {}
    public init(fileURLWithPath path: String, isDirectory: Bool) {}
    public var path: String { fatalError() }
    public var host: String? { fatalError() }
    public var scheme: String? { fatalError() }
    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    public func host(percentEncoded: Bool = true) -> String? { fatalError() }
    public var isFileURL: Bool { fatalError() }
    public var absoluteString: String { fatalError() }
    public var lastPathComponent: String { fatalError() }
    public func appendingPathComponent(_ component: String, isDirectory: Bool) -> URL { fatalError() }
}
public protocol LocalizedError: Error {
    var errorDescription: String? { get }
}
public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}
extension CustomNSError {
    public static var errorDomain: String { fatalError() }
    public var errorCode: Int { fatalError() }
    public var errorUserInfo: [String: Any] { fatalError() }
}
public let NSLocalizedDescriptionKey = ""
public let NSUnderlyingErrorKey = ""
public struct POSIXError: Error, Hashable, Sendable {
    public let code: POSIXErrorCode
    public init(_ code: POSIXErrorCode) { self.code = code }
}
public class NSLock: @unchecked Sendable {
    public init() {}
    public func lock() {}
    public func unlock() {}
    public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { fatalError() }
}
public class Progress: @unchecked Sendable {
    public init() {}
    public var totalUnitCount: Int64 = 0
    public var completedUnitCount: Int64 = 0
    public var isCancelled: Bool { fatalError() }
}
public class FileManager: @unchecked Sendable {
    public static var `default`: FileManager { fatalError() }
    @available(macOS 10.12, iOS 10, tvOS 10, watchOS 3, *)
    public var temporaryDirectory: URL { fatalError() }
    public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { fatalError() }
}
public struct FileAttributeKey: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
extension String {
    public enum Encoding: Sendable {
        case ascii, isoLatin1, utf8, windowsCP1252, utf16, utf16BigEndian, utf16LittleEndian, utf32, utf32BigEndian,
            utf32LittleEndian
    }
    public init?(data: Data, encoding: Encoding) { nil }
    public init?(bytes: some Sequence<UInt8>, encoding: Encoding) { nil }
}
public class NSNull: @unchecked Sendable {
    public init() {}
}
public class ProcessInfo: @unchecked Sendable {
    public static var processInfo: ProcessInfo { fatalError() }
    public var environment: [String: String] { fatalError() }
    public var systemUptime: TimeInterval { fatalError() }
}
public struct Date: Hashable, Sendable, Codable {
    public init(timeIntervalSince1970 interval: TimeInterval) {}
    public init(timeIntervalSinceReferenceDate interval: TimeInterval) {}
    public var timeIntervalSince1970: TimeInterval { fatalError() }
    public var timeIntervalSinceReferenceDate: TimeInterval { fatalError() }
}
public struct Decimal: Hashable, Sendable, Codable, CustomStringConvertible {
    public init?(string: String) { nil }
    public var isFinite: Bool { fatalError() }
    public var description: String { fatalError() }
}
public struct TimeZone: Hashable, Sendable {
    public func secondsFromGMT(for date: Date = Date()) -> Int { fatalError() }
}
open class DateFormatter: @unchecked Sendable {
    public init() {}
    public var defaultDate: Date?
    public func copy() -> Any { fatalError() }
    open func string(from date: Date) -> String { fatalError() }
    open func date(from text: String) -> Date? { fatalError() }
}
public class JSONEncoder: @unchecked Sendable {
    public var userInfo: [CodingUserInfoKey: Any] = [:]
    public init() {}
    public func encode<Value: Encodable>(_ value: Value) throws -> Data { fatalError() }
}
public class JSONDecoder: @unchecked Sendable {
    public var userInfo: [CodingUserInfoKey: Any] = [:]
    public init() {}
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { fatalError() }
}
public func pow(_ base: Double, _ exponent: Double) -> Double { fatalError() }
public enum JSONSerialization {
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        @available(macOS 10.13, *) public static let sortedKeys = WritingOptions(rawValue: 2)
        @available(macOS 10.15, *) public static let withoutEscapingSlashes = WritingOptions(rawValue: 8)
    }
    public static func data(withJSONObject object: Any, options: WritingOptions = []) throws -> Data { fatalError() }
}

// What the compiler needs to bridge.
public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
extension NSError: Error {}
extension String: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSString { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool { true }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { fatalError() }
}
extension Data: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSData { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSData, result: inout Data?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSData, result: inout Data?) -> Bool { true }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?) -> Data { fatalError() }
}
