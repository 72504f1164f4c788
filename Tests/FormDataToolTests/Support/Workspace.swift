import Foundation

/// A temporary directory that is removed with its last reference.
final class Workspace {
    /// The directory's path.
    let path: String

    /// Creates an empty directory.
    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("formdata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        path = folder.resolvingSymlinksInPath().path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the directory.
    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Writes a file.
    func write(_ data: Data, to name: String) throws {
        try data.write(to: URL(fileURLWithPath: path(of: name)))
    }

    /// Writes a text.
    func write(_ text: String, to name: String) throws {
        try write(Data(text.utf8), to: name)
    }

    /// The bytes of a file.
    func read(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path(of: name)))
    }

    /// The text of a file.
    func text(_ name: String) throws -> String {
        String(decoding: try read(name), as: UTF8.self)
    }

    /// The names in the directory or one below it, sorted; nil if it does not exist.
    func names(in folder: String = "") -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: path(of: folder)).sorted()
    }

    /// Whether something stands at a name.
    func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(of: name))
    }
}
