import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The table of states at the head of ``NewFile``: what is left where when a step fails.
@Suite struct SavedFileTests {
    /// Where the bytes of a part are after a call that failed.
    enum Location {
        /// Where they were.
        case unchanged
        /// Under the random name in the directory of the destination.
        case aside
    }

    /// Calls that fail. A number counts the calls of a kind from 1; 0 stands for all of them.
    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let calls: [(call: SystemCalls.Call, number: Int)]
        let location: Location
        let mode: Int
        /// Whether the place is on another device, so that the file is copied.
        let isCopied: Bool

        init(
            _ calls: (call: SystemCalls.Call, number: Int)...,
            then location: Location = .unchanged,
            mode: Int = 0o600,
            isCopied: Bool = false
        ) {
            (self.calls, self.location, self.mode, self.isCopied) = (calls, location, mode, isCopied)
            let names = calls.map { "\($0.call) \($0.number)" }.joined(separator: ", ")
            testDescription = isCopied ? "\(names) of a copy" : names
        }
    }

    private static let moves = [
        // created
        Failure((.create, 1)),
        Failure((.open, 1)),
        Failure((.fstat, 1)),
        Failure((.rename, 1)),
        // moved
        Failure((.fstat, 3)),
        Failure((.fchmod, 1)),
        Failure((.fchmod, 0), then: .aside),
        Failure((.fchmod, 1), (.rename, 2), then: .aside),
        Failure((.fstat, 3), (.rename, 2), then: .aside),
        // complete
        Failure((.fstat, 4)),
        Failure((.link, 1)),
        Failure((.link, 1), (.rename, 2), then: .aside),
        Failure((.link, 1), (.fchmod, 2), then: .aside, mode: 0o640),
        // copied
        Failure((.open, 2), isCopied: true),
        Failure((.fstat, 3), isCopied: true),
        Failure((.fstat, 4), isCopied: true),
        Failure((.fchmod, 1), isCopied: true),
        Failure((.link, 1), isCopied: true),
    ]

    private static let writes = [
        Failure((.create, 1)),
        Failure((.fchmod, 1)), Failure((.fchmod, 1), (.fstat, 0)),
        Failure((.fstat, 0)), Failure((.fstat, 1)),
        Failure((.link, 1)),
    ]

    private let uploads: TemporaryDirectory
    private let directory: TemporaryDirectory
    private static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 2) }
    private let content = Data(bytes)

    init() throws {
        uploads = try TemporaryDirectory()
        directory = try TemporaryDirectory()
    }

    private var place: URL { directory.url.appendingPathComponent("place") }

    /// Collects a form whose one part is a temporary file.
    private func collect() throws -> MultipartFormData {
        let form = MultipartFormData([BodyPart(content, name: "f", filename: "x")])
        let options = MultipartCollector.Options(diskThreshold: 0, temporaryDirectory: uploads.url)
        var collector = MultipartCollector(boundary: form.boundary, options: options)
        try collector.append(form.encode())
        return try collector.finish()
    }

    private func mode(of url: URL?) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: try #require(url).path)[.posixPermissions] as? Int
    }

    /// Saves a part while calls fail with `code`, which must be reported.
    private func save(_ part: BodyPart, during failure: Failure, _ code: POSIXErrorCode) throws {
        let counts = Locked<[SystemCalls.Call: Int]>([:])
        let error = #expect(throws: MultipartError.self) {
            try SystemCalls.intercepting { call, _ in
                let number = counts.withLock { counts in
                    counts[call, default: 0] += 1
                    return counts[call]
                }
                if failure.isCopied, call == .rename { return POSIXError(.EXDEV) }
                return failure.calls.contains { $0.call == call && [0, number].contains($0.number) }
                    ? POSIXError(code) : nil
            } during: {
                try part.save(to: place, permissions: 0o640)
            }
        }
        #expect((error?.underlyingError as? POSIXError)?.code == code)
        for (call, number) in failure.calls {
            #expect(counts.withLock { $0[call] ?? 0 } >= max(number, 1), "\(call) is not called so often")
        }
    }

    @Test(arguments: moves, [POSIXErrorCode.EIO, .ENOSPC, .EEXIST])
    func `a step that fails leaves a moved file where its part finds it`(failure: Failure, code: POSIXErrorCode) throws
    {
        do {
            let form = try collect()
            let before = try #require(form[0].fileURL)
            try save(form[0], during: failure, code)
            let after = try #require(form[0].fileURL)
            switch failure.location {
            case .unchanged:
                #expect(after == before)
                #expect(directory.contents.isEmpty)
            case .aside:
                #expect(directory.contents == [after.lastPathComponent])
                #expect(after.lastPathComponent.hasPrefix(".multipart-form-"))
                #expect(uploads.contents.isEmpty)
            }
            #expect(try mode(of: after) == failure.mode)
            #expect(try form[0].data() == content)
            #expect(uploads.openFileCount + directory.openFileCount == 0)
        }
        #expect(uploads.contents + directory.contents == [])
    }

    @Test(arguments: moves, [0o600, 0o640, 0o666])
    func `a file that could not be saved can be saved again`(failure: Failure, permissions: Int) throws {
        do {
            let form = try collect()
            try save(form[0], during: failure, .EIO)
            let other = uploads.url.appendingPathComponent("other")
            try form[0].save(to: other, permissions: permissions)
            #expect(try mode(of: other) == permissions)
            #expect(form[0].fileURL == other)
            #expect(try form[0].data() == content)
        }
        #expect(directory.contents.isEmpty)
        #expect(uploads.contents == ["other"])
    }

    @Test(arguments: writes, [POSIXErrorCode.EIO, .ENOSPC, .EEXIST])
    func `a step that fails leaves no file that was written`(failure: Failure, code: POSIXErrorCode) throws {
        let part = BodyPart(content, name: "f", filename: "x")
        try save(part, during: failure, code)
        #expect(directory.contents.isEmpty)
        #expect(directory.openFileCount == 0)
        #expect(try part.data() == content)
    }

    @Test func `a file is moved before it gets its mode, and gets its mode before its name`() throws {
        let form = try collect()
        let source = try #require(form[0].fileURL)
        let steps = Locked<[String]>([])
        let (uploads, directory) = (uploads, directory)
        try SystemCalls.intercepting { call, _ in
            guard [.rename, .fchmod, .link].contains(call) else { return nil }
            let names = uploads.contents.map { _ in "upload" } + directory.contents.map { _ in "aside" }
            let paths = uploads.contents.map(uploads.path) + directory.contents.map(directory.path)
            let modes = paths.map { try? FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
            steps.withLock { $0.append("\(call): \(zip(names, modes).map { "\($0) \(String($1 ?? 0, radix: 8))" })") }
            return nil
        } during: {
            try form[0].save(to: place, permissions: 0o644)
        }
        #expect(
            steps.withLock { $0 } == [
                #"rename: ["upload 600", "aside 600"]"#, #"fchmod: ["aside 600"]"#, #"link: ["aside 644"]"#,
            ]
        )
        #expect(!FileManager.default.fileExists(atPath: source.path))
        #expect(try mode(of: place) == 0o644)
    }

    @Test func `a file that was put in place of an upload is moved back, and no file gets a mode`() throws {
        let form = try collect()
        let source = try #require(form[0].fileURL)
        let kept = uploads.url.appendingPathComponent("kept")
        let uploads = uploads
        #expect(throws: MultipartError(.outputStreamCreationFailed, path: place.path)) {
            try SystemCalls.intercepting { call, _ in
                // After the upload has been checked, and before it is moved.
                if call == .rename, !uploads.has("kept") {
                    rename(source.path, kept.path)
                    _ = try? uploads.write("theirs", as: source.lastPathComponent)
                }
                return nil
            } during: {
                try form[0].save(to: place, permissions: 0o644)
            }
        }
        #expect(directory.contents.isEmpty)
        #expect(try uploads.text(source.lastPathComponent) == "theirs")
        #expect(try mode(of: kept) == 0o600)
        let changed = #expect(throws: MultipartError(.bodyPartFileChanged)) { try form[0].data() }
        // The error still has no path, since the program did not choose it.
        #expect(changed != nil && changed?.path == nil)
    }

    @Test(arguments: [nil, 0o600, 0o640, 0o644])
    func `a moved file has the permissions that were asked for, or those of any new file`(permissions: Int?) throws {
        let form = try collect()
        let identity = try InputFile(path: try #require(form[0].fileURL).path).identity
        try form[0].save(to: place, permissions: permissions)
        let other = directory.url.appendingPathComponent("other")
        try Data().write(to: other)
        #expect(try mode(of: place) == permissions ?? mode(of: other))
        #expect(try InputFile(path: place.path).identity == identity)
        #expect(form[0].fileURL == place)
        #expect(try form[0].data() == content)
        #expect(uploads.contents.isEmpty)
    }

    /// Why a temporary file cannot be moved to its place.
    enum Obstacle: CaseIterable {
        case otherDevice, readableByOthers
    }

    @Test(arguments: Obstacle.allCases, [0o600, 0o640])
    func `a part that is copied to its place is there, and nowhere else`(obstacle: Obstacle, permissions: Int) throws {
        do {
            let form = try collect()
            let path = try #require(form[0].fileURL).path
            if obstacle == .readableByOthers { try #require(chmod(path, 0o644) == 0) }
            let identity = try InputFile(path: path).identity
            try SystemCalls.intercepting { call, _ in
                obstacle == .otherDevice && call == .rename ? POSIXError(.EXDEV) : nil
            } during: {
                try form[0].save(to: place, permissions: permissions)
            }
            #expect(form[0].fileURL == place)
            #expect(uploads.contents + directory.contents == ["place"])
            #expect(try mode(of: place) == permissions)
            #expect(try InputFile(path: place.path).identity != identity)
            #expect(try form[0].data() == content)
            #expect(form[0].length == UInt64(content.count))
            // Once it is saved, it is copied.
            let other = uploads.url.appendingPathComponent("other")
            try form[0].save(to: other)
            #expect(form[0].fileURL == place)
            #expect(try Data(contentsOf: other) == content)
            try Data("changed".utf8).write(to: place)
            #expect(throws: MultipartError(.bodyPartFileChanged)) { try form[0].data() }
        }
        #expect(uploads.contents + directory.contents == ["other", "place"])
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `an upload with another group than new files of the directory is copied`() throws {
        let group: gid_t = 1234
        try #require(chown(directory.path, uid_t.max, group) == 0 && chmod(directory.path, 0o2770) == 0)
        let form = try collect()
        try form[0].save(to: place)
        var status = stat()
        try #require(stat(place.path, &status) == 0)
        #expect(status.st_gid == group)
        #expect(try form[0].data() == content)
        #expect(uploads.contents.isEmpty)
    }

    #if !canImport(Darwin)
        @Test(
            .enabled(if: hasAccessControlLists, "the file system has no access-control lists"),
            arguments: [true, false]
        )
        func `an upload is moved if its access-control list is that of new files`(isEqual: Bool) throws {
            for folder in isEqual ? [uploads, directory] : [directory] {
                try #require(Self.giveList(to: folder))
            }
            let form = try collect()
            let identity = try InputFile(path: try #require(form[0].fileURL).path).identity
            try form[0].save(to: place, permissions: 0o640)
            #expect((try InputFile(path: place.path).identity == identity) == isEqual)
            #expect(try form[0].data() == content)
            #expect(uploads.contents.isEmpty && directory.contents == ["place"])
        }

        @Test func `what controls access to a file is unknown if the system does not say it`() throws {
            try Data().write(to: place)
            let file = try FileHandle(forReadingFrom: place)
            #expect(SystemCalls.accessControl(of: file.fileDescriptor) != nil)
            #expect(SystemCalls.accessControl(of: -1) == nil)
        }

        private static let hasAttributes =
            (try? TemporaryDirectory()).map { setAttribute($0.path, "user.a", [1], 1, 0) == 0 } ?? false

        @Test(.enabled(if: hasAttributes, "the file system has no attributes that a program may choose"))
        func `all attributes of a file control access to it, with their values`() throws {
            try Data().write(to: place)
            let file = try FileHandle(forReadingFrom: place)
            try #require(setAttribute(place.path, "user.a", [1, 2], 2, 0) == 0)
            try #require(setAttribute(place.path, "user.b", [0], 0, 0) == 0)
            let attributes = try #require(SystemCalls.accessControl(of: file.fileDescriptor))
            #expect(attributes[Array("user.a".utf8)] == [1, 2])
            #expect(attributes[Array("user.b".utf8)] == [])
        }

        private static let hasAccessControlLists = (try? TemporaryDirectory()).map(giveList) ?? false

        /// Gives new files of a directory an access-control list. Returns false if its file system has none.
        private static func giveList(to folder: TemporaryDirectory) -> Bool {
            // The version, and entries of a kind, permissions and a number: the owner, the user 1234, the group, the
            // most that users and groups may do, and others.
            let entries: [(kind: UInt8, permissions: UInt8, id: UInt32)] = [
                (1, 7, .max), (2, 6, 1234), (4, 7, .max), (16, 7, .max), (32, 0, .max),
            ]
            let list = entries.reduce(into: [2, 0, 0, 0] as [UInt8]) { bytes, entry in
                bytes += [entry.kind, 0, entry.permissions, 0]
                bytes += withUnsafeBytes(of: entry.id.littleEndian, Array.init)
            }
            return setAttribute(folder.path, "system.posix_acl_default", list, list.count, 0) == 0
        }
    #endif

    @Test func `an upload that is moved while it is copied stays where it was moved`() throws {
        let form = try collect()
        let part = form[0]
        let other = uploads.url.appendingPathComponent("other")
        let (renames, checks) = (Counter(), Counter())
        try SystemCalls.intercepting { call, _ in
            if call == .rename, renames.increment() == 1 { return POSIXError(.EXDEV) }
            // The first is when the file is opened to be copied, the second after its last byte.
            if call == .fstat, renames.value == 1, checks.increment() == 2 {
                #expect(throws: Never.self) { try part.save(to: other, permissions: nil, cancellation: nil) }
            }
            return nil
        } during: {
            try part.save(to: place)
        }
        #expect(part.fileURL == other)
        #expect(try Data(contentsOf: place) == content)
        #expect(try Data(contentsOf: other) == content)
        #expect(uploads.contents == ["other"])
        #expect(directory.contents == ["place"])
    }
}

#if !canImport(Darwin)
    @_silgen_name("setxattr")
    private func setAttribute(
        _ path: UnsafePointer<CChar>,
        _ name: UnsafePointer<CChar>,
        _ value: UnsafePointer<UInt8>,
        _ count: Int,
        _ flags: Int32
    ) -> Int32
#endif
