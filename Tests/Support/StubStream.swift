package import Foundation

/// A stream that yields some bytes and then ends or fails.
package final class StubStream: InputStream {
    /// The bytes; nil if each is 1.
    private let bytes: [UInt8]?
    private let count: Int
    private let countPerRead: Int
    private let fails: Bool
    private let whenRead: () -> Void
    private var position = 0
    private var status = Status.notOpen

    /// Creates a stream of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes it yields.
    ///   - fails: Whether it fails after them; otherwise it ends.
    ///   - whenRead: Called before each read.
    package init(_ bytes: [UInt8], fails: Bool, whenRead: @escaping () -> Void = {}) {
        self.bytes = bytes
        self.count = bytes.count
        self.countPerRead = .max
        self.fails = fails
        self.whenRead = whenRead
        super.init(data: Data())
    }

    /// Creates a stream of 1 bytes, generated as they are read.
    ///
    /// - Parameters:
    ///   - count: The number of bytes it yields.
    ///   - countPerRead: The most bytes that a read yields.
    ///   - whenRead: Called before each read.
    package init(count: Int, perRead countPerRead: Int = .max, whenRead: @escaping () -> Void = {}) {
        self.bytes = nil
        self.count = count
        self.countPerRead = countPerRead
        self.fails = false
        self.whenRead = whenRead
        super.init(data: Data())
    }

    package override var streamStatus: Status { status }
    package override var hasBytesAvailable: Bool { true }
    package override func open() { status = .open }
    package override func close() { status = .closed }

    package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        whenRead()
        if position == count, fails {
            status = .error
            return -1
        }
        let end = position + min(length, count - position, countPerRead)
        if let bytes {
            for index in position..<end { buffer[index - position] = bytes[index] }
        } else {
            buffer.update(repeating: 1, count: end - position)
        }
        defer { position = end }
        return end - position
    }
}
