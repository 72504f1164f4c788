internal import Foundation
package import MultipartFormCodec

extension CasePart {
    /// The error of a mode for a part that is encoded as it is; nil if the mode reads it.
    ///
    /// - Parameters:
    ///   - mode: The mode of the parser.
    ///   - boundary: The boundary of the form.
    /// - Returns: The error's code.
    package func refusal(in mode: ParsingMode, boundary: Boundary) -> MultipartError.Code? {
        guard mode == .strict else { return nil }
        let lines = lines.map { Array($0.utf8) }
        if !NaiveGrammar.accepts(lines, dash: boundary.dashBoundary) { return .ambiguousHeader }
        return filename == "" && !body.isEmpty ? .missingFilename : nil
    }

    /// The header lines of the part, as they are encoded.
    private var lines: [String] {
        let names =
            [name.map { "name=\"\(Self.received($0, normalizingNewlines: true))\"" }]
            + [filename.map { "filename=\"\(Self.received($0, normalizingNewlines: false))\"" }]
        let disposition = (["Content-Disposition: form-data"] + names.compactMap(\.self)).joined(separator: "; ")
        let type = contentType.map { ["Content-Type: \($0)"] } ?? []
        return [disposition] + type + headers.map { "\($0[0]): \($0[1])" }
    }

    /// A name or file name with HTML's escapes, as it is parsed.
    package static func received(_ text: String, normalizingNewlines: Bool) -> String {
        var scalars = String.UnicodeScalarView()
        var previous: Unicode.Scalar = "x"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where normalizingNewlines && previous == "\r": break
            case "\r" where normalizingNewlines, "\n" where normalizingNewlines:
                scalars.append(contentsOf: "%0D%0A".unicodeScalars)
            case "\r": scalars.append(contentsOf: "%0D".unicodeScalars)
            case "\n": scalars.append(contentsOf: "%0A".unicodeScalars)
            case "\"": scalars.append(contentsOf: "%22".unicodeScalars)
            default: scalars.append(scalar)
            }
            previous = scalar
        }
        return String(scalars)
    }
}
