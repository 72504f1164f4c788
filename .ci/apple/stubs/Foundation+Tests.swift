// swift-format-ignore-file
// What only the tests use.

extension Data {
    public init(contentsOf url: URL) throws {}
    public func write(to url: URL) throws {}
    public func range(of data: Data, in range: Range<Int>? = nil) -> Range<Int>? { nil }
    public func subdata(in range: Range<Int>) -> Data { fatalError() }
    public mutating func resetBytes(in range: Range<Int>) {}
    public init(repeating byte: UInt8, count: Int) {}
    public init?(base64Encoded text: String) { nil }
}

extension Array: ContiguousBytes where Element == UInt8 {}
extension ArraySlice: ContiguousBytes where Element == UInt8 {}
extension CollectionOfOne: ContiguousBytes where Element == UInt8 {
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        fatalError()
    }
}
extension NSError {
    public var code: Int { fatalError() }
    public var domain: String { fatalError() }
    public var userInfo: [String: Any] { fatalError() }
    public var localizedDescription: String { fatalError() }
}
extension Error {
    public var localizedDescription: String { fatalError() }
}

public struct URLResourceKey: Hashable, Sendable {
    public static var isDirectoryKey: URLResourceKey { fatalError() }
}
extension URL {
    public init(fileURLWithPath path: String, relativeTo base: URL?) {}
    public func appendingPathComponent(_ component: String) -> URL { fatalError() }
    public func appendingPathExtension(_ pathExtension: String) -> URL { fatalError() }
    public func deletingLastPathComponent() -> URL { fatalError() }
    public mutating func deleteLastPathComponent() {}
    public func deletingPathExtension() -> URL { fatalError() }
    public func resolvingSymlinksInPath() -> URL { fatalError() }
    public var pathExtension: String { fatalError() }
    public var hasDirectoryPath: Bool { fatalError() }
}

extension FileAttributeKey {
    public static var posixPermissions: FileAttributeKey { fatalError() }
    public static var size: FileAttributeKey { fatalError() }
    public static var modificationDate: FileAttributeKey { fatalError() }
    public static var systemFileNumber: FileAttributeKey { fatalError() }
}
extension FileManager {
    public class DirectoryEnumerator: Sequence {
        public func makeIterator() -> AnyIterator<Any> { fatalError() }
    }
    public func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
    public func contentsOfDirectory(at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?) throws -> [URL] { [] }
    public func subpathsOfDirectory(atPath path: String) throws -> [String] { [] }
    public func fileExists(atPath path: String) -> Bool { false }
    public func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { false }
    public func isExecutableFile(atPath path: String) -> Bool { false }
    public func removeItem(at url: URL) throws {}
    public func removeItem(atPath path: String) throws {}
    public func moveItem(at source: URL, to destination: URL) throws {}
    public func createDirectory(at url: URL, withIntermediateDirectories: Bool) throws {}
    public func createDirectory(atPath path: String, withIntermediateDirectories: Bool) throws {}
    public func createSymbolicLink(atPath path: String, withDestinationPath destination: String) throws {}
    public func createSymbolicLink(at url: URL, withDestinationURL destination: URL) throws {}
    public func destinationOfSymbolicLink(atPath path: String) throws -> String { fatalError() }
    public func linkItem(at source: URL, to destination: URL) throws {}
    public func copyItem(at source: URL, to destination: URL) throws {}
    public func createFile(atPath path: String, contents: Data?) -> Bool { false }
    public func enumerator(atPath path: String) -> DirectoryEnumerator? { nil }
    public func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {}
}

public struct CharacterSet: Sendable {
    public static var whitespaces: CharacterSet { fatalError() }
    public static var whitespacesAndNewlines: CharacterSet { fatalError() }
    public static var newlines: CharacterSet { fatalError() }
    public init(charactersIn text: String) {}
}
extension StringProtocol {
    public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
    public func replacingOccurrences(
        of target: some StringProtocol, with replacement: some StringProtocol, options: String.CompareOptions = []
    ) -> String { fatalError() }
    public func contains(_ other: some StringProtocol) -> Bool { false }
    public func range(of other: some StringProtocol) -> Range<String.Index>? { nil }
    public func components(separatedBy separator: some StringProtocol) -> [String] { [] }
    public func data(using encoding: String.Encoding) -> Data? { nil }

}
extension String {
    public struct CompareOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let literal = CompareOptions(rawValue: 2)
        public static let caseInsensitive = CompareOptions(rawValue: 1)
        public static let regularExpression = CompareOptions(rawValue: 1024)
    }
    public init(contentsOf url: URL, encoding: Encoding) throws { fatalError() }
    public init(format: String, _ arguments: any CVarArg...) { fatalError() }
}

