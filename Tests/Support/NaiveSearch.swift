package import MultipartForm

extension DelimiterSearch {
    /// A search of a few lines that the real ones must agree with.
    package func naiveSearch(_ bytes: [UInt8], from start: Int) -> Result {
        for place in start..<max(start, bytes.count) where isLineBreak(bytes[place]) {
            let rest = bytes[(place + 1)...].prefix(needle.count - 1)
            guard needle.dropFirst().starts(with: rest) else { continue }
            return rest.count == needle.count - 1 ? .found(place) : .partial(place)
        }
        return .none
    }
}
