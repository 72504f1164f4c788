package import AsyncHTTPClient
package import Foundation
package import MultipartFormCodec

/// What a program keeps of an upload, such as in a file, to continue it after a relaunch.
package struct PendingUpload: Codable, Sendable {
    /// The upload's address.
    package let url: URL

    private let boundary: String
    private let length: UInt64?
    private let title: String
    private let file: URL
    private let modificationDate: Date?

    /// Creates an upload of a film, and sends none of its bytes.
    ///
    /// - Parameters:
    ///   - file: The film.
    ///   - title: Its title.
    ///   - target: The address that forms are posted to.
    ///   - client: The client that sends it.
    /// - Returns: What to keep.
    /// - Throws: ``UploadError``, or an error of the form or the client.
    package static func begin(
        _ file: URL,
        titled title: String,
        to target: URL,
        with client: HTTPClient
    ) async throws -> PendingUpload {
        let form = makeForm(boundary: .random(), title: title, file: file)
        if let error = form.firstError { throw error }
        let upload = try await ResumableUpload.create(of: form, to: target, with: client)
        return PendingUpload(
            url: upload.url,
            boundary: form.boundary.description,
            length: form.encodedLength,
            title: title,
            file: file,
            modificationDate: try modificationDate(of: file)
        )
    }

    /// Makes the same form again.
    ///
    /// - Returns: A form with the same encoding.
    /// - Throws: ``UploadError/changed`` if the file has changed.
    package func makeForm() throws -> MultipartFormData {
        let form = Self.makeForm(boundary: try Boundary(parsing: boundary), title: title, file: file)
        guard form.encodedLength == length, try Self.modificationDate(of: file) == modificationDate else {
            throw UploadError.changed
        }
        return form
    }

    private static func makeForm(boundary: Boundary, title: String, file: URL) -> MultipartFormData {
        var form = MultipartFormData(boundary: boundary)
        form.append(title, withName: "title")
        form.append(file, withName: "video")
        return form
    }

    private static func modificationDate(of file: URL) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
    }
}