extension UUID {
    public init?(uuidString: String) { nil }
    public init(uuid: (
        UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
    )) {}
    public var uuidString: String { fatalError() }
}
extension Date: Comparable {
    public static func < (left: Date, right: Date) -> Bool { fatalError() }
    public func timeIntervalSince(_ date: Date) -> TimeInterval { fatalError() }
    public init() {}
    public static var distantPast: Date { fatalError() }
    public static var distantFuture: Date { fatalError() }
    public static func + (date: Date, interval: TimeInterval) -> Date { fatalError() }
}
extension Decimal: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, SignedNumeric, Comparable {
    public init(integerLiteral value: Int) {}
    public init(floatLiteral value: Double) {}
    public init?(exactly source: some BinaryInteger) { nil }
    public init(_ value: Int) {}
    public init(_ value: Double) {}
    public init(sign: FloatingPointSign, exponent: Int, significand: Decimal) {}
    public static var nan: Decimal { fatalError() }
    public static var greatestFiniteMagnitude: Decimal { fatalError() }
    public static var leastNonzeroMagnitude: Decimal { fatalError() }
    public var magnitude: Decimal { fatalError() }
    public static func + (left: Decimal, right: Decimal) -> Decimal { fatalError() }
    public static func - (left: Decimal, right: Decimal) -> Decimal { fatalError() }
    public static func * (left: Decimal, right: Decimal) -> Decimal { fatalError() }
    public static func / (left: Decimal, right: Decimal) -> Decimal { fatalError() }
    public static func *= (left: inout Decimal, right: Decimal) {}
    public static func < (left: Decimal, right: Decimal) -> Bool { fatalError() }
}

public class Thread: @unchecked Sendable {
    public init(block: @escaping @Sendable () -> Void) {}
    public var stackSize: Int = 0
    public func start() {}
    public static var isMainThread: Bool { fatalError() }
}
public class NSCondition: @unchecked Sendable {
    public init() {}
    public func wait() {}
    public func wait(until limit: Date) -> Bool { fatalError() }
    public func signal() {}
    public func broadcast() {}
    public func lock() {}
    public func unlock() {}
    public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { fatalError() }
}
public class FileHandle: @unchecked Sendable {
    public init(forReadingFrom url: URL) throws {}
    public init(forWritingTo url: URL) throws {}
    public init(fileDescriptor: Int32, closeOnDealloc: Bool = false) {}
    public init?(forReadingAtPath path: String) {}
    public init?(forWritingAtPath path: String) {}
    public static var nullDevice: FileHandle { fatalError() }
    public static var standardInput: FileHandle { fatalError() }
    public static var standardError: FileHandle { fatalError() }
    public var fileDescriptor: Int32 { fatalError() }
    @available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *)
    public func read(upToCount count: Int) throws -> Data? { nil }
    @available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *)
    public func readToEnd() throws -> Data? { nil }
    @available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *)
    public func write(contentsOf data: some Sequence<UInt8>) throws {}
    @available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *)
    public func seekToEnd() throws -> UInt64 { 0 }
    public func write(_ data: Data) {}
    public var availableData: Data { fatalError() }
    public func readDataToEndOfFile() -> Data { fatalError() }
    public func truncate(atOffset offset: UInt64) throws {}
    public func seek(toOffset offset: UInt64) throws {}
    public func close() throws {}
}
public class Pipe: @unchecked Sendable {
    public init() {}
    public var fileHandleForReading: FileHandle { fatalError() }
    public var fileHandleForWriting: FileHandle { fatalError() }
}
public class Process: @unchecked Sendable {
    public enum TerminationReason: Sendable { case exit, uncaughtSignal }
    public init() {}
    public var executableURL: URL?
    public var currentDirectoryURL: URL?
    public var arguments: [String]?
    public var environment: [String: String]?
    public var standardInput: Any?
    public var standardOutput: Any?
    public var standardError: Any?
    public var terminationHandler: (@Sendable (Process) -> Void)?
    public func run() throws {}
    public func waitUntilExit() {}
    public func terminate() {}
    public func interrupt() {}
    public var isRunning: Bool { fatalError() }
    public var processIdentifier: Int32 { fatalError() }
    public var terminationStatus: Int32 { fatalError() }
    public var terminationReason: TerminationReason { fatalError() }
}

