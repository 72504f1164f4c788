package import Foundation
package import MultipartFormCodec

/// A photo and what is known of it.
package struct PhotoUpload: Codable, Sendable {
    package struct Metadata: Codable, Hashable, Sendable {
        package var title: String
        package var tags: [String]
        package var rating: Int
    }

    /// One part of type application/json.
    package var metadata: FormJSON<Metadata>
    package var photo: FormFile
}

extension PhotoUpload.Metadata {
    /// Creates metadata outside of this module.
    package init(_ title: String, tags: [String], rating: Int) {
        self.init(title: title, tags: tags, rating: rating)
    }
}

extension PhotoUpload {
    /// Creates an upload outside of this module.
    package init(_ metadata: Metadata, photo: FormFile) {
        self.init(metadata: FormJSON(metadata), photo: photo)
    }
}

/// Makes the form of a photo from a value.
///
/// - Parameters:
///   - metadata: What is known of the photo.
///   - url: The photo.
/// - Returns: A form with the parts `metadata` and `photo`.
/// - Throws: An error of the encoder, or of the file.
package func makePhotoForm(_ metadata: PhotoUpload.Metadata, photo url: URL) throws -> MultipartFormData {
    let upload = PhotoUpload(metadata: FormJSON(metadata), photo: try FormFile(contentsOf: url))
    return try FormDataEncoder().encode(upload)
}

/// Makes the same form part by part.
///
/// - Parameters:
///   - metadata: What is known of the photo.
///   - url: The photo.
/// - Returns: A form with the parts `metadata` and `photo`.
/// - Throws: An error of the JSON encoder.
package func appendPhotoParts(_ metadata: PhotoUpload.Metadata, photo url: URL) throws -> MultipartFormData {
    var form = MultipartFormData()
    let json = try JSONEncoder().encode(metadata)
    form.append(json, withName: "metadata", mimeType: "application/json")
    form.append(url, withName: "photo")
    return form
}
