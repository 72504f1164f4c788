import Foundation

extension TemporaryDirectory {
    /// Makes a directory, and removes it after the operation.
    static func with<Value>(_ operation: (TemporaryDirectory) async throws -> Value) async throws -> Value {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        return try await operation(directory)
    }

    /// A new subdirectory.
    func makeDirectory(_ name: String) throws -> URL {
        let directory = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }
}
