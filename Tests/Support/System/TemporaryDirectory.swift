package import Foundation

/// A directory that is removed with all its files when its last owner releases it.
package final class TemporaryDirectory: Sendable {
    /// The directory.
    package let url: URL

    /// Creates an empty directory.
    package init() throws {
        _ = Self.raisedLimit
        // Foundation repeats a UUID when no descriptor is left; this fails instead.
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        var template = folder.appendingPathComponent("multipart-form-XXXXXX").path.utf8CString.map { $0 }
        guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        url = URL(fileURLWithPath: path, isDirectory: false)
    }

    deinit {
        remove()
    }

    /// Raises the limit of open descriptors: tests that run at the same time need more than macOS's default of 256.
    private static let raisedLimit: Bool = {
        #if canImport(Darwin)
            let descriptors = RLIMIT_NOFILE
        #else
            let descriptors = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        #endif
        var limit = rlimit()
        guard getrlimit(descriptors, &limit) == 0, limit.rlim_cur < 4096 else { return false }
        limit.rlim_cur = min(limit.rlim_max, 4096)
        return setrlimit(descriptors, &limit) == 0
    }()

    /// Removes the directory. Call it for a directory that a global owns, since globals are never released.
    package func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    /// Removes everything in the directory.
    package func clear() throws {
        for name in contents {
            do {
                try FileManager.default.removeItem(at: url.appendingPathComponent(name))
            } catch CocoaError.fileNoSuchFile {
                // An operation that was abandoned removes its own file.
            }
        }
    }

    /// The directory's path.
    package var path: String { url.path }

    /// The path of a file in the directory.
    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// The names in the directory, sorted.
    package var contents: [String] { names() ?? [] }

    /// The names in the directory or a subdirectory, sorted; nil if it does not exist.
    package func names(in folder: String = "") -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: path(of: folder)).sorted()
    }

    /// Whether a file or folder has this name.
    package func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(of: name))
    }

    /// The number of descriptors open on files in the directory, removed files included.
    package var openFileCount: Int { OpenDescriptors.count(in: url) }

    /// Writes a file and returns its URL.
    @discardableResult
    package func write(_ data: Data, as name: String) throws -> URL {
        // Data's own method waits for the disk.
        let descriptor = open(path(of: name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        file.write(data)
        try file.close()
        return url.appendingPathComponent(name)
    }

    /// Writes a text.
    package func write(_ text: String, as name: String) throws {
        try write(Data(text.utf8), as: name)
    }

    /// The bytes of a file.
    package func read(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path(of: name)))
    }

    /// The text of a file.
    package func text(_ name: String) throws -> String {
        String(decoding: try read(name), as: UTF8.self)
    }
}
