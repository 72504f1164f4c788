import Foundation
import MultipartFormCodec

extension MultipartFormData {
    /// The parts as a server reads them from the encoded form, in strict mode by default, one line each: the name, the
    /// file name and the media type where there are any, and the text.
    func received(_ mode: ParsingMode = .strict) throws -> [String] {
        let options = MultipartParser.Options(mode: mode)
        return try Self(parsing: encode(), contentType: contentType, options: options).map { part in
            let header = [part.name, part.filename, part.contentType].compactMap(\.self).joined(separator: "; ")
            return try "\(header) = \(part.text())"
        }
    }
}
