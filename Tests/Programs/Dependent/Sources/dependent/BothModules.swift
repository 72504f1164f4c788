import Foundation
import MultipartFormCodec
import OtherForms

import struct MultipartFormCodec.MultipartFormData

/// Imports two modules that have types of the same names, and uses those of both.
enum BothModules {
    static func encode() throws -> Data {
        var form = MultipartFormData()
        form.append(BodyPart("Ada", name: "name"))
        _ = OtherForms.MultipartParser()
        _ = OtherForms.MultipartFormData()
        return try form.encode()
    }
}
