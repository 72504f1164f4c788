import Foundation
import TestSupport
import Testing

/// The tutorial shows files that `Tests/Interop` compiles and runs: a folder of `Sources/Tutorial` is a state of a
/// program, and `Tutorial` has the manifests, the pages and what a terminal shows.
///
/// A comment says which file of the repository the blocks of code after it belong to.
@Suite struct TutorialTests {
    private static let root = Fixtures.directory.deletingLastPathComponent()
    private static let catalogue = root.appendingPathComponent("Sources/MultipartFormCodec/MultipartFormCodec.docc")
    private static let programs = root.appendingPathComponent("Tests/Interop/Sources/Tutorial")
    private static let others = root.appendingPathComponent("Tests/Interop/Tutorial")

    /// A file as it is after a step, and the blocks of code that the step shows.
    private struct Step {
        /// The file's path in the reader's folder.
        let name: String
        let file: URL
        let blocks: [[Substring]]
    }

    private static func article() throws -> String {
        try String(contentsOf: catalogue.appendingPathComponent("PhotoTutorial.md"), encoding: .utf8)
    }

    /// The lines of a text without their indentation, which a block does not share with its file.
    private static func lines(of text: some StringProtocol) -> [Substring] {
        text.split(separator: "\n").map { Substring($0.drop { $0 == " " }) }
    }

    private static func lines(of file: URL) throws -> [Substring] {
        try lines(of: String(contentsOf: file, encoding: .utf8))
    }

    private static func steps() throws -> [Step] {
        try article().split(separator: /\n(?=`[^`]+`: <!-- )/).dropFirst().map { text in
            let names = try #require(text.prefixMatch(of: /`([^`]+)`: <!-- ([^ ]+) -->/)).output
            let blocks = text.matches(of: /\n```(?:swift|html)\n([^`][\s\S]*?)\n```/).map { lines(of: $0.1) }
            let file = root.appendingPathComponent(String(names.2)).resolvingSymlinksInPath()
            return Step(name: String(names.1), file: file, blocks: blocks)
        }
    }

    /// The names of the files in a folder that have one of these endings.
    private static func names(of endings: String...) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: others.path).filter { name in
            endings.contains { name.hasSuffix($0) }
        }
    }

    @Test func `a step shows lines of its file, and all that it changes`() throws {
        var last: [String: [Substring]] = [:]
        for step in try Self.steps() {
            let file = try Self.lines(of: step.file)
            #expect(!step.blocks.isEmpty, "\(step.file.path)")
            for block in step.blocks {
                #expect(file.indices.contains { file[$0...].starts(with: block) }, "\(step.file.path): \(block)")
            }
            let added = Set(file).subtracting(last[step.name] ?? [])
            #expect(!added.isEmpty && added.isSubset(of: step.blocks.joined()), "\(step.file.path)")
            last[step.name] = file
        }
    }

    @Test func `each file is shown`() throws {
        let pages = try Self.names(of: ".html", ".swift").map { Self.others.appendingPathComponent($0) }
        var files = Set(pages.map { $0.resolvingSymlinksInPath().path })
        for state in try FileManager.default.contentsOfDirectory(atPath: Self.programs.path) {
            let folder = Self.programs.appendingPathComponent(state)
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                // A state has a link to a file that is as before.
                files.insert(folder.appendingPathComponent(name).resolvingSymlinksInPath().path)
            }
        }
        #expect(try Set(Self.steps().map(\.file.path)) == files)
    }

    @Test func `each block of commands is a file, and is run`() throws {
        let blocks = try Self.article().matches(of: /\n```console\n([\s\S]*?)```/).map { String($0.1) }
        let driver = try String(contentsOf: Self.others.appendingPathComponent("drive.py"), encoding: .utf8)
        var files: [String] = []
        for name in try Self.names(of: ".txt") {
            files.append(try String(contentsOf: Self.others.appendingPathComponent(name), encoding: .utf8))
            // Commands that make the folder, or start the server, which the driver does otherwise.
            #expect(["begin.txt", "start.txt"].contains(name) || driver.contains("\"\(name)\""), "\(name)")
        }
        #expect(blocks.sorted() == files.sorted())
    }

    @Test func `each page is opened`() throws {
        let driver = try String(contentsOf: Self.others.appendingPathComponent("drive.py"), encoding: .utf8)
        for name in try Self.names(of: ".html") { #expect(driver.contains("\"\(name)\""), "\(name)") }
    }

    @Test func `each picture is shown`() throws {
        let shown = try Self.article().matches(of: /!\[[^\]]+\]\(([^)]+)\)/).map { String($0.1) }
        let pictures = try FileManager.default.contentsOfDirectory(atPath: Self.catalogue.path)
        #expect(shown.sorted() == pictures.filter { $0.hasPrefix("tutorial-") }.sorted())
    }

    @Test func `a manifest needs the tools of this package, and the versions that are tested`() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
        }
        let manifest = try text("Package.swift")
        let interop = try text("Tests/Interop/Package.swift")
        for name in ["package-1.swift", "package-2.swift"] {
            let shown = try text("Tests/Interop/Tutorial/" + name)
            #expect(manifest.hasPrefix(shown.prefix { $0 != "\n" }), "\(name)")
            for match in shown.matches(of: /\.package\(\s*url: ("[^"]+"),\s*from: ("[^"]+")\s*\)/) {
                #expect(interop.contains(".package(url: \(match.1), from: \(match.2))"), "\(name)")
            }
        }
    }
}
