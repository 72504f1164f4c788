package import Foundation

/// A content that arrives bit by bit, as an asynchronous sequence of any type.
package struct AsynchronousContent: Sendable {
    /// The declared length in bytes; nil when it is unknown.
    package let length: UInt64?

    private let open: @Sendable () -> any AsynchronousBytes

    /// Describes a sequence's bytes; the sequence is not touched.
    package init<Content: AsyncSequence & Sendable>(_ content: Content, length: UInt64?)
    where Content.Element: ContiguousBytes {
        self.length = length
        open = { ElementBytes(iterator: content.makeAsyncIterator()) }
    }

    /// The bytes from the start: the sequence is iterated anew.
    package func makeBytes() -> any AsynchronousBytes { open() }
}

/// The bytes of a sequence, for one reader.
package protocol AsynchronousBytes {
    /// Appends the next bytes, at least one and at most a number; waits for the sequence if none are held.
    ///
    /// - Parameters:
    ///   - count: How many bytes at most; at least 1.
    ///   - buffer: Where to append them.
    ///   - actor: Where the sequence is iterated.
    /// - Returns: How many bytes were appended; 0 at the sequence's end.
    /// - Throws: What the sequence throws.
    mutating func append(
        upTo count: Int,
        to buffer: inout Data,
        isolation actor: isolated (any Actor)?
    ) async throws -> Int
}

/// Holds one element of the sequence at a time, and takes it apart without a copy of the rest.
private struct ElementBytes<Iterator: AsyncIteratorProtocol>: AsynchronousBytes
where Iterator.Element: ContiguousBytes {
    private var iterator: Iterator
    private var element: Iterator.Element?
    /// How much of the element has been handed out.
    private var position = 0

    init(iterator: Iterator) {
        self.iterator = iterator
    }

    mutating func append(
        upTo count: Int,
        to buffer: inout Data,
        isolation actor: isolated (any Actor)?
    ) async throws -> Int {
        // Each turn takes an element that was empty or used up.
        while true {
            if let element {
                let start = position
                // SAFETY: a slice checks its bounds, and is copied inside the closure.
                let appended = unsafe element.withUnsafeBytes { bytes in
                    let piece = unsafe bytes[start...].prefix(count)
                    unsafe buffer.append(contentsOf: piece)
                    return unsafe piece.count
                }
                position += appended
                if appended > 0 { return appended }
            }
            element = nil
            position = 0
            element = try await iterator.next(isolation: actor)
            if element == nil { return 0 }
        }
    }
}
