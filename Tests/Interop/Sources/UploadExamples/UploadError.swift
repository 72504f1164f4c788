/// An upload's error, besides those of the form and of the client.
package enum UploadError: Error {
    /// The response's status is not one of success.
    case refused
    /// The server failed, or has another offset; the upload can be resumed.
    case interrupted
    /// The length of a part is unknown, and the server needs that of the form.
    case unknownLength
    /// A file is no longer the one that the upload began with.
    case changed
}
