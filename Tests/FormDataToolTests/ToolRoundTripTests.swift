import Foundation
import TestSupport
import Testing

/// `decode` and `inspect` read back what `encode` writes.
struct ToolRoundTripTests {
    @Test(arguments: 1...8)
    func `decode returns the content that encode was given`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryDirectory()
        var words = ["encode", "-o", "message"]
        var contents: [Data] = []
        for index in 0..<Int.random(in: 1...6, using: &generator) {
            let length = [0, 1, 1000, 300_000].randomElement(using: &generator) ?? 0
            var bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            bytes += Array("\r\n--\r".utf8)
            let content = Data(bytes)
            try folder.write(content, as: "file \(index).bin")
            contents.append(content)
            let sign = Bool.random(using: &generator) ? "@" : "<"
            words += ["-F", "field \(index)=\(sign)file \(index).bin"]
        }
        #expect(try Tool.run(words, in: folder).exitCode == 0)
        #expect(try Tool.run(["decode", "message", "--strict", "--into", "out"], in: folder).exitCode == 0)
        let parts = try Report(folder.read("out/manifest.json")).parts
        #expect(parts.map(\.name) == contents.indices.map { "field \($0)" })
        for (part, content) in zip(parts, contents) {
            let file = try #require(part.file)
            #expect(try folder.read("out/\(file)") == content)
            #expect(part.length == content.count)
        }
        let list = try Tool.run(["inspect", "message", "--json", "--bodies"], in: folder)
        #expect(try Report(list.standardOutput).parts.map(\.body) == contents)
    }

    @Test func `names in any script are decoded as they were`() throws {
        let names = ["ü", "名前", "😀", "a b", "a,b", "a=b", "a'b", "%22", "-", "a\u{300}"]
        for name in names where !name.contains("=") {
            let encoded = try Tool.run(["encode", "--form-string", "\(name)=\(name)"])
            let words = ["inspect", "--json", "--bodies"] + (name.contains(",") ? [] : ["--strict"])
            let list = try Tool.run(words, input: .file(encoded.standardOutput))
            let part = try #require(Report(list.standardOutput).parts.first)
            #expect(part.name == name)
            #expect(part.body == Data(name.utf8))
        }
    }
}
