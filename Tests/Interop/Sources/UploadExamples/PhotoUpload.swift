package import Foundation
package import MultipartForm

/// A photo and what is known of it, which a client uploads as a form with a JSON part and a file.
package struct PhotoUpload: Codable, Sendable {
    /// What is known of a photo.
    package struct Metadata: Codable, Hashable, Sendable {
        /// Its title.
        package var title: String
        /// Words to find it by.
        package var tags: [String]
        /// From 1 to 5.
        package var rating: Int

        /// Creates metadata.
        package init(title: String, tags: [String], rating: Int) {
            self.title = title
            self.tags = tags
            self.rating = rating
        }
    }

    /// What is known of the photo: one part of type application/json.
    package var metadata: FormJSON<Metadata>
    /// The photo.
    package var photo: FormFile

    /// Creates an upload.
    package init(_ metadata: Metadata, photo: FormFile) {
        self.metadata = FormJSON(metadata)
        self.photo = photo
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
    let upload = PhotoUpload(metadata, photo: try FormFile(contentsOf: url))
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
