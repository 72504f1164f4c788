/// Matches a word in bytes that arrive one by one or in pieces (Knuth, Morris and Pratt).
///
/// - Input: the bytes of a text.
/// - Output: whether the last byte completes the word.
/// - Invariant: ``matched`` is the length of the longest prefix of the word that the text ends with.
/// - Cost: linear: each byte adds at most one to ``matched``, and each fallback reduces it. The first fallback from more
///   than one byte allocates a table, except for a word whose first byte does not recur, such as a delimiter.
package struct PrefixMatcher: Sendable {
    package let word: [UInt8]

    /// How many bytes of the word the text ends with.
    package var matched = 0

    /// Whether the word's first byte occurs again in it.
    private let firstByteRecurs: Bool

    /// For each matched length, that of the next shorter prefix at the end of the matched bytes; empty until needed.
    private var fallback: [Int] = []

    package init(word: [UInt8]) {
        self.word = word
        firstByteRecurs = word.lastIndex(of: word[0]) != 0
    }

    /// Consumes a byte; true if it completes the word.
    package mutating func consume(_ byte: UInt8) -> Bool {
        while matched > 0, byte != word[matched] { fallBack() }
        if byte == word[matched] { matched += 1 }
        return matched == word.count
    }

    /// Shortens the match to the next shorter one.
    package mutating func fallBack() {
        // A shorter match would begin with the word's first byte.
        guard matched > 1, firstByteRecurs else {
            matched = 0
            return
        }
        if fallback.isEmpty { makeFallback() }
        matched = fallback[matched]
    }

    /// Matches the end of `bytes[start...]` alone, in which the whole word does not occur.
    package mutating func matchEnd(of bytes: Span<UInt8>, from start: Int) {
        matched = 0
        // A match that began earlier would be whole.
        var index = max(start, bytes.count - word.count + 1)
        guard firstByteRecurs else {
            // A match has the first byte only at its start, so only the last one can begin it. Without this way,
            // `crlf-only` takes half as many instructions more in chunks of 4 KiB.
            guard ASCII.firstOffset(of: word[0], in: bytes, from: index) < bytes.count else { return }
            var first = bytes.count - 1
            while bytes[first] != word[0] { first -= 1 }
            if length(ofMatchAt: first, in: bytes) == bytes.count - first { matched = bytes.count - first }
            return
        }
        while true {
            if matched == 0 {
                index = ASCII.firstOffset(of: word[0], in: bytes, from: index)
                guard index < bytes.count else { return }
                matched = length(ofMatchAt: index, in: bytes)
                index += matched
            }
            guard index < bytes.count else { return }
            _ = consume(bytes[index])
            index += 1
        }
    }

    /// How many bytes of the word are at `start`.
    func length(ofMatchAt start: Int, in bytes: Span<UInt8>) -> Int {
        let count = min(word.count, bytes.count - start)
        var length = 0
        while length < count, bytes[start + length] == word[length] { length += 1 }
        return length
    }

    private mutating func makeFallback() {
        fallback = [0, 0]
        var length = 0
        for index in 1..<word.count {
            while length > 0, word[index] != word[length] { length = fallback[length] }
            if word[index] == word[length] { length += 1 }
            fallback.append(length)
        }
    }
}
