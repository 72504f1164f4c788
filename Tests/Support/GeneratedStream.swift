package import Foundation

/// A stream of 1 bytes, generated as they are read.
package final class GeneratedStream: InputStream {
    private var rest: Int
    private let countPerRead: Int
    private let whenRead: () -> Void
    private var status = Status.notOpen

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - count: The number of bytes it yields.
    ///   - countPerRead: The most bytes that a read yields.
    ///   - whenRead: Called before each read.
    package init(count: Int, perRead countPerRead: Int = .max, whenRead: @escaping () -> Void = {}) {
        rest = count
        self.countPerRead = countPerRead
        self.whenRead = whenRead
        super.init(data: Data())
    }

    package override var streamStatus: Status { status }
    package override var hasBytesAvailable: Bool { true }
    package override func open() { status = .open }
    package override func close() { status = .closed }

    package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        whenRead()
        let count = min(length, rest, countPerRead)
        rest -= count
        buffer.update(repeating: 1, count: count)
        return count
    }
}
