import Foundation

/// A directory for the run's files, in memory if there is `/dev/shm`; `deinit` removes it.
final class WorkDirectory {
    /// The directory.
    let url: URL

    /// Creates a directory for this process.
    init() throws {
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        let isPresent = FileManager.default.isWritableFile(atPath: memory.path)
        let parent = isPresent ? memory : FileManager.default.temporaryDirectory
        url = parent.appendingPathComponent("form-benchmarks-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The URL of a file in the directory.
    func file(_ name: String) -> URL {
        url.appendingPathComponent(name)
    }

    /// Writes a file in the directory.
    func write(_ bytes: [UInt8], to name: String) throws -> URL {
        let file = file(name)
        try Self.write(bytes, to: file)
        return file
    }

    /// Writes a file anywhere, without a second copy of its bytes.
    static func write(_ bytes: [UInt8], to file: URL) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BenchmarkError("cannot create \(file.lastPathComponent)") }
        defer { close(descriptor) }
        try bytes.withUnsafeBytes { source in
            var written = 0
            // Each turn writes at least one byte or throws.
            while written < source.count {
                let rest = UnsafeRawBufferPointer(rebasing: source[written...])
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                guard count > 0 else { throw BenchmarkError("cannot write \(file.lastPathComponent)") }
                written += count
            }
        }
    }
}
