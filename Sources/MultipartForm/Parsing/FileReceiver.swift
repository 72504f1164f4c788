internal import Foundation

/// A new file that an asynchronous function writes, on threads that may block.
///
/// - Invariant: one operation at a time, which the function waits for. A file that is not finished is removed with the
///   receiver.
final class FileReceiver: @unchecked Sendable {
    // SAFETY: `file` is touched by one operation at a time, or while none runs.
    private let url: URL
    private var file: AtomicFile?

    init(_ url: URL) {
        self.url = url
    }

    /// Runs an operation where it may block.
    func perform(_ operation: @escaping @Sendable (FileReceiver) throws(MultipartError) -> Void) async throws {
        try await BlockingPool.files.run { [weak self] in
            if let self { try operation(self) }
        }
    }

    func create() throws(MultipartError) {
        guard url.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: url.errorText) }
        do {
            file = try AtomicFile(creating: url.path, permissions: FileSystem.privateMode)
        } catch {
            throw MultipartError(.outputStreamCreationFailed, writing: url, error)
        }
    }

    func write(_ bytes: Data) throws(MultipartError) {
        try file?.write(bytes.span, to: url)
    }

    func finish(mode: mode_t) throws(MultipartError) {
        try file?.finish(at: url, mode: mode)
        file = nil
    }
}
