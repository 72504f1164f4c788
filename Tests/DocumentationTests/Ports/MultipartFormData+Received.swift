import Foundation
import MultipartForm

extension MultipartFormData {
    /// The parts as a server in strict mode reads them from the encoded form, one line each: the name, the file name and the
    /// media type where there are any, and the text.
    func received() throws -> [String] {
        try Self(parsing: encode(), contentType: contentType, options: .strict).map { part in
            let header = [part.name, part.filename, part.contentType].compactMap(\.self).joined(separator: "; ")
            return try "\(header) = \(part.text())"
        }
    }
}
