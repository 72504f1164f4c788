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
    /// Waits for the sequence, if no bytes are at hand.
    ///
    /// - Parameter actor: Where the sequence is iterated.
    /// - Returns: Whether there are bytes; false at the sequence's end.
    /// - Throws: What the sequence throws.
    mutating func wait(isolation actor: isolated (any Actor)?) async throws -> Bool

    /// Copies some of the bytes at hand.
    ///
    /// - Parameter buffer: Where to put them.
    /// - Returns: How many they are.
    /// - Throws: ``MultipartError`` without its part, if there are more or less of them than there were.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int
}

/// Holds one element of the sequence at a time, and takes it apart without a copy of the rest.
private struct ElementBytes<Iterator: AsyncIteratorProtocol>: AsynchronousBytes
where Iterator.Element: ContiguousBytes {
    private var iterator: Iterator
    private var element: Iterator.Element?
    /// How many bytes the element has, and how many of them have been handed out.
    private var count = 0
    private var position = 0

    init(iterator: Iterator) {
        self.iterator = iterator
    }

    mutating func wait(isolation actor: isolated (any Actor)?) async throws -> Bool {
        // Each turn takes an element that was empty or used up.
        while position == count {
            element = nil
            element = try await iterator.next(isolation: actor)
            guard let element else { return false }
            // SAFETY: the bytes are counted only.
            count = unsafe element.withUnsafeBytes { bytes in bytes.count }
            position = 0
        }
        return true
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int {
        let rest = position..<count
        // SAFETY: the slice lies within the bytes, whose number is checked, and copyMemory checks that there is room.
        let copied: Int? = unsafe element?.withUnsafeBytes { bytes in
            // A type of the caller's may give other bytes than before.
            guard bytes.count == rest.upperBound else { return nil }
            let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[rest].prefix(buffer.count))
            unsafe buffer.copyMemory(from: piece)
            return piece.count
        }
        guard let copied else { throw MultipartError(.inputStreamReadFailed) }
        position += copied
        return copied
    }
}
