internal import Foundation
package import MultipartFormCodec

extension DelimiterSearch {
    /// Foundation's search, with which the real ones must agree.
    package func naiveSearch(_ bytes: [UInt8], from start: Int) -> Int? {
        Data(bytes).range(of: Data(needle), in: start..<max(start, bytes.count))?.lowerBound
    }
}

/// Finds the dash-boundary in a whole text, with the places of which those of ``BoundarySearch`` must agree in any
/// chunks.
package struct NaiveBoundarySearch {
    /// A place in the text.
    package struct Place: Equatable, Sendable {
        package let start: Int
        package let predecessor: BoundarySearch.Predecessor
        package let isWhole: Bool

        init(_ start: Int, in text: ArraySlice<UInt8>, isWhole: Bool) {
            let before = text[..<start]
            self.start = start
            self.isWhole = isWhole
            predecessor =
                switch (before.last, before.suffix(2) == [13, 10]) {
                case (nil, _): .start
                case (_, true): .carriageReturnLineFeed
                case (13, _): .carriageReturn
                case (10, _): .lineFeed
                default: .other
                }
        }

        init(_ place: BoundarySearch.Place, after offset: Int) {
            start = offset + place.start
            predecessor = place.predecessor
            isWhole = place.isWhole
        }
    }

    package let dashBoundary: [UInt8]

    package init(dashBoundary: [UInt8]) {
        self.dashBoundary = dashBoundary
    }

    /// The places of a text's prefix: the whole dash-boundaries, then the longest beginning of one at its end.
    package func places(in text: ArraySlice<UInt8>) -> [Place] {
        var places: [Place] = []
        var offset = text.startIndex
        while offset < text.endIndex {
            let isWhole = text[offset...].starts(with: dashBoundary)
            if isWhole { places.append(Place(offset, in: text, isWhole: true)) }
            offset += isWhole ? dashBoundary.count : 1
        }
        let rest = text.count - (places.last.map { $0.start + dashBoundary.count } ?? 0)
        let matched = (0...min(rest, dashBoundary.count - 1)).last { text.suffix($0) == dashBoundary.prefix($0) } ?? 0
        return places + [Place(text.endIndex - matched, in: text, isWhole: false)]
    }

    /// The places that ``BoundarySearch`` finds in chunks, each of which ends at an offset of the text.
    package func places(in text: [UInt8], endingChunksAt ends: [Int]) -> [[Place]] {
        var search = BoundarySearch(dashBoundary: dashBoundary)
        var start = 0
        return ends.map { end in
            defer { start = end }
            // Other bytes are around the chunk, which must not be read.
            let buffer = ContiguousArray([45, 13] + text[start..<end] + dashBoundary)
            let chunk = buffer.span.extracting(0..<2 + end - start)
            var places: [Place] = []
            var next = 2
            repeat {
                let place = search.next(in: chunk, from: next)
                places.append(Place(place, after: start - 2))
                next = place.start + dashBoundary.count
            } while places.last?.isWhole == true
            return places
        }
    }
}
