import Foundation
import HTTPTypes
import MultipartFormCodec
import MultipartKit

extension BodyPart {
    /// A part of MultipartKit 5.
    init(_ part: MultipartPart<[UInt8]>) throws {
        let disposition = try part.contentDisposition
        self.init(
            Data(part.body),
            name: disposition?.name ?? "",
            filename: disposition?.filename,
            contentType: part.headerFields[.contentType]
        )
    }
}
