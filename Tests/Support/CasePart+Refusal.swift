internal import Foundation
package import MultipartForm

extension CasePart {
    /// The error of a mode for a part that is encoded as it is; nil if the mode reads it.
    ///
    /// - Parameters:
    ///   - mode: The mode of the parser.
    ///   - boundary: The boundary of the form.
    /// - Returns: The error's code.
    package func refusal(in mode: ParsingMode, boundary: Boundary) -> MultipartError.Code? {
        let texts = [name, filename].compactMap(\.self)
        let hasTooManyMarks = texts.contains(where: NaiveHeaders.hasTooManyMarks)
        guard mode == .strict else { return hasTooManyMarks ? .tooManyCombiningMarks : nil }
        if headers.contains(where: { $0[0].utf8.starts(with: boundary.dashBoundary) }) { return .malformedHeader }
        if texts.contains(where: { $0.utf8.contains(92) }) { return .backslashNotAllowed }
        if texts.contains(where: { NaiveHeaders.hasEncodedWord(Array($0.utf8)) }) { return .encodedWordNotAllowed }
        if hasTooManyMarks { return .tooManyCombiningMarks }
        let type = NaiveHeaders.trim(Array((contentType ?? "").lowercased().utf8))
        if type.starts(with: "multipart/".utf8) { return .nestedMultipartNotAllowed }
        if filename == "", !body.isEmpty { return .missingFilename }
        return body.range(of: Data(boundary.dashBoundary)) == nil ? nil : .malformedDelimiter
    }
}
