import Foundation
import TestSupport
import Testing

/// Bytes, Syntax, System, Form; then Encoding and Parsing, which never see each other; Coding on the roof.
@Suite struct LayeringTests {
    /// A folder of the library, and the folders it may use.
    struct Layer: Sendable, CustomTestStringConvertible {
        let name: String
        let uses: [String]
        var testDescription: String { name }
    }

    static let layers = lowerLayers + [Layer(name: "Coding", uses: belowCoding + subfolders.map(\.name))] + subfolders

    private static let lowerLayers = [
        Layer(name: "Bytes", uses: []),
        Layer(name: "Syntax", uses: ["Bytes"]),
        Layer(name: "System", uses: ["Bytes"]),
        Layer(name: "Form", uses: ["Bytes", "Syntax", "System"]),
        Layer(name: "Encoding", uses: ["Bytes", "Syntax", "System", "Form"]),
        Layer(name: "Parsing", uses: ["Bytes", "Syntax", "System", "Form"]),
    ]

    /// The folders within Coding: neither decoding nor encoding uses the other, and the rest uses neither.
    private static let subfolders = [
        Layer(name: "Coding/Errors", uses: belowCoding + ["Coding", "Coding/Names"]),
        Layer(name: "Coding/Names", uses: belowCoding + ["Coding", "Coding/Errors"]),
        Layer(name: "Coding/JSON", uses: belowCoding + ["Coding", "Coding/Errors"]),
        Layer(name: "Coding/Types", uses: belowCoding + ["Coding", "Coding/Errors", "Coding/JSON"]),
        Layer(name: "Coding/Decoding", uses: belowCoding + ["Coding"] + shared),
        Layer(name: "Coding/Encoding", uses: belowCoding + ["Coding"] + shared),
    ]

    private static let shared = ["Errors", "Names", "JSON", "Types"].map { "Coding/\($0)" }

    private static let belowCoding = lowerLayers.map(\.name)

    /// The machines, which do no input or output.
    static let machines = [
        "ParserMachine.swift", "ParserMachine+Delimiters.swift", "ParserMachine+Parts.swift", "HeaderReader.swift",
        "DelimiterLineClassifier.swift", "HeaderReader+FieldParser.swift", "HeaderReader+FastPath.swift",
        "MultipartParser+Options.swift", "EncodingPlan.swift", "CollisionCheck.swift",
        "Pacing.swift", "NameGrammar.swift", "NumberGrammar.swift", "JSONNesting.swift", "TextCursor.swift",
        "NameTree.swift", "CodingPath.swift", "CodingReason.swift", "EncodedNode.swift", "PartWriter.swift",
    ]

    /// The C library, as each system calls it, and the files that import it.
    static let libC: Set = ["Darwin", "Glibc", "Musl", "Android"]
    static let filesOfLibC: Set = [
        "DelimiterSearch.swift", "Lock.swift", "SystemCalls.swift", "SystemCalls+AccessControl.swift",
        "SystemMemory.swift",
    ]

    /// The files that import Dispatch.
    static let filesOfDispatch: Set = ["Cancellation.swift", "BlockingPool.swift"]

    /// The first line of a file that is left out without the trait.
    static let condition = "#if FullFoundation"

    static let library = Fixtures.directory.deletingLastPathComponent()
        .appendingPathComponent("Sources/MultipartFormCodec")