extension Progress {
    public convenience init(totalUnitCount: Int64) { fatalError() }
    public convenience init(totalUnitCount: Int64, parent: Progress, pendingUnitCount: Int64) { fatalError() }
    public var isFinished: Bool { fatalError() }
    public var fractionCompleted: Double { fatalError() }
    public func cancel() {}
    public func addChild(_ child: Progress, withPendingUnitCount count: Int64) {}
}
public class Bundle: @unchecked Sendable {
    public init(for type: AnyClass) {}
    public static var main: Bundle { fatalError() }
    public static var allBundles: [Bundle] { [] }
    public var bundleURL: URL { fatalError() }
    public var bundlePath: String { fatalError() }
    public var executablePath: String? { nil }
}
public struct URLComponents {
    public init() {}
    public init?(string: String) { nil }
    public init?(url: URL, resolvingAgainstBaseURL: Bool) { nil }
    public var host: String?
    public var scheme: String?
    public var path: String
    public var url: URL? { nil }
}
public class NSItemProvider {
    public init?(contentsOf url: URL?) { nil }
    @discardableResult
    public func loadFileRepresentation(
        forTypeIdentifier type: String, completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
    ) -> Progress { fatalError() }
}
public class NSNumber: @unchecked Sendable {
    public init(value: Int) {}
    public init(value: UInt64) {}
}
public struct URLRequest: Sendable {
    public init(url: URL) {}
    public var httpMethod: String?
    public var httpBody: Data?
    public var httpBodyStream: InputStream?
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
    public func value(forHTTPHeaderField field: String) -> String? { nil }
}
public struct CocoaError: Error, Sendable {
    public struct Code: Hashable, Sendable {
        public static var fileReadNoSuchFile: Code { fatalError() }
        public static var fileReadUnknown: Code { fatalError() }
    }
    public init(_ code: Code) {}
    public static var fileNoSuchFile: Code { fatalError() }
}
extension CocoaError.Code {
    public static func ~= (code: Self, error: any Error) -> Bool { fatalError() }
}
extension TimeZone {
    public init?(secondsFromGMT: Int) { nil }
    public init?(identifier: String) { nil }
    public static var current: TimeZone { fatalError() }
    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    public static var gmt: TimeZone { fatalError() }
}
public struct Calendar: Hashable, Sendable {
    public enum Identifier: Sendable { case gregorian }
    public enum Component: Sendable { case year, month, day, hour, minute, second }
    public init(identifier: Identifier) {}
    public var timeZone: TimeZone { get { fatalError() } set {} }
    public func startOfDay(for date: Date) -> Date { fatalError() }
    public func component(_ component: Component, from date: Date) -> Int { fatalError() }
}
public struct Locale: Hashable, Sendable {
    public init(identifier: String) {}
}
extension DateFormatter {
    public var dateFormat: String! { get { fatalError() } set {} }
    public var timeZone: TimeZone! { get { fatalError() } set {} }
    public var locale: Locale! { get { fatalError() } set {} }
    public var isLenient: Bool { get { fatalError() } set {} }
}
public class ISO8601DateFormatter: @unchecked Sendable {
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let withInternetDateTime = Options(rawValue: 1)
        public static let withFractionalSeconds = Options(rawValue: 2)
    }
    public init() {}
    public var formatOptions: Options
    public func date(from text: String) -> Date? { nil }
    public func string(from date: Date) -> String { fatalError() }
}
extension JSONEncoder {
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let prettyPrinted = OutputFormatting(rawValue: 1)
        public static let sortedKeys = OutputFormatting(rawValue: 2)
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
    }
    public enum DateEncodingStrategy: Sendable { case iso8601, secondsSince1970 }
    public enum KeyEncodingStrategy: Sendable { case useDefaultKeys, convertToSnakeCase }
    public enum NonConformingFloatEncodingStrategy: Sendable {
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
    public var outputFormatting: OutputFormatting { get { fatalError() } set {} }
    public var dateEncodingStrategy: DateEncodingStrategy { get { fatalError() } set {} }
    public var keyEncodingStrategy: KeyEncodingStrategy { get { fatalError() } set {} }
    public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy { get { fatalError() } set {} }
}
extension JSONSerialization {
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public static func jsonObject(with data: Data, options: ReadingOptions = []) throws -> Any { fatalError() }
}
extension JSONDecoder {
    public enum DateDecodingStrategy: Sendable { case iso8601, secondsSince1970 }
    public enum KeyDecodingStrategy: Sendable { case useDefaultKeys, convertFromSnakeCase }
    public var dateDecodingStrategy: DateDecodingStrategy { get { fatalError() } set {} }
    public var keyDecodingStrategy: KeyDecodingStrategy { get { fatalError() } set {} }
    @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
    public var allowsJSON5: Bool { get { fatalError() } set {} }
}
extension RunLoop {
    public func run(until date: Date) {}
}
extension InputStream {
    public convenience init?(url: URL) { nil }
    public convenience init?(fileAtPath path: String) { nil }
}

public enum PropertyListSerialization {
    public struct ReadOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public enum PropertyListFormat: UInt, Sendable {
        case xml = 100
    }

    public static func propertyList(
        from data: Data,
        options: ReadOptions = [],
        format: UnsafeMutablePointer<PropertyListFormat>?
    ) throws -> Any { fatalError() }
}

public struct NSRange: Sendable {
    public init(location: Int, length: Int) {}
}
extension Range where Bound == String.Index {
    public init?<S: StringProtocol>(_ range: NSRange, in string: S) { fatalError() }
}
open class NSTextCheckingResult {
    public func range(withName name: String) -> NSRange { fatalError() }
}
open class NSRegularExpression: @unchecked Sendable {
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public struct MatchingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public init(pattern: String, options: Options = []) throws {}
    public func firstMatch(
        in string: String,
        options: MatchingOptions = [],
        range: NSRange
    ) -> NSTextCheckingResult? { fatalError() }
}
