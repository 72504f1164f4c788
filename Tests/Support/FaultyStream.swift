package import Foundation

/// A stream that yields some bytes and then fails or ends.
package final class FaultyStream: InputStream {
    private var rest: [UInt8]
    private let fails: Bool
    private let whenRead: () -> Void
    private var status = Status.notOpen

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - bytes: The bytes it yields.
    ///   - fails: Whether it fails after them; otherwise it ends.
    ///   - whenRead: Called before each read.
    package init(_ bytes: [UInt8], fails: Bool, whenRead: @escaping () -> Void = {}) {
        rest = bytes
        self.fails = fails
        self.whenRead = whenRead
        super.init(data: Data())
    }

    package override var streamStatus: Status { status }
    package override var hasBytesAvailable: Bool { true }
    package override func open() { status = .open }
    package override func close() { status = .closed }

    package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        whenRead()
        if rest.isEmpty, fails {
            status = .error
            return -1
        }
        let count = min(length, rest.count)
        for index in 0..<count { buffer[index] = rest[index] }
        rest.removeFirst(count)
        return count
    }
}
