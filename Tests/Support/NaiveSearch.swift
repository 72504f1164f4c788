internal import Foundation
package import MultipartForm

extension DelimiterSearch {
    /// Foundation's search, with which the real ones must agree.
    package func naiveSearch(_ bytes: [UInt8], from start: Int) -> Int? {
        Data(bytes).range(of: Data(needle), in: start..<max(start, bytes.count))?.lowerBound
    }
}

extension PrefixMatcher {
    /// The length of the longest prefix of the word, but not the word, that the bytes end with.
    package func naiveMatch(atEndOf bytes: [UInt8]) -> Int {
        (0..<word.count).last { bytes.suffix($0) == word.prefix($0) && bytes.count >= $0 } ?? 0
    }
}
