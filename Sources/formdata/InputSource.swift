import Foundation

/// The file or standard input a message is read from.
final class InputSource {
    private let descriptor: FileDescriptor
    private let label: String

    /// The bytes to be read, if it is a regular file.
    let length: UInt64?

    /// Opens an input.
    ///
    /// - Parameter path: The path; nil or `-` for standard input.
    /// - Throws: ``ToolError`` if it is missing, may not be read, or is a directory.
    init(path: String?) throws {
        guard let path, path != "-" else {
            descriptor = .standardInput
            label = "standard input"
            length = try Self.standardInputStatus().remainingLength
            return
        }
        label = path
        do throws(POSIXError) {
            descriptor = try FileDescriptor.open(path, O_RDONLY)
            length = try Self.status(of: descriptor).remainingLength
        } catch {
            throw Self.openingError(path, error)
        }
    }

    deinit {
        if descriptor.number != FileDescriptor.standardInput.number { descriptor.close() }
    }

    /// Asks what standard input is.
    ///
    /// - Throws: ``ToolError`` if it is closed, or a directory.
    static func standardInputStatus() throws -> FileDescriptor.Status {
        do throws(POSIXError) {
            return try status(of: .standardInput)
        } catch {
            throw openingError("standard input", error)
        }
    }

    /// Reads some bytes; 0 at the end.
    ///
    /// - Throws: ``ToolError`` if reading fails.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        do throws(POSIXError) {
            return try descriptor.read(into: buffer)
        } catch {
            try Interruption.check()
            throw ToolError(.inputOutput, "read-failed", "input cannot be read", path: label, error)
        }
    }

    private static func status(of descriptor: FileDescriptor) throws(POSIXError) -> FileDescriptor.Status {
        let status = try descriptor.status()
        guard !status.isDirectory else { throw POSIXError(.EISDIR) }
        return status
    }

    private static func openingError(_ label: String, _ error: POSIXError) -> ToolError {
        ToolError(.noInput, "cannot-open-input", "input cannot be opened", path: label, error)
    }
}
