import Foundation
import MultipartFormCodec
import MultipartKit
import NIOFoundationCompat
import NIOHTTP1

extension BodyPart {
    /// A part of MultipartKit 4.
    init(_ part: MultipartPart) {
        let fields = part.headers.map { HeaderField(name: $0.name, value: $0.value) }
        let headers = HeaderFields(fields)
        self.init(
            Data(buffer: part.body),
            name: headers.name ?? "",
            filename: headers.filename,
            contentType: headers.contentType
        )
    }
}
