// swift-format-ignore-file
public enum DispatchTimeoutResult { case success, timedOut }
public enum DispatchTimeInterval: Sendable { case seconds(Int), milliseconds(Int) }
@frozen public struct DispatchTime: Sendable {
    public static func now() -> DispatchTime { fatalError() }
    public init(uptimeNanoseconds: UInt64) {}
    public var uptimeNanoseconds: UInt64 { fatalError() }
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }
    public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }
}
public class DispatchSemaphore: @unchecked Sendable {
    public init(value: Int) {}
    public func wait() {}
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
    @discardableResult public func signal() -> Int { fatalError() }
}
public class DispatchQueue: @unchecked Sendable {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }
    }
    @available(macOS 10.12, iOS 10, tvOS 10, watchOS 3, *)
    public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }
    @available(macOS 10.12, iOS 10, tvOS 10, watchOS 3, *)
    public init(label: String, attributes: Attributes = [], autoreleaseFrequency: AutoreleaseFrequency = .inherit) {}
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
    public static func global() -> DispatchQueue { fatalError() }
    public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
    public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }
}
public final class DispatchSpecificKey<T>: Sendable {
    public init() {}
}
public class DispatchGroup: @unchecked Sendable {
    public init() {}
    public func enter() {}
    public func leave() {}
    public func wait() {}
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
}

public struct DispatchData: RandomAccessCollection, @unchecked Sendable {
    public static let empty = DispatchData(bytes: UnsafeRawBufferPointer(start: nil, count: 0))
    public init(bytes: UnsafeRawBufferPointer) {}
    public mutating func append(_ other: DispatchData) {}
    public var startIndex: Int { fatalError() }
    public var endIndex: Int { fatalError() }
    public subscript(index: Int) -> UInt8 { fatalError() }
}
