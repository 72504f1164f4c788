import Foundation
import TestSupport
import Testing

/// The tutorial shows files that `Tests/Interop` compiles and runs: the programs by links, the others by `drive.py`.
@Suite struct TutorialTests {
    private static let root = Fixtures.directory.deletingLastPathComponent()
    private static let folder = root.appendingPathComponent("Sources/MultipartForm/MultipartForm.docc/Tutorials")
    private static let chapters = ["ReceivingAPhoto", "SendingAPhoto", "SendingFromAPage"]

    private static func text(_ path: String, in folder: URL = folder) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }

    private static func names(in folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: Self.folder.appendingPathComponent(folder).path))
    }

    /// The files that a chapter shows, in order: the name that the reader gives one, and its own.
    private static func shown(in chapter: String) throws -> [(name: String, file: String)] {
        try text(chapter + ".tutorial").matches(of: /@Code\(name: "([^"]+)", file: ([^\s,)]+)\)/)
            .map { (String($0.1), String($0.2)) }
    }

    @Test func `each file of code is shown`() throws {
        let shown = try Self.chapters.flatMap { try Self.shown(in: $0).map(\.file) }
        #expect(try Set(shown) == Self.names(in: "Code"))
    }

    @Test func `each picture is shown`() throws {
        let texts = try (Self.chapters + ["Photos"]).map { try Self.text($0 + ".tutorial") }
        let shown = texts.flatMap { $0.matches(of: /@Image\(source: ([^\s,]+), alt: "[^"]+"\)/).map { String($0.1) } }
        #expect(try Set(shown) == Self.names(in: "Pictures"))
    }

    @Test func `each program is compiled, and no other`() throws {
        let targets = Self.root.appendingPathComponent("Tests/Interop/Sources/Tutorial")
        var compiled: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: targets.path) where path.hasSuffix(".swift") {
            let file = targets.appendingPathComponent(path).resolvingSymlinksInPath()
            #expect(file.deletingLastPathComponent().lastPathComponent == "Code", "\(path) is not the tutorial's file")
            compiled.insert(file.lastPathComponent)
            // A target is a state: all of its files are those that the reader has then.
            if !path.hasSuffix("FormErrors.swift") {
                #expect(file.lastPathComponent == path.prefix { $0 != "/" } + ".swift")
            }
        }
        let programs = try Self.names(in: "Code").filter { $0.hasSuffix(".swift") && !$0.hasPrefix("package-") }
        #expect(compiled == programs)
    }

    @Test func `each page is opened, and each command is run`() throws {
        let driver = try Self.text("Tests/Interop/Tutorial/drive.py", in: Self.root)
        // Commands that make the folder, or start the server, which the driver does otherwise.
        let others: Set = ["begin.txt", "start.txt"]
        for name in try Self.names(in: "Code").subtracting(others) where !name.hasSuffix(".swift") {
            #expect(driver.contains("\"\(name)\""), "\(name)")
        }
    }

    @Test func `a step changes what the step before it has shown`() throws {
        for chapter in Self.chapters {
            var last: [String: String] = [:]
            for (name, file) in try Self.shown(in: chapter) where name != "Terminal" {
                let text = try Self.text("Code/" + file)
                #expect(last.updateValue(text, forKey: name) != text, "\(chapter): \(file)")
            }
        }
    }

    @Test func `a manifest needs the tools of this package, and the versions that are tested`() throws {
        let manifest = try Self.text("Package.swift", in: Self.root)
        for name in ["package-1.swift", "package-2.swift"] {
            let text = try Self.text("Code/" + name)
            let tools = text.prefix { $0 != "\n" }
            #expect(manifest.hasPrefix(tools), "\(name)")
            let interop = try Self.text("Tests/Interop/Package.swift", in: Self.root)
            for match in text.matches(of: /\.package\(url: ("[^"]+"), from: ("[^"]+")\)/) {
                #expect(interop.contains(".package(url: \(match.1), from: \(match.2))"), "\(name)")
            }
        }
    }
}
