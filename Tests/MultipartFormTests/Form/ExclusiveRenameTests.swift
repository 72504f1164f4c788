import Foundation
import MultipartForm
import TestSupport
import Testing

@Suite struct ExclusiveRenameTests {
    private static let ways = ExclusiveRename.ways + [ExclusiveRename.byPlaceholder, ExclusiveRename.perform]
    private let directory: TemporaryDirectory
    private let file: URL
    private let place: URL

    init() throws {
        directory = try TemporaryDirectory()
        file = try directory.write(Data("mine".utf8), as: "file")
        place = directory.url.appendingPathComponent("place")
    }

    @Test(arguments: ways.indices)
    func `a file gets its new path`(index: Int) throws {
        let identity = try InputFile(path: file.path).identity
        try Self.ways[index](file.path, place.path)
        #expect(directory.contents == ["place"])
        #expect(try InputFile(path: place.path).identity == identity)
    }

    @Test(arguments: ways.indices)
    func `an existing file or link is not overwritten`(index: Int) throws {
        try Data("theirs".utf8).write(to: place)
        #expect(throws: POSIXError(.EEXIST)) { try Self.ways[index](file.path, place.path) }
        #expect(try Data(contentsOf: place) == Data("theirs".utf8))
        #expect(directory.contents == ["file", "place"])
        try FileManager.default.removeItem(at: place)
        try FileManager.default.createSymbolicLink(atPath: place.path, withDestinationPath: "nowhere")
        #expect(throws: POSIXError(.EEXIST)) { try Self.ways[index](file.path, place.path) }
        #expect(directory.contents == ["file", "place"])
    }

    @Test(arguments: ways.indices)
    func `renaming a missing file leaves nothing at the new path`(index: Int) throws {
        let missing = directory.url.appendingPathComponent("missing")
        #expect(throws: POSIXError(.ENOENT)) { try Self.ways[index](missing.path, place.path) }
        #expect(directory.contents == ["file"])
    }
}
