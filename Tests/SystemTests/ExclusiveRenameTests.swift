import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct ExclusiveRenameTests {
    /// Nil is the first way that the file system supports.
    private static let ways = ExclusiveRename.allCases + [nil]
    private let directory: TemporaryDirectory
    private let file: URL
    private let place: URL

    init() throws {
        directory = try TemporaryDirectory()
        file = try directory.write(Data("mine".utf8), as: "file")
        place = directory.url.appendingPathComponent("place")
    }

    @Test(arguments: ways)
    func `a file gets its new path`(way: ExclusiveRename?) throws {
        let identity = try InputFile(path: file.path).identity
        try rename(by: way, file.path, place.path)
        #expect(directory.contents == ["place"])
        #expect(try InputFile(path: place.path).identity == identity)
    }

    @Test(arguments: ways)
    func `an existing file or link is not overwritten`(way: ExclusiveRename?) throws {
        try Data("theirs".utf8).write(to: place)
        #expect(throws: POSIXError(.EEXIST)) { try rename(by: way, file.path, place.path) }
        #expect(try Data(contentsOf: place) == Data("theirs".utf8))
        #expect(directory.contents == ["file", "place"])
        try FileManager.default.removeItem(at: place)
        try FileManager.default.createSymbolicLink(atPath: place.path, withDestinationPath: "nowhere")
        #expect(throws: POSIXError(.EEXIST)) { try rename(by: way, file.path, place.path) }
        #expect(directory.contents == ["file", "place"])
    }

    @Test(arguments: ways)
    func `renaming a missing file leaves nothing at the new path`(way: ExclusiveRename?) throws {
        let missing = directory.url.appendingPathComponent("missing")
        #expect(throws: POSIXError(.ENOENT)) { try rename(by: way, missing.path, place.path) }
        #expect(directory.contents == ["file"])
    }

    @Test func `what the system does not link is renamed in the next way`() throws {
        let folder = directory.url.appendingPathComponent("folder")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        #expect(throws: POSIXError(.EPERM)) { try rename(by: .link, folder.path, place.path) }
        #if canImport(Darwin)
            try rename(by: nil, folder.path, place.path)
            #expect(directory.contents == ["file", "place"])
        #else
            // The placeholder is a file, which a folder cannot replace.
            #expect(throws: POSIXError(.ENOTDIR)) { try rename(by: nil, folder.path, place.path) }
            #expect(directory.contents == ["file", "folder"])
        #endif
    }

    /// What file systems without hard links, and systems that forbid them, say of `link`.
    private static let unsupported: [POSIXErrorCode] = [.EPERM, .EACCES, .EOPNOTSUPP, .ENOSYS, .EMLINK, .EINVAL]

    @Test(arguments: unsupported)
    func `where there are no links, a file is renamed in the next way`(code: POSIXErrorCode) throws {
        try failLink(with: code) { try rename(by: nil, file.path, place.path) }
        #expect(directory.contents == ["place"])
        #expect(try directory.text("place") == "mine")
        try Data("other".utf8).write(to: file)
        #expect(throws: POSIXError(.EEXIST)) {
            try failLink(with: code) { try rename(by: nil, file.path, place.path) }
        }
        #expect(try directory.text("place") == "mine")
        #expect(try directory.text("file") == "other")
    }

    @Test(arguments: [POSIXErrorCode.EIO, .ENOSPC, .EDQUOT, .EROFS, .EEXIST, .ENOENT, .ELOOP])
    func `what else fails when a link is made is an error, and nothing is moved`(code: POSIXErrorCode) throws {
        #expect(throws: POSIXError(code)) {
            try failLink(with: code) { try rename(by: nil, file.path, place.path) }
        }
        #expect(directory.contents == ["file"])
    }

    @Test(arguments: [SystemCalls.Call.create, .fstat, .rename], [POSIXErrorCode.EIO, .ENOSPC])
    func `a placeholder that cannot be replaced is removed, and the file stays`(
        call: SystemCalls.Call,
        code: POSIXErrorCode
    ) throws {
        #expect(throws: POSIXError(code)) {
            try SystemCalls.intercepting { made, _ in
                made == call ? POSIXError(code) : nil
            } during: {
                try rename(by: .placeholder, file.path, place.path)
            }
        }
        #expect(directory.contents == ["file"])
    }

    @Test func `a file that has replaced the placeholder is not removed, whatever fails then`() throws {
        let checks = Counter()
        try SystemCalls.intercepting { call, _ in
            call == .fstat && checks.increment() > 1 ? POSIXError(.EIO) : nil
        } during: {
            try rename(by: .placeholder, file.path, place.path)
        }
        #expect(directory.contents == ["place"])
        #expect(try directory.text("place") == "mine")
    }

    private func failLink(with code: POSIXErrorCode, during body: () throws -> Void) rethrows {
        try SystemCalls.intercepting({ call, _ in call == .link ? POSIXError(code) : nil }, during: body)
    }

    private func rename(by way: ExclusiveRename?, _ path: String, _ newPath: String) throws {
        if let way {
            try way.perform(from: path, to: newPath)
        } else {
            try ExclusiveRename.perform(from: path, to: newPath)
        }
    }
}
