import Foundation
import MultipartFormCodec

/// The forms that are encoded.
enum EncodeForms {
    /// A boundary chosen by the caller, so that the encoder scans all content for it; as long as a random one.
    private static let chosenBoundary: Boundary = "----------------BoundaryOfTheCaller00001"

    /// A field's name and value, prepared so that only the library's work is timed.
    typealias Field = (name: String, value: String)

    /// The names and values of small fields.
    static func fields(_ count: Int) -> [Field] {
        (0..<count).map { ("field\(100_000 + $0)", "value \($0)") }
    }

    /// A form of small fields.
    static func form(of fields: [Field]) -> MultipartFormData {
        var form = MultipartFormData()
        for field in fields { form.append(field.value, withName: field.name) }
        return form
    }

    /// A form of one file in memory.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - searchesForBoundary: Whether the boundary is the caller's, so that the content is scanned for it.
    /// - Returns: The form.
    static func form(of content: Data, searchesForBoundary: Bool = false) -> MultipartFormData {
        var form = searchesForBoundary ? MultipartFormData(boundary: chosenBoundary) : MultipartFormData()
        form.append(content, withName: "file", fileName: "content.bin", mimeType: "application/octet-stream")
        return form
    }

    /// A form of one file.
    static func form(ofFile file: URL) throws -> MultipartFormData {
        var form = MultipartFormData()
        form.append(file, withName: "file")
        if let error = form.firstError { throw error }
        return form
    }

    /// Random bytes: 4 MiB of them, repeated.
    static func content(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: 21)
        let pattern = generator.bytes(4 << 20)
        var result: [UInt8] = []
        result.reserveCapacity(count)
        while result.count < count { result.append(contentsOf: pattern.prefix(count - result.count)) }
        return result
    }
}
