/// An upload's error, besides those of the form and of the client.
package enum UploadError: Error {
    /// The response's status is not 200.
    case refused
}
