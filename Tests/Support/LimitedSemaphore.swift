internal import Dispatch

/// A semaphore whose wait has a limit.
package final class LimitedSemaphore: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Creates a semaphore without signals.
    package init() {}

    /// Lets one caller of ``wait(seconds:_:_:)`` go on, now or later.
    package func signal() {
        semaphore.signal()
    }

    /// Blocks the thread until there is a signal. Ends the process at the limit, since a test that hangs says nothing.
    ///
    /// - Parameters:
    ///   - seconds: The limit; unless given, longer than the tests' own, which says which test it is.
    ///   - file: The caller's file.
    ///   - line: The caller's line.
    package func wait(seconds: Int = 900, _ file: StaticString = #fileID, _ line: UInt = #line) {
        guard semaphore.wait(timeout: .now() + .seconds(seconds)) == .success else {
            fatalError("no signal in \(seconds) seconds", file: file, line: line)
        }
    }
}
