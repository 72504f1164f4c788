import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct TemporaryFileTests {
    private let directory: TemporaryDirectory
    private let content = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 2) })

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Collects a form with a field in memory and a file on disk.
    private func collect() throws -> MultipartFormData {
        var form = MultipartFormData()
        form.append("Ada", withName: "a")
        form.append(content, withName: "f", fileName: "x.bin")
        let options = MultipartCollector.Options(temporaryDirectory: directory.url)
        var collector = MultipartCollector(boundary: form.boundary, options: options)
        for chunk in ChunkSplitter.pieces(of: try form.encode(), size: 50_000) { try collector.append(chunk) }
        return try collector.finish()
    }

    @Test func `a collected file is its owner's alone`() throws {
        let form = try collect()
        let path = try #require(form["f"]?.fileURL).path
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    private var destination: URL { directory.url.appendingPathComponent("kept") }

    @Test func `a saved file is moved, and is kept after the form`() throws {
        do {
            let form = try collect()
            let part = try #require(form["f"])
            let number = try inode(part.fileURL)
            try part.save(to: destination)
            #expect(try inode(destination) == number)
            #expect(directory.contents == ["kept"])
            // The form's part is the same, and reads its content from the new path.
            #expect(form["f"]?.fileURL == destination)
            #expect(try form["f"]?.data() == content)
            #expect(throws: Never.self) { try form.encode() }
        }
        #expect(directory.contents == ["kept"])
        #expect(try Data(contentsOf: destination) == content)
        let attributes = try FileManager.default.attributesOfItem(atPath: destination.path)
        #expect(attributes[.posixPermissions] as? Int == (try usualPermissions()))
    }

    /// The permissions of a file that the process creates.
    private func usualPermissions() throws -> Int? {
        let path = directory.url.appendingPathComponent("usual").path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o666)
        try #require(descriptor >= 0)
        close(descriptor)
        defer { unlink(path) }
        return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func inode(_ url: URL?) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: try #require(url).path)
        return try #require(attributes[.systemFileNumber] as? Int)
    }

    @Test func `a file that was moved is copied the second time`() throws {
        let part = try #require(try collect()["f"])
        try part.save(to: destination)
        try part.save(to: directory.url.appendingPathComponent("copy"))
        #expect(directory.contents == ["copy", "kept"])
        #expect(part.fileURL == destination)
    }

    @Test func `a file that could not be saved is removed with its form, awaited too`() async throws {
        _ = try directory.write(Data(), as: "kept")
        for _ in 0..<500 {
            await #expect(throws: MultipartError.self) { try await saveCollected() }
            #expect(directory.contents == ["kept"])
        }
    }

    private func saveCollected() async throws {
        let part = try #require(try collect()["f"])
        try await part.save(to: destination)
    }

    /// Saves a collected file to what seems to be another device.
    private func toAnotherDevice(_ save: () throws -> Void) rethrows {
        try SystemCalls.intercepting({ call, _ in call == .rename ? POSIXError(.EXDEV) : nil }, during: save)
    }

    @Test func `a file is copied to another device`() throws {
        do {
            let form = try collect()
            try toAnotherDevice { try form["f"]?.save(to: destination) }
            #expect(directory.contents == ["kept"])
            #expect(try form["f"]?.fileURL == destination && form["f"]?.data() == content)
        }
        #expect(try Data(contentsOf: destination) == content)
        let attributes = try FileManager.default.attributesOfItem(atPath: destination.path)
        #expect(attributes[.posixPermissions] as? Int == (try usualPermissions()))
    }

    @Test func `a failed copy leaves the file where it was and no other`() throws {
        let goal = destination
        for code in [POSIXErrorCode.ENOSPC, .EACCES] {
            let part = try #require(try collect()["f"])
            let error = #expect(throws: MultipartError.self) {
                try SystemCalls.intercepting { call, _ in
                    switch call {
                    case .rename: POSIXError(.EXDEV)
                    case .create: POSIXError(code)
                    case .open, .stat, .fstat, .fchmod, .link: nil
                    }
                } during: {
                    try part.save(to: goal)
                }
            }
            #expect(error?.code == .outputStreamCreationFailed && error?.path == goal.path)
            #expect((error?.underlyingError as? POSIXError)?.code == code)
            #expect(directory.contents == [try #require(part.fileURL).lastPathComponent])
            #expect(try part.data() == content)
        }
        #expect(directory.contents.isEmpty)
    }

    @Test func `a copy to another device can be cancelled, and the part can be read meanwhile`() throws {
        let part = try #require(try collect()["f"])
        let place = try #require(part.fileURL)
        let (content, cancellation) = (content, Cancellation())
        let (renames, checks) = (Counter(), Counter())
        #expect(throws: MultipartError(.cancelled)) {
            try SystemCalls.intercepting { call, _ in
                switch call {
                case .rename where renames.increment() == 1: return POSIXError(.EXDEV)
                // The first is when the file is opened to be copied, the second after its last byte.
                case .fstat where renames.value == 1 && checks.increment() == 2:
                    cancellation.cancel()
                    #expect(part.fileURL == place && (try? part.data()) == content)
                    return nil
                default: return nil
                }
            } during: {
                try part.save(to: destination, permissions: nil, cancellation: cancellation)
            }
        }
        #expect(checks.value > 2)
        #expect(directory.contents == [place.lastPathComponent])
        #expect(try part.data() == content)
    }

    @Test func `a file that changes while it is copied to another device is an error and leaves no copy`() throws {
        let part = try #require(try collect()["f"])
        let source = try #require(part.fileURL)
        let (renames, checks) = (Counter(), Counter())
        #expect(throws: MultipartError(.bodyPartFileChanged)) {
            try SystemCalls.intercepting { call, _ in
                switch call {
                case .rename where renames.increment() == 1: return POSIXError(.EXDEV)
                // The first is when the file is opened to be copied, the second after its last byte.
                case .fstat where renames.value == 1 && checks.increment() == 2: truncate(source.path, 3)
                default: break
                }
                return nil
            } during: {
                try part.save(to: destination)
            }
        }
        #expect(directory.contents == [source.lastPathComponent])
    }

    @Test(arguments: [false, true])
    func `nothing is overwritten`(copies: Bool) throws {
        try Data("mine".utf8).write(to: destination)
        let form = try collect()
        for name in ["a", "f"] {
            let part = try #require(form[name])
            #expect(throws: MultipartError(.outputStreamFileAlreadyExists, path: destination.path)) {
                if copies {
                    try toAnotherDevice { try part.save(to: destination) }
                } else {
                    try part.save(to: destination)
                }
            }
        }
        #expect(try Data(contentsOf: destination) == Data("mine".utf8))
        #expect(try form["f"]?.data() == content)
        #expect(directory.contents.count == 2)
    }

    @Test func `a destination that cannot be created is refused`() throws {
        let form = try collect()
        let below = destination.appendingPathComponent("below")
        let web = try #require(URL(string: "https://example.com/x"))
        for name in ["a", "f"] {
            let part = try #require(form[name])
            let error = #expect(throws: MultipartError(.outputStreamCreationFailed, path: below.path)) {
                try part.save(to: below)
            }
            #expect((error?.underlyingError as? POSIXError)?.code == .ENOENT)
            #expect(throws: MultipartError(.outputStreamURLInvalid, path: web.path)) { try part.save(to: web) }
        }
    }

    @Test func `a file with permissions of its own is its owner's alone while it is written`() throws {
        let modes = Locked<Set<Int?>>([])
        let folder = directory
        let part = BodyPart(length: nil, name: "s") {
            StubStream([UInt8](repeating: 1, count: 300_000), fails: false) {
                for name in folder.contents {
                    let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path(of: name))
                    modes.withLock { _ = $0.insert(attributes?[.posixPermissions] as? Int) }
                }
            }
        }
        try part.save(to: destination, permissions: 0o644)
        #expect(modes.withLock { $0 } == [0o600])
        let attributes = try FileManager.default.attributesOfItem(atPath: destination.path)
        #expect(attributes[.posixPermissions] as? Int == 0o644)
    }

    @Test(arguments: [POSIXErrorCode.EEXIST, .EACCES, .EXDEV])
    func `a save that fails leaves the file for its owner only`(code: POSIXErrorCode) throws {
        let part = try #require(try collect()["f"])
        let path = try #require(part.fileURL).path
        let goal = destination
        let error = #expect(throws: MultipartError.self) {
            try SystemCalls.intercepting { call, path in
                switch call {
                case .link, .rename: POSIXError(code)
                // The placeholder where links are not permitted.
                case .create where path == goal.path: POSIXError(code)
                case .create, .open, .stat, .fstat, .fchmod: nil
                }
            } during: {
                try part.save(to: goal, permissions: 0o666)
            }
        }
        #expect((error?.underlyingError as? POSIXError)?.code == code)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try part.data() == content)
    }

    @Test func `a file that cannot be moved back can be read where it is, and is removed with its form`() throws {
        do {
            let part = try #require(try collect()["f"])
            let (goal, renames) = (destination, Counter())
            let error = #expect(throws: MultipartError(.outputStreamCreationFailed, path: goal.path)) {
                try SystemCalls.intercepting { call, _ in
                    switch call {
                    case .link: POSIXError(.EIO)
                    case .rename where renames.increment() > 1: POSIXError(.EACCES)
                    default: nil
                    }
                } during: {
                    try part.save(to: goal)
                }
            }
            #expect((error?.underlyingError as? POSIXError)?.code == .EIO && renames.value == 2)
            let place = try #require(part.fileURL)
            #expect(
                directory.contents == [place.lastPathComponent] && directory.contents[0].hasPrefix(".multipart-form-")
            )
            #expect(try part.data() == content)
            // Another save moves it.
            try part.save(to: directory.url.appendingPathComponent("later"))
            #expect(directory.contents == ["later"])
        }
        #expect(try directory.read("later") == content)
    }

    @Test func `a file stays its owner's alone if something exists at its destination`() throws {
        try directory.write("mine", as: "kept")
        let part = try #require(try collect()["f"])
        let path = try #require(part.fileURL).path
        let (goal, modes) = (destination, Locked<Set<Int?>>([]))
        #expect(throws: MultipartError(.outputStreamFileAlreadyExists, path: goal.path)) {
            try SystemCalls.intercepting { _, _ in
                let attributes = try? FileManager.default.attributesOfItem(atPath: path)
                modes.withLock { _ = $0.insert(attributes?[.posixPermissions] as? Int) }
                return nil
            } during: {
                try part.save(to: goal, permissions: 0o666)
            }
        }
        #expect(modes.withLock { $0 }.isSubset(of: [0o600]))
    }

    #if !canImport(Darwin)
        @Test func `an empty TMPDIR means the usual directory`() async {
            await #expect(processExitsWith: .success) {
                setenv("TMPDIR", "", 1)
                var form = MultipartFormData()
                form.append(Data("x".utf8), withName: "f", fileName: "x")
                let options = MultipartCollector.Options(diskThreshold: 0)
                var collector = MultipartCollector(boundary: form.boundary, options: options)
                try collector.append(try form.encode())
                let collected = try collector.finish()
                try #require(collected[0].fileURL?.path.hasPrefix("/tmp/") == true)
            }
        }
    #endif

    @Test func `a directory on another machine is refused`() throws {
        var form = MultipartFormData()
        form.append(content, withName: "f", fileName: "x")
        let other = try #require(URL(string: "file://server\(directory.path)"))
        let options = MultipartCollector.Options(diskThreshold: 0, temporaryDirectory: other)
        let message = try form.encode()
        #expect(throws: MultipartError.self) {
            var collector = MultipartCollector(boundary: form.boundary, options: options)
            try collector.append(message)
            _ = try collector.finish()
        }
        #expect(directory.contents.isEmpty)
    }

    @Test func `a stream that can be read once is kept when nothing can be created`() throws {
        var form = MultipartFormData()
        form.append(InputStream(data: content), withLength: UInt64(content.count), name: "s")
        try Data().write(to: destination)
        #expect(throws: MultipartError(.outputStreamFileAlreadyExists, path: destination.path)) {
            try form[0].save(to: destination)
        }
        #expect(try form[0].data() == content)
    }

    @Test func `of many saves at once, one moves the file and the others copy it`() async throws {
        let part = try #require(try collect()["f"])
        let folder = directory.url
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask { try part.save(to: folder.appendingPathComponent("\(index)")) }
            }
            try await group.waitForAll()
        }
        #expect(directory.contents == (0..<8).map(String.init))
        for name in directory.contents {
            #expect(try Data(contentsOf: folder.appendingPathComponent(name)) == content)
        }
    }

    @Test func `who asks for the place of a file while it is moved gets the new place`() throws {
        let part = try #require(try collect()["f"])
        let (place, isKnown, moves) = (Locked<URL?>(nil), LimitedSemaphore(), Counter())
        try SystemCalls.intercepting { call, _ in
            if [.link, .rename].contains(call), moves.increment() == 1 {
                Thread {
                    let url = part.fileURL
                    place.withLock { $0 = url }
                    isKnown.signal()
                }.start()
                // Time to get the old place, if that is possible.
                usleep(20_000)
            }
            return nil
        } during: {
            try part.save(to: destination)
        }
        isKnown.wait()
        #expect(place.withLock { $0 } == destination)
    }

    @Test func `a file that changed behind the library's back is an error`() throws {
        let part = try #require(try collect()["f"])
        try Data("short".utf8).write(to: try #require(part.fileURL))
        let changed = #expect(throws: MultipartError(.bodyPartFileChanged)) { try part.data() }
        try FileManager.default.removeItem(at: try #require(part.fileURL))
        let gone = #expect(throws: MultipartError(.bodyPartInputStreamCreationFailed)) { try part.data() }
        // The errors have no path, since the program did not choose it.
        #expect(changed?.path == nil && gone?.path == nil)
    }

    @Test func `a file that another program put in place of an upload is not saved`() throws {
        let part = try #require(try collect()["f"])
        let path = try #require(part.fileURL)
        try FileManager.default.removeItem(at: path)
        try directory.write(Data("theirs".utf8), as: path.lastPathComponent)
        #expect(throws: MultipartError(.bodyPartFileChanged)) { try part.save(to: destination) }
        #expect(directory.contents == [path.lastPathComponent])
    }

    @Test func `a file that takes the place of one that is written is not taken for it`() throws {
        var form = MultipartFormData()
        form.append(content, withName: "f", fileName: "x.bin")
        let options = MultipartCollector.Options(temporaryDirectory: directory.url)
        var collector = MultipartCollector(boundary: form.boundary, options: options)
        let message = try form.encode()
        try collector.append(message.prefix(300_000))
        let name = try #require(directory.contents.first)
        try FileManager.default.removeItem(at: directory.url.appendingPathComponent(name))
        try directory.write(Data("mine".utf8), as: name)
        var failure: MultipartError?
        do {
            try collector.append(message.dropFirst(300_000))
            _ = try collector.finish()
        } catch {
            failure = error as? MultipartError
        }
        #expect(failure == MultipartError(.outputStreamWriteFailed, partIndex: 0))
        #expect(try Data(contentsOf: directory.url.appendingPathComponent(name)) == Data("mine".utf8))
    }
}
