import Foundation
import MultipartFormCodec
import SystemCalls
import TestSupport

/// Saves and writes files in each way, in directories that decide about new files, with each mask of the process: who
/// may use a file does not depend on how its content came.
enum FileRights {
    private enum Folder: String, CaseIterable {
        case plain = "a plain directory"
        case group = "a directory with the setgid bit and another group"
        case list = "a directory with an access-control list for its new files"

        /// Prepares a directory; false if that is impossible here.
        func prepare(_ path: String) -> Bool {
            switch self {
            case .plain: true
            case .group: chown(path, uid_t.max, 1234) == 0 && chmod(path, 0o2770) == 0
            case .list: system_calls_give_list(path)
            }
        }
    }

    private static let content = Data(repeating: 120, count: 5000)

    static func check() async throws {
        for folder in Folder.allCases {
            var rows = 0
            for mask: mode_t in [0o022, 0o027, 0o077, 0o007, 0o277] {
                for permissions in [nil, 0o600, 0o640, 0o666] {
                    let (directory, other) = (try TemporaryDirectory(), try TemporaryDirectory())
                    guard folder.prepare(directory.path) else { break }
                    let usualMask = umask(mask)
                    defer { umask(usualMask) }
                    try await checkRow(folder, mask, permissions, directory, beside: other.url)
                    rows += 1
                }
            }
            print(
                rows == 0
                    ? "skipped: \(folder.rawValue) needs root, or lists" : "rights in \(folder.rawValue): \(rows) rows"
            )
        }
    }

    /// Compares the files of all ways with one that the process creates itself.
    private static func checkRow(
        _ folder: Folder,
        _ mask: mode_t,
        _ permissions: Int?,
        _ directory: TemporaryDirectory,
        beside other: URL
    ) async throws {
        let url = { (name: String) in directory.url.appendingPathComponent(name) }
        let part = BodyPart(content, name: "f", filename: "x")
        let form = MultipartFormData([part])
        try saveCollected(form, from: other, to: directory.url, folder, permissions)
        try save(part, url("from memory"), permissions)
        try await saveAwaited(part, url("from memory, awaited"), permissions)
        let sequence = BodyPart(ChunkSource([content]), length: nil, name: "f")
        try await saveAwaited(sequence, url("from a sequence"), permissions)
        try await saveAwaited(collect(form, in: other), url("moved, awaited"), permissions)
        for try await part in try ChunkSource([try form.encode()]).multipartParts(contentType: form.contentType) {
            try await part.save(to: url("arriving"), upTo: .max, permissions: permissions)
        }
        if permissions == nil { try write(form, to: url("written")) }
        let expected = try create(url("created"), permissions)
        for name in directory.contents where Rights(of: url(name)) != expected {
            Hostile.fail(
                "\(name), \(folder.rawValue), umask \(String(mask, radix: 8)): \(Rights(of: url(name))), not \(expected)"
            )
        }
    }

    /// Moves collected parts from another directory, another device and the same directory, and copies one that has been moved.
    private static func saveCollected(
        _ form: MultipartFormData,
        from other: URL,
        to directory: URL,
        _ folder: Folder,
        _ permissions: Int?
    ) throws {
        let url = { (name: String) in directory.appendingPathComponent(name) }
        let part = try collect(form, in: other)
        let number = inode(of: part.fileURL)
        try save(part, url("moved"), permissions)
        if folder == .plain, inode(of: url("moved")) != number { Hostile.fail("a file is copied that can be moved") }
        try save(part, url("moved before"), permissions)
        try save(collect(form, in: directory), url("moved within"), permissions)
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        if FileManager.default.isWritableFile(atPath: memory.path) {
            try save(collect(form, in: memory), url("from another device"), permissions)
        }
    }

    private static func save(_ part: BodyPart, _ url: URL, _ permissions: Int?) throws {
        try part.save(to: url, permissions: permissions)
    }

    private static func saveAwaited(_ part: BodyPart, _ url: URL, _ permissions: Int?) async throws {
        try await part.save(to: url, permissions: permissions)
    }

    private static func write(_ form: MultipartFormData, to url: URL) throws {
        try form.writeEncodedData(to: url)
    }

    private static func collect(_ form: MultipartFormData, in directory: URL) throws -> BodyPart {
        let options = MultipartCollector.Options(diskThreshold: 100, temporaryDirectory: directory)
        var collector = MultipartCollector(boundary: form.boundary, options: options)
        try collector.append(form.encode())
        return try collector.finish()[0]
    }

    private static func inode(of url: URL?) -> UInt64 {
        var status = stat()
        guard let url, lstat(url.path, &status) == 0 else { Hostile.fail("a file is missing") }
        return UInt64(status.st_ino)
    }

    /// Creates a file as the process does, and returns its rights.
    private static func create(_ url: URL, _ permissions: Int?) throws -> Rights {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL, permissions == nil ? 0o666 : 0o600)
        guard descriptor >= 0 else { throw POSIXError.current }
        defer { close(descriptor) }
        if let permissions, fchmod(descriptor, mode_t(permissions)) != 0 { throw POSIXError.current }
        return Rights(of: url)
    }
}

/// Who may use a file.
private struct Rights: Equatable {
    private let owner: uid_t
    private let group: gid_t
    private let mode: mode_t
    /// The access-control list; nil if there is none.
    private let list: Data?

    init(of url: URL) {
        var status = stat()
        guard lstat(url.path, &status) == 0 else { Hostile.fail("\(url.path) is missing") }
        (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode)
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = system_calls_list(url.path, &bytes, bytes.count)
        list = count < 0 ? nil : Data(bytes.prefix(count))
    }
}
