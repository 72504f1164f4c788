import MultipartFormCodec
import NIOFoundationCompat
import Vapor

import struct MultipartFormCodec.FormDataDecoder
import struct MultipartFormCodec.FormDataEncoder
import struct MultipartFormCodec.MultipartParser

/// Decodes and encodes forms in Vapor's requests and responses.
struct FormContentCoder: ContentDecoder, ContentEncoder {
    var decoder = FormDataDecoder()
    var encoder = FormDataEncoder()
    var options = MultipartParser.Options()

    /// Reads and writes dates, arrays and data as MultipartKit does.
    init() {
        decoder.dateDecoding = .deferredToDate
        encoder.dateEncoding = .deferredToDate
        encoder.arrayEncoding = .indexInBrackets
        encoder.dataEncoding = .field
    }

    func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: ByteBuffer,
        headers: HTTPHeaders
    ) throws -> Value {
        try decode(type, from: body, headers: headers, userInfo: [:])
    }

    func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: ByteBuffer,
        headers: HTTPHeaders,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws -> Value {
        var decoder = decoder
        decoder.userInfo.merge(userInfo) { $1 }
        return try decoder.decode(
            type,
            from: Data(buffer: body),
            contentType: headers.first(name: .contentType),
            options: options
        )
    }

    func encode<Value: Encodable>(
        _ value: Value,
        to body: inout ByteBuffer,
        headers: inout HTTPHeaders
    ) throws {
        try encode(value, to: &body, headers: &headers, userInfo: [:])
    }

    func encode<Value: Encodable>(
        _ value: Value,
        to body: inout ByteBuffer,
        headers: inout HTTPHeaders,
        userInfo: [CodingUserInfoKey: any Sendable]
    ) throws {
        var encoder = encoder
        encoder.userInfo.merge(userInfo) { $1 }
        let form = try encoder.encode(value)
        headers.replaceOrAdd(name: .contentType, value: form.contentType)
        body.writeData(try form.encode())
    }
}
