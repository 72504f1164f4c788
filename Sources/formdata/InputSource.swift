import Foundation

/// The file or standard input that a message or a content is read from; closed with its last owner.
final class InputSource: Sendable {
    /// The bytes to be read, if it is a regular file.
    let length: UInt64?

    private let descriptor: FileDescriptor

    /// Opens a path; nil and `-` are standard input.
    ///
    /// - Throws: ``ToolError`` if it is missing, may not be read, or is a directory.
    init(path: String?) throws {
        let path = path == "-" ? nil : path
        do throws(POSIXError) {
            descriptor = try path.map { path throws(POSIXError) in try .open(path, O_RDONLY) } ?? .standardInput
            let status = try descriptor.status()
            let kind = status.st_mode & S_IFMT
            guard kind != S_IFDIR else { throw POSIXError(.EISDIR) }
            let rest = Int64(status.st_size) - max(Int64(lseek(descriptor.number, 0, SEEK_CUR)), 0)
            length = kind == S_IFREG ? UInt64(max(rest, 0)) : nil
        } catch {
            let label = path ?? FileDescriptor.standardInput.label
            throw ToolError(.noInput, "cannot-open-input", "input cannot be opened", path: label, error)
        }
    }

    deinit {
        if descriptor.number != FileDescriptor.standardInput.number { try? descriptor.close() }
    }

    /// Reads some bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try descriptor.read(into: buffer)
    }

    /// Fills an array as far as the input goes, and returns how many bytes that are.
    func fill(_ block: inout [UInt8]) throws -> Int {
        var filled = 0
        // Each turn reads at least one byte or is the last.
        while filled < block.count {
            // SAFETY: the rest of the array, used inside the closure only.
            let count = try block.withUnsafeMutableBytes { try read(into: .init(rebasing: $0[filled...])) }
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }
}
