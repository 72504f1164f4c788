import MultipartFormCodec
import NIOFoundationCompat
import Vapor

import struct MultipartFormCodec.MultipartError

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension File: @retroactive FormPartEncodable, @retroactive FormPartDecodable {
    public func formPart(named name: String) -> BodyPart {
        BodyPart(
            Data(buffer: data),
            name: name,
            filename: filename,
            contentType: contentType?.serialize()
        )
    }

    public init(formPart: BodyPart) throws {
        self.init(data: ByteBuffer(data: try formPart.data()), filename: formPart.filename ?? "")
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MultipartError: @retroactive AbortError {
    public var status: HTTPResponseStatus { HTTPResponseStatus(statusCode: httpStatus) }

    public var reason: String { clientMessage ?? status.reasonPhrase }
}
