package import Foundation
package import MultipartFormCodec

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Uploads forms from files that outlive the process, as a background session must.
package nonisolated struct BackgroundUploads: Sendable {
    private let directory: URL
    private let url: URL
    private let authorization: @Sendable () -> String?
    private let session: URLSession

    /// Creates the session, or takes up that of an earlier launch.
    ///
    /// - Parameters:
    ///   - configuration: That of a background session, with the same identifier at each launch.
    ///   - directory: Where the forms are until they have been sent, such as a folder in Application Support.
    ///   - url: The server's address.
    ///   - authorization: Returns the Authorization field of a request, such as `Bearer` and a token.
    ///   - whenSent: Called with the form's boundary, the number of bytes sent, and the number of all bytes.
    ///   - whenAnswered: Called with the form's boundary and the response's status. After 401, 408, 429 and 5xx the form
    ///     is kept: call ``resend()``, after 401 with a new token.
    /// - Throws: An error of the directory.
    package init(
        _ configuration: URLSessionConfiguration,
        directory: URL,
        url: URL,
        authorization: @escaping @Sendable () -> String? = { nil },
        whenSent: @escaping @Sendable (_ boundary: String, _ sent: Int64, _ total: Int64) -> Void = { _, _, _ in },
        whenAnswered: @escaping @Sendable (_ boundary: String, _ status: Int) -> Void
    ) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        self.directory = directory
        self.url = url
        self.authorization = authorization
        let delegate = Delegate(directory, whenSent, whenAnswered)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// Writes a form to a file, and sends it from there.
    ///
    /// - Parameter form: The form; its own files may be removed afterwards.
    /// - Throws: An error of the form, or of the file system.
    package func upload(_ form: MultipartFormData) throws {
        let file = directory.appendingPathComponent(form.boundary.description)
        try form.writeEncodedData(to: file)
        #if canImport(Darwin)
            // The system reads the file also while the device is locked.
            try FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
                ofItemAtPath: file.path
            )
        #endif
        send(file, contentType: form.contentType)
    }

    private func send(_ file: URL, contentType: String) {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        request.setValue(authorization(), forHTTPHeaderField: "Authorization")
        let task = session.uploadTask(with: request, fromFile: file)
        task.taskDescription = file.lastPathComponent
        task.resume()
    }

    /// Sends the forms again that have a file but no task, because their task failed or the process ended too early.
    ///
    /// - Throws: An error of the directory.
    package func resend() async throws {
        let tasks = await withCheckedContinuation { continuation in
            session.getAllTasks { tasks in
                let running = tasks.filter { $0.state != .completed }
                continuation.resume(returning: running.compactMap(\.taskDescription))
            }
        }
        let files = try FileManager.default.contentsOfDirectory(
            at: directory,
            includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles  // Those of a form that was not written to its end.
        )
        for file in files where !tasks.contains(file.lastPathComponent) {
            let boundary = try Boundary(parsing: file.lastPathComponent)
            send(file, contentType: boundary.contentType)
        }
    }

    /// Ends the session when its tasks have ended.
    package func finish() {
        session.finishTasksAndInvalidate()
    }
}

/// Reports what is sent, and removes a form's file once the server has accepted or refused it.
private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
    private let directory: URL
    private let whenSent: @Sendable (String, Int64, Int64) -> Void
    private let whenAnswered: @Sendable (String, Int) -> Void

    init(
        _ directory: URL,
        _ whenSent: @escaping @Sendable (String, Int64, Int64) -> Void,
        _ whenAnswered: @escaping @Sendable (String, Int) -> Void
    ) {
        self.directory = directory
        self.whenSent = whenSent
        self.whenAnswered = whenAnswered
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // Without an answer the file stays, to be sent again.
        guard let name = task.taskDescription, let response = task.response as? HTTPURLResponse, error == nil
        else { return }
        let status = response.statusCode
        let isToBeRepeated = [401, 408, 429].contains(status) || status >= 500
        if !isToBeRepeated { try? FileManager.default.removeItem(at: directory.appendingPathComponent(name)) }
        whenAnswered(name, status)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        whenSent(task.taskDescription ?? "", min(totalBytesSent, totalBytesExpectedToSend), totalBytesExpectedToSend)
    }
}
