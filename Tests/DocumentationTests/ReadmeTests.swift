import Foundation
import TestSupport
import Testing

/// What the README says of versions, platforms and the licence. `DocumentedCodeTests` finds its code,
/// `SpeedFigureTests` its figures, and `DocumentedCommandTests` runs its command.
@Suite struct ReadmeTests {
    private static let root = Fixtures.directory.deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func `it is short, and has no picture`() throws {
        let readme = try Self.text("README.md")
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 101)
        #expect(!readme.contains("!["))
    }

    @Test func `it needs the version of Swift and the systems of the manifest`() throws {
        let (readme, manifest) = try (Self.text("README.md"), Self.text("Package.swift"))
        let tools = try #require(manifest.firstMatch(of: /swift-tools-version: ([0-9.]+)/)?.1)
        #expect(readme.contains("It needs Swift \(tools)."))
        let names = ["macOS": "macOS", "iOS": "iOS", "tvOS": "tvOS", "watchOS": "watchOS", "visionOS": "visionOS"]
            .merging(["macCatalyst": "Mac Catalyst"]) { $1 }
        let platforms = try #require(manifest.firstMatch(of: /platforms: \[(.*)\]/)?.1)
        let versions = platforms.matches(of: /\.(\w+)\(\.v([0-9_]+)\)/)
        #expect(versions.count == names.count)
        for version in versions {
            let name = try #require(names[String(version.1)])
            #expect(readme.contains("\(name) \(version.2.replacing("_", with: "."))"), "\(name)")
        }
        // The systems for which it is only compiled are those that the script compiles it for.
        #expect(try Self.text(".ci/run").contains(".ci/apple/check --library"))
    }

    @Test func `it says that there is no licence as long as there is none`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.root.path).map { $0.lowercased() }
        let hasNone = !names.contains { $0.hasPrefix("licen") || $0.hasPrefix("copying") }
        #expect(try Self.text("README.md").contains("no licence chosen") == hasNone)
    }
}
