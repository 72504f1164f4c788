import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct NewFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var place: String { directory.path(of: "place") }

    private func write(_ text: String, to file: NewFile) throws {
        try SystemCalls.writeBytes(file.descriptor, ContiguousArray(text.utf8).span)
    }

    private func permissions(of name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.path(of: name))
        return attributes[.posixPermissions] as? Int
    }

    @Test func `a file is written beside its place, and appears there complete`() throws {
        do {
            let file = try NewFile(beside: place, replacesFile: false)
            try write("content", to: file)
            #expect(directory.contents.count == 1)
            #expect(directory.contents.first?.hasPrefix(".multipart-form-") == true)
            let identity = try file.finish(at: place)
            #expect(try InputFile(path: place).identity == identity)
            #expect(directory.contents == ["place"])
            #expect(OpenDescriptors.count(in: directory.url) == 0)
        }
        #expect(try directory.text("place") == "content")
    }

    @Test func `an unfinished file is closed and removed`() throws {
        do {
            let file = try NewFile(beside: place, replacesFile: false)
            try write("content", to: file)
            #expect(OpenDescriptors.count(in: directory.url) == 1)
        }
        #expect(directory.contents.isEmpty)
        #expect(OpenDescriptors.count(in: directory.url) == 0)
    }

    @Test func `two files for one place have different names until one of them is there`() throws {
        let first = try NewFile(beside: place, replacesFile: false)
        let second = try NewFile(beside: place, replacesFile: false)
        #expect(directory.contents.count == 2)
        try write("first", to: first)
        try first.finish(at: place)
        #expect(throws: POSIXError(.EEXIST)) { try second.finish(at: place) }
        #expect(try directory.text("place") == "first")
        // Another place can be tried.
        try second.finish(at: directory.path(of: "other"))
        #expect(directory.contents == ["other", "place"])
    }

    @Test func `a name has 128 random bits`() throws {
        let files = try (0..<20).map { _ in try NewFile(beside: place, replacesFile: false) }
        let names = directory.contents.map { $0.dropFirst(".multipart-form-".count).split(separator: "-") }
        #expect(names.allSatisfy { $0.count == 2 })
        let numbers = Set(names.joined().compactMap { UInt64($0, radix: 36) })
        #expect(numbers.count == 40)
        #expect(numbers.contains { $0.leadingZeroBitCount == 0 })
        withExtendedLifetime(files) {}
    }

    @Test func `a file that replaces another has its permissions`() throws {
        try directory.write("old", as: "place")
        try #require(chmod(place, 0o640) == 0)
        let file = try NewFile(beside: place, replacesFile: true)
        let name = try #require(directory.contents.first { $0 != "place" })
        #expect(try permissions(of: name) == 0o600)
        try write("new", to: file)
        #expect(try directory.text("place") == "old")
        try file.finish(at: place, replacesFile: true)
        #expect(try directory.text("place") == "new")
        #expect(try permissions(of: "place") == 0o640)
        #expect(directory.contents == ["place"])
    }

    @Test func `a file that was removed, or replaced by another, cannot be finished`() throws {
        for isReplaced in [false, true] {
            let file = try NewFile(beside: place, replacesFile: false)
            let name = try #require(directory.contents.first)
            try FileManager.default.removeItem(atPath: directory.path(of: name))
            if isReplaced { try directory.write("theirs", as: name) }
            #expect(throws: POSIXError(.ENOENT)) { try file.finish(at: place) }
            #expect(directory.contents == (isReplaced ? [name] : []))
        }
    }

    @Test func `a child process inherits no file`() throws {
        let existing = try directory.write(Data("a".utf8), as: "a")
        let created = try NewFile(beside: place, replacesFile: false)
        let opened = try InputFile(path: existing.path)
        #expect(OpenDescriptors.count(in: directory.url) == 2)
        #expect(OpenDescriptors.inheritedCount(in: directory.url) == 0)
        withExtendedLifetime((created, opened)) {}
    }

    @Test func `a path is vacant if a file can be created there`() throws {
        try directory.write("a", as: "file")
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: directory.path(of: "link"), withDestinationPath: "nowhere")
        #expect(throws: Never.self) { try NewFile.checkVacancy(of: place) }
        let refused: [(path: String, code: POSIXErrorCode)] = [
            ("", .ENOENT), ("\(place)/", .EISDIR), (directory.path(of: "file"), .EEXIST),
            (directory.path(of: "link"), .EEXIST), (directory.path, .EEXIST),
            (directory.path(of: "file/below"), .ENOTDIR),
        ]
        for (path, code) in refused {
            #expect(throws: POSIXError(code), "\(path)") { try NewFile.checkVacancy(of: path) }
        }
    }
}