    /// The Swift files of the library and the tool, by path.
    private static func sources() throws -> [String: String] {
        let folder = library.deletingLastPathComponent()
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return Dictionary(
            uniqueKeysWithValues: try paths.map { path in
                (path, try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8))
            }
        )
    }

    /// The Swift files of a layer, by name, without comments and string literals.
    static func files(of layer: String) throws -> [String: String] {
        try #require(filesOfLayers.get()[layer])
    }

    private static let filesOfLayers = Result {
        try Dictionary(uniqueKeysWithValues: layers.map { ($0.name, try readFiles(of: $0.name)) })
    }

    private static func readFiles(of layer: String) throws -> [String: String] {
        let folder = library.appendingPathComponent(layer)
        var result: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            result[name] = text.replacing(/\/\/[^\n]*/, with: "").replacing(/"(?:[^"\\\n]|\\.)*"/, with: "\"\"")
        }
        return result
    }

    /// The types each layer declares at the top level.
    private static let typesOfLayers = Result {
        try Dictionary(uniqueKeysWithValues: layers.map { ($0.name, try types(of: $0.name)) })
    }

    static func types(of layer: String) throws -> Set<String> {
        var result: Set<String> = []
        for text in try files(of: layer).values.map(unindented) {
            for match in text.matches(of: /(?m)^(?:@?\w+ )*(?:struct|class|enum|protocol|actor) (\w+)/) {
                result.insert(String(match.1))
            }
        }
        return result
    }

    /// A file's code without the indentation that an `#if` around all of it adds.
    static func unindented(_ text: String) -> String {
        text.hasPrefix(condition) ? text.replacing(/(?m)^ {4}/, with: "") : text
    }

    /// A caller's `catch` with a condition, after a call that throws a type, crashes compilers: see
    /// `Tests/Programs/Catches/run`.
    @Test(arguments: layers)
    func `no public declaration throws a type`(layer: Layer) throws {
        for (name, text) in try Self.files(of: layer.name) {
            for start in text.ranges(of: /\bpublic\b[^\n(]*\b(func|init|subscript)\b/) {
                let declaration = Self.declaration(in: text[start.lowerBound...])
                #expect(!declaration.contains("throws("), "\(name): \(declaration)")
            }
        }
    }

    /// What stands before the body of the function that a text begins with; an argument's default may have braces.
    private static func declaration(in text: Substring) -> Substring {
        var depth = 0
        return text.prefix { character in
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            return depth > 0 || character != "{"
        }
    }

    /// Takes the text between empty lines for one declaration.
    @Test func `every unsafe has a SAFETY comment`() throws {
        for (path, text) in try Self.sources() where text.contains("unsafe") || text.contains("@unchecked") {
            for declaration in text.split(separator: /\n *\n/) where !declaration.contains("SAFETY: ") {
                let code = declaration.replacing(/\/\/[^\n]*/, with: "")
                #expect(!code.contains(/\bunsafe\b|@unchecked/), "\(path): \(code)")
            }
        }
    }

    /// Why: see `resumeOnCallerExecutor`.
    @Test(arguments: layers)
    func `no continuation throws`(layer: Layer) throws {
        for (name, text) in try Self.files(of: layer.name) {
            #expect(!text.contains(/with\w+ThrowingContinuation|Continuation<[^>]*Error>/), "\(layer.name)/\(name)")
        }
    }

    @Test func `only files of their own know the formatters of dates`() throws {
        for layer in Self.layers {
            for (name, text) in try Self.files(of: layer.name) where !name.hasSuffix("DateFormatter.swift") {
                #expect(!text.contains(/\bDateFormatter\b/), "\(layer.name)/\(name)")
            }
        }
    }

    @Test func `every folder of the library is a layer`() throws {
        var folders: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: Self.library.path)
        where path.hasSuffix(".swift") && !path.hasPrefix("MultipartFormCodec.docc/") {
            folders.insert(path.split(separator: "/").dropLast().joined(separator: "/"))
        }
        #expect(folders == Set(Self.layers.map(\.name)))
        #expect(Self.layers.count == folders.count)
    }

    @Test func `a layer uses only those before it`() {
        for (index, layer) in Self.lowerLayers.enumerated() {
            #expect(Set(layer.uses).isSubset(of: Self.lowerLayers[..<index].map(\.name)), "\(layer.name)")
        }
    }

    @Test func `each file opens with a line that says what it is`() throws {
        let sources = Self.library.deletingLastPathComponent()
        for folder in Self.layers.map({ "MultipartFormCodec/\($0.name)" }) + ["formdata"] {
            let url = sources.appendingPathComponent(folder)
            for name in try FileManager.default.contentsOfDirectory(atPath: url.path) where name.hasSuffix(".swift") {
                let text = try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
                #expect(Self.opening(of: text)?.hasPrefix("//") == true, "\(folder)/\(name)")
            }
        }
    }

    /// The formatter breaks code, but not comments.
    @Test func `a comment has lines of at most 120 columns`() throws {
        for (path, text) in try Self.sources() {
            for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.count > 120 {
                let line = Substring(line)
                #expect(!line.drop { $0 == " " }.hasPrefix("//") || line.count <= 120, "\(path): \(line)")
            }
        }
    }

    /// The first line of a file that is neither empty, an import nor a condition.
    private static func opening(of text: String) -> String? {
        text.split(separator: "\n").lazy
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .first { !$0.hasPrefix("#") && !$0.contains(/^(?:@\w+ )?(?:\w+ )?import \w+$/) }
    }

    @Test func `every machine is a file`() throws {
        let files = Set(try Self.layers.flatMap { try Self.files(of: $0.name).keys })
        #expect(files.isSuperset(of: Self.machines))
    }

    @Test func `System names no error of a form`() throws {
        let error = /\bMultipartError\b|\bErrorCode\b|\.(?:bodyPart|inputStream|outputStream)\w/
        for (name, text) in try Self.files(of: "System") { #expect(!text.contains(error), "\(name)") }
    }

    @Test func `what assembles a form does no input or output`() throws {
        let text = try #require(try Self.files(of: "Parsing")["FormAssembler.swift"])
        let types = try Self.types(of: "System")
        #expect(types.contains("NewFile"))
        for type in types { #expect(!text.contains(try Regex("\\b\(type)\\b")), "\(type)") }
        #expect(!text.contains(/\bTemporaryFile\.|\bFileWorker\b|\bFileWorkQueue\b|\basync\b/))
    }

    /// The modules that a text imports.
    private static func imports(_ text: some StringProtocol) -> Set<String> {
        let pattern =
            /(?m)^\s*(?:@\w+\s+)*(?:\w+ )?import (?:(?:struct|class|enum|protocol|func|var|let|typealias) )?(\w+)/
        return Set(String(text).matches(of: pattern).map { String($0.1) })
    }

    @Test(arguments: layers)
    func `a layer imports Foundation or nothing`(layer: Layer) throws {
        for (name, text) in try Self.files(of: layer.name) {
            var allowed: Set<String> = []
            if Self.filesOfLibC.contains(name) { allowed.formUnion(Self.libC) }
            if Self.filesOfDispatch.contains(name) { allowed.insert("Dispatch") }
            if !["Bytes", "Syntax"].contains(layer.name), !Self.machines.contains(name) {
                allowed.formUnion(["Foundation", "FoundationEssentials"])
            }
            #expect(Self.imports(text).isSubset(of: allowed), "\(layer.name)/\(name)")
        }
    }

    /// The trait is met in the first line of a file, or nowhere.
    @Test(arguments: layers)
    func `only whole files are left out without the trait, and only they need all of Foundation`(layer: Layer) throws {
        let essentials =
            /#if canImport\(FoundationEssentials\)\n +(\w+ )import FoundationEssentials\n#else\n +\1import Foundation\n#endif\n/
        for (name, text) in try Self.files(of: layer.name) {
            let isLeftOut = text.hasPrefix("\(Self.condition)\n")
            #expect(text.matches(of: /FullFoundation/).count == (isLeftOut ? 1 : 0), "\(layer.name)/\(name)")
            if isLeftOut {
                #expect(text.hasSuffix("\n#endif\n"), "\(layer.name)/\(name)")
            } else {
                let rest = Self.imports(text.replacing(essentials, with: ""))
                #expect(!rest.contains("Foundation") && !rest.contains("FoundationEssentials"), "\(layer.name)/\(name)")
            }
        }
    }

    /// Apple's manifest of reasons lists what the library may find out of a file (TN3183).
    @Test func `the privacy manifest says what the sources call`() throws {
        let url = Self.library.deletingLastPathComponent()
            .appendingPathComponent("MultipartFormCodecPrivacy/PrivacyInfo.xcprivacy")
        let manifest = try #require(
            try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil) as? [String: Any]
        )
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        for key in ["NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes"] {
            #expect((manifest[key] as? [Any])?.isEmpty == true, "\(key)")
        }
        let entries = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        var declared: [String: [String]] = [:]
        for entry in entries {
            let category = try #require(entry["NSPrivacyAccessedAPIType"] as? String)
            declared[category] = try #require(entry["NSPrivacyAccessedAPITypeReasons"] as? [String])
        }
        let code = try Self.layers.flatMap { try Self.files(of: $0.name).values }.joined(separator: "\n")
        let used = Self.accessedAPIs.filter { code.contains($0.value) }.map(\.key)
        #expect(Set(declared.keys) == Set(used))
        #expect(declared["NSPrivacyAccessedAPICategoryFileTimestamp"] == ["C617.1", "3B52.1"])
        #expect(Set(manifest.keys).count == 4)
    }

    /// The calls for which Apple wants a reason, by category.
    private static var accessedAPIs: [String: Regex<Substring>] {
        [
            "NSPrivacyAccessedAPICategoryFileTimestamp":
                /\b(?:f|l)?stat(?:at)?\(|st_[abcm]tim|getattrlist|(?:creation|contentModification|modification)Date\b/,
            "NSPrivacyAccessedAPICategorySystemBootTime": /\bsystemUptime\b|\bmach_absolute_time\b/,
            "NSPrivacyAccessedAPICategoryDiskSpace":
                /\bf?statv?fs\(|volume(?:Available|Total)Capacity|systemFreeSize|systemSize\b/,
            "NSPrivacyAccessedAPICategoryActiveKeyboards": /\bactiveInputModes\b/,
            "NSPrivacyAccessedAPICategoryUserDefaults": /\bUserDefaults\b/,
        ]
    }

    @Test(arguments: layers)
    func `a layer uses only the layers it may use`(layer: Layer) throws {
        let forbidden = Set(Self.layers.map(\.name)).subtracting(layer.uses + [layer.name])
        let types = try Self.typesOfLayers.get().filter { forbidden.contains($0.key) }
        #expect(types.count == forbidden.count && !types.values.contains(where: \.isEmpty))
        for (name, text) in try Self.files(of: layer.name) {
            let words = Set(text.matches(of: /\b[A-Z]\w+/).map { String($0.0) })
            for (other, types) in types {
                #expect(words.isDisjoint(with: types), "\(layer.name)/\(name) uses \(other)")
            }
        }
    }
}
