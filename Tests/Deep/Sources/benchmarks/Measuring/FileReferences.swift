import Foundation

/// The file operations that the file cases are compared with.
struct FileReferences {
    /// The buffer's size, in bytes.
    static let bufferSize = 1 << 20
    /// The buffer's alignment: a page's.
    static let alignment = 4096

    /// The file that is read.
    let source: URL
    /// The file that is created.
    let output: URL

    /// Reads the source and writes it to the output, which is new.
    func copy() throws {
        let descriptor = open(output.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BenchmarkError("cannot create the copy") }
        defer { close(descriptor) }
        try readAll { bytes in
            guard write(descriptor, bytes.baseAddress, bytes.count) == bytes.count else {
                throw BenchmarkError("cannot write the copy")
            }
        }
    }

    /// Reads the source and discards it.
    func read() throws {
        try readAll { _ in }
    }

    private func readAll(_ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        let descriptor = open(source.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchmarkError("cannot open the content") }
        defer { close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: Self.alignment)
        defer { buffer.deallocate() }
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return }
            // SAFETY: the read has filled count bytes.
            try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
