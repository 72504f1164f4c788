import Foundation
import TestSupport
import Testing

/// The examples of the README and of the articles about the tool: each command is run, and must print what the document
/// shows.
///
/// All commands of a document run in one directory, in the document's order. In a block, a line that begins with `$ ` is
/// a command; the lines after it are its output and its errors. A line that ends in a backslash continues on the next
/// one, so that no line is wider than a terminal.
@Suite struct DocumentedCommandTests {
    struct Example: Equatable {
        let command: String
        var output: [String]
    }

    /// What ends a command's output, since it may end without a line break.
    private static let marker = "\u{1}"

    /// The documents, and how many commands each has at least.
    private static let documents = [
        ("README.md", 1),
        ("Sources/MultipartFormCodec/MultipartFormCodec.docc/FormdataTool.md", 8),
        ("Sources/MultipartFormCodec/MultipartFormCodec.docc/WhyUploadsFail.md", 6),
    ]

    private static func text(of document: String) throws -> String {
        let root = Fixtures.directory.deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
    }

    private static func examples(in document: String) throws -> [Example] {
        let text = try text(of: document).replacing(/\\\n +/, with: "")
        var examples: [Example] = []
        for block in text.components(separatedBy: "```console\n").dropFirst() {
            for line in block.components(separatedBy: "```")[0].split(separator: "\n") {
                if line.hasPrefix("$ ") {
                    examples.append(Example(command: String(line.dropFirst(2)), output: []))
                } else if let last = examples.indices.last {
                    examples[last].output.append(String(line))
                }
            }
        }
        return examples
    }

    @Test(arguments: documents.map(\.0))
    func `no line of a block is wider than a terminal`(document: String) throws {
        let blocks = try Self.text(of: document).components(separatedBy: "```")
        for (index, block) in blocks.enumerated() where !index.isMultiple(of: 2) {
            guard block.hasPrefix("console\n") || block.hasPrefix("text\n") else { continue }
            #expect(block.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(block)")
        }
    }

    @Test(arguments: documents)
    func `each command prints what the document shows`(document: String, count: Int) throws {
        let folder = try TemporaryDirectory()
        let examples = try Self.examples(in: document)
        #expect(examples.count >= count)
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("Fixtures"),
            withDestinationURL: Fixtures.directory
        )
        let tool = try #require(Tool.path)
        let path = URL(fileURLWithPath: tool).deletingLastPathComponent().path
        var script = "PATH='\(path)':\"$PATH\"; export PATH; exec 2>&1\n"
        for example in examples {
            script += "\(example.command)\nstatus=$?; printf '\\001'; (exit $status)\n"
        }
        let process = try Tool.shell(script, in: folder)
        let output = folder.path(of: "output")
        #expect(FileManager.default.createFile(atPath: output, contents: nil))
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.standardInput = FileHandle.nullDevice
        try Tool.start(process)
        process.waitUntilExit()
        let printed = try folder.text("output").replacing("\r\n", with: "\n").components(separatedBy: Self.marker)
        #expect(printed.count == examples.count + 1)
        for (example, text) in zip(examples, printed) {
            #expect(Example(command: example.command, output: text.split(separator: "\n").map(String.init)) == example)
        }
    }
}
