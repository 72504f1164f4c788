/// What an upload fails with, beside the errors of the form and of the client.
package enum UploadError: Error {
    /// The server's answer has another status than 200.
    case refused
}
