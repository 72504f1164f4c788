#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Work on new files: steps in the order of the message's bytes.
///
/// Whoever reads a message adds steps, and does not wait for the disk. A ``FileWorker`` performs them later.
struct FileWork: Sendable {
    enum Step: Sendable {
        /// Creates a file, which the steps up to ``finish(_:)`` write.
        case create(FileTarget)
        /// Writes bytes of the span that is passed with the work.
        case write(Range<Int>)
        /// Writes bytes that are not in this span.
        case writeData(Data)
        /// Completes the file. A temporary file becomes the file of this object.
        case finish(TemporaryFile?)
        /// Throws an error that concerns the bytes that follow.
        case fail(any Error)
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
    private struct OpenFile {
        let target: FileTarget
        let url: URL
        var pieces: PieceWriter
    }

    private var file: OpenFile?

    /// Performs steps in order. The ranges of ``FileWork/Step/write(_:)`` are ranges of `bytes`.
    ///
    /// This function alone decides which of several errors is thrown: the one of the earliest bytes, because the steps
    /// are in the order of the bytes. All bytes before a ``FileWork/Step/fail(_:)`` are written before it throws.
    mutating func perform(_ steps: [FileWork.Step], in bytes: Span<UInt8>) throws {
        for step in steps {
            switch step {
            case .create(let target): file = try Self.create(target)
            case .write(let range): try write(bytes.extracting(range))
            case .writeData(let data): try write(data.span)
            case .finish(let temporaryFile): try finish(temporaryFile)
            case .fail(let error):
                try flush()
                throw error
            }
        }
    }

    private static func create(_ target: FileTarget) throws(MultipartError) -> OpenFile {
        do throws(POSIXError) {
            switch target {
            case .temporary(let directory, _, _):
                let (file, url) = try TemporaryFile.create(in: directory, prefix: "part-")
                return OpenFile(target: target, url: url, pieces: PieceWriter(file))
            case .saved(let url, let mode):
                let file = try NewFile(beside: url.path, mode: mode)
                return OpenFile(target: target, url: url, pieces: PieceWriter(file))
            }
        } catch {
            throw target.error(.outputStreamCreationFailed, error)
        }
    }

    private mutating func write(_ bytes: Span<UInt8>) throws(MultipartError) {
        do throws(POSIXError) {
            try file?.pieces.write(bytes)
        } catch {
            throw writeError(error)
        }
    }

    private mutating func flush() throws(MultipartError) {
        do throws(POSIXError) {
            try file?.pieces.flush()
        } catch {
            throw writeError(error)
        }
    }

    private mutating func finish(_ temporaryFile: TemporaryFile?) throws(MultipartError) {
        guard var pieces = file?.pieces, let url = file?.url else { return }
        do throws(POSIXError) {
            if let temporaryFile {
                temporaryFile.complete(at: url, try pieces.finish())
            } else {
                try pieces.finish(at: url.path)
            }
        } catch {
            throw writeError(error)
        }
        file = nil
    }

    private func writeError(_ cause: POSIXError) -> MultipartError {
        file?.target.error(.outputStreamWriteFailed, cause) ?? MultipartError(.outputStreamWriteFailed)
    }
}
