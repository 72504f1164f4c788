#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Work on new files: steps in the order of the message's bytes.
///
/// The code that reads a message appends steps. A ``FileWorker`` performs the steps, at once or on another thread.
struct FileWork: Sendable {
    enum Step: Sendable {
        /// Creates a file. The following steps up to ``finish(_:)`` write it.
        case create(FileTarget)
        /// Writes a range of the span that is passed with the work.
        case write(Range<Int>)
        /// Writes bytes that are not in the span that is passed with the work.
        case writeData(Data)
        /// Completes the file. The associated value is the object of a temporary file; nil for a saved file.
        case finish(TemporaryFile?)
        /// Throws an error of the message, at a later place than the bytes of all earlier steps.
        case fail(any Error)

        /// The number of bytes to write; nil if the step does more than write.
        var count: Int? {
            switch self {
            case .write(let range): range.count
            case .writeData(let data): data.count
            case .create, .finish, .fail: nil
            }
        }
    }

    private(set) var steps: [Step] = []

    mutating func append(_ step: Step) {
        steps.append(step)
    }

    mutating func removeAll() {
        steps.removeAll(keepingCapacity: true)
    }
}

/// A file to create.
enum FileTarget: Sendable {
    /// A temporary file for the content of a part. If the directory is nil, the system's directory for temporary files
    /// is used.
    case temporary(in: URL?, partIndex: Int, partName: String?)
    /// A file that the program keeps.
    case saved(at: URL, FileMode?)

    fileprivate func create() throws(POSIXError) -> (file: NewFile, url: URL) {
        switch self {
        case .temporary(let directory, _, _): try TemporaryFile.create(in: directory, prefix: "part-")
        case .saved(let url, let mode): (try NewFile(beside: url.path, mode: mode), url)
        }
    }

    fileprivate func error(_ code: MultipartError.Code, _ cause: POSIXError) -> MultipartError {
        switch self {
        case .temporary(let directory, let index, let name):
            MultipartError(
                code,
                "temporary file cannot be \(code == .outputStreamWriteFailed ? "written" : "created")",
                partIndex: index,
                partName: name,
                path: (directory ?? TemporaryFile.directory).errorText,
                underlyingError: cause
            )
        case .saved(let url, _):
            MultipartError(code, writing: url, cause)
        }
    }
}

/// Performs work on new files, on a thread that may block. Writes one file at a time.
///
/// Releasing the worker removes an incomplete file.
struct FileWorker {
    private var target: FileTarget?
    private var url: URL?
    private var pieces: PieceWriter?

    /// Performs steps in order. The ranges of ``FileWork/Step/write(_:)`` are ranges of `bytes`.
    ///
    /// Throws the first error: of the disk, or of a ``FileWork/Step/fail(_:)``. The steps are in the order of the
    /// message's bytes, so this is the error of the earliest bytes. All bytes before a ``FileWork/Step/fail(_:)`` are
    /// written before it throws.
    mutating func perform(_ steps: [FileWork.Step], in bytes: Span<UInt8>) throws {
        for step in steps {
            do throws(POSIXError) {
                try perform(step, in: bytes)
            } catch {
                // `pieces` is nil until the file has been created.
                let code: MultipartError.Code = pieces == nil ? .outputStreamCreationFailed : .outputStreamWriteFailed
                throw target?.error(code, error) ?? error
            }
            if case .fail(let error) = step { throw error }
        }
    }

    private mutating func perform(_ step: FileWork.Step, in bytes: Span<UInt8>) throws(POSIXError) {
        switch step {
        case .create(let target):
            (self.target, pieces) = (target, nil)
            let (file, url) = try target.create()
            (self.url, pieces) = (url, PieceWriter(file))
        case .write(let range):
            try pieces?.write(bytes.extracting(range))
        case .writeData(let data):
            try pieces?.write(data.span)
        case .finish(let temporaryFile):
            let identity = try pieces?.finish(at: temporaryFile == nil ? url?.path : nil)
            pieces = nil
            if let temporaryFile, let url, let identity { temporaryFile.complete(at: url, identity) }
        case .fail:
            try pieces?.flush()
        }
    }
}
