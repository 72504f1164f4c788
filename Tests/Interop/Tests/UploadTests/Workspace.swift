import Foundation

/// A directory for one test.
struct Workspace {
    let directory: URL

    private init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("uploads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    /// Makes a directory, and removes it with what is in it when the operation is over.
    static func with<Value>(_ operation: (Workspace) async throws -> Value) async throws -> Value {
        let workspace = try Workspace()
        defer { try? FileManager.default.removeItem(at: workspace.directory) }
        return try await operation(workspace)
    }

    /// A new subdirectory.
    func makeDirectory(_ name: String) throws -> URL {
        let url = directory.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    /// A new file.
    func makeFile(_ name: String, _ data: Data) throws -> URL {
        let url = directory.appendingPathComponent(name)
        try data.write(to: url)
        return url
    }
}
