import Foundation

/// The file or standard input that a message or a content is read from; closed with its last owner.
final class InputSource: Sendable {
    /// The bytes to be read, if it is a regular file.
    let length: UInt64?

    private let descriptor: FileDescriptor
    private let label: String

    /// Opens a path; nil and `-` are standard input.
    ///
    /// - Throws: ``ToolError`` if it is missing, may not be read, or is a directory.
    init(path: String?) throws {
        let isStandardInput = path == nil || path == "-"
        label = isStandardInput ? "standard input" : path ?? ""
        do throws(POSIXError) {
            descriptor = isStandardInput ? .standardInput : try FileDescriptor.open(label, O_RDONLY)
            length = try Self.remainingLength(descriptor)
        } catch {
            throw ToolError(.noInput, "cannot-open-input", "input cannot be opened", path: label, error)
        }
    }

    deinit {
        if descriptor.number != FileDescriptor.standardInput.number { try? descriptor.close() }
    }

    /// Reads some bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(POSIXError) -> Int {
        try descriptor.read(into: buffer)
    }

    /// Fills an array as far as the input goes, and returns how many bytes that are.
    ///
    /// - Throws: ``ToolError`` if reading fails.
    func fill(_ block: inout [UInt8]) throws -> Int {
        var filled = 0
        do throws(POSIXError) {
            // Each turn reads at least one byte or is the last.
            while filled < block.count {
                // SAFETY: the rest of the array, used inside the closure only.
                var rest = block.mutableSpan
                let count = try rest.withUnsafeMutableBytes { bytes throws(POSIXError) in
                    try read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
                }
                guard count > 0 else { break }
                filled += count
            }
            return filled
        } catch {
            throw ToolError(.inputOutput, "read-failed", "input cannot be read", path: label, error)
        }
    }

    /// The bytes from the current offset to the end of a regular file; nil for anything else.
    private static func remainingLength(_ descriptor: FileDescriptor) throws(POSIXError) -> UInt64? {
        let status = try descriptor.status()
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw POSIXError(.EISDIR)
        case S_IFREG: return UInt64(max(Int64(status.st_size) - max(Int64(lseek(descriptor.number, 0, SEEK_CUR)), 0), 0))
        default: return nil
        }
    }
}
