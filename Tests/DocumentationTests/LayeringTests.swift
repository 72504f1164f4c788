import Foundation
import TestSupport
import Testing

/// Bytes, Syntax, Form; then Encoding and Parsing, which never see each other; Coding on the roof, with rooms of its own.
@Suite struct LayeringTests {
    /// A folder of the library, and the folders it may use.
    struct Layer: Sendable, CustomTestStringConvertible {
        let name: String
        let uses: [String]
        var testDescription: String { name }
    }

    static let layers = lowerLayers + rooms + [Layer(name: "Coding", uses: belowCoding + rooms.map(\.name))]

    private static let lowerLayers = [
        Layer(name: "Bytes", uses: []),
        Layer(name: "Syntax", uses: ["Bytes"]),
        Layer(name: "Form", uses: ["Bytes", "Syntax"]),
        Layer(name: "Encoding", uses: ["Bytes", "Syntax", "Form"]),
        Layer(name: "Parsing", uses: ["Bytes", "Syntax", "Form"]),
    ]

    /// The rooms of Coding: neither decoding nor encoding uses the other, and what they share uses neither.
    static let rooms = [
        Layer(name: "Coding/Errors", uses: belowCoding),
        Layer(name: "Coding/Grammar", uses: belowCoding + ["Coding/Errors"]),
        Layer(name: "Coding/Options", uses: belowCoding + ["Coding/Errors", "Coding/Grammar"]),
        Layer(name: "Coding/Tree", uses: belowCoding + ["Coding/Errors", "Coding/Grammar"]),
        Layer(
            name: "Coding/Values",
            uses: belowCoding + ["Coding/Errors", "Coding/Grammar", "Coding/Options", "Coding/Tree"]
        ),
        Layer(name: "Coding/Decoding", uses: belowCoding + sharedRooms),
        Layer(name: "Coding/Encoding", uses: belowCoding + sharedRooms),
    ]

    private static let belowCoding = lowerLayers.map(\.name)
    private static let sharedRooms = [
        "Coding/Errors", "Coding/Grammar", "Coding/Options", "Coding/Tree", "Coding/Values",
    ]

    /// The machines, which do no input or output.
    static let machines = [
        "ParserMachine.swift", "ParserMachine+Delimiters.swift", "ParserMachine+Parts.swift", "HeaderScanner.swift",
        "HeaderSectionParser.swift", "InPlaceHeaderParser.swift", "FieldChecks.swift", "ParserActions.swift",
        "DelimiterLineClassifier.swift", "PreambleMatcher.swift", "HeaderRules.swift", "MultipartParser+Options.swift",
        "EncodingPlan.swift", "CollisionScanner.swift", "Pacing.swift", "NameGrammar.swift", "NumberGrammar.swift",
        "JSONNesting.swift", "TextCursor.swift", "NameTree.swift", "NameTree+Reading.swift", "CodingPath.swift",
        "EncodedNode.swift", "PartWriter.swift",
    ]

    /// The C library, as each system calls it, and the files that import it.
    static let libC: Set = ["Darwin", "Glibc", "Musl", "Android"]
    static let filesOfLibC: Set = [
        "DelimiterSearch+LibC.swift", "Lock.swift", "SystemCalls.swift", "SystemMemory.swift",
    ]

    /// The files that import Dispatch.
    static let filesOfDispatch: Set = ["Abandonment.swift", "BlockingPool.swift", "Uptime.swift"]

    /// The first line of a file that is left out without the trait.
    static let condition = "#if FullFoundation"

    static let library = Fixtures.directory.deletingLastPathComponent().appendingPathComponent("Sources/MultipartForm")

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
            result[name] = text.replacing(/\/\/[^\n]*/, with: "").replacing(/"[^"\n]*"/, with: "\"\"")
        }
        return result
    }

    /// The types each layer declares at the top level.
    private static let typesOfLayers = Result {
        try Dictionary(uniqueKeysWithValues: layers.map { ($0.name, try types(of: $0.name)) })
    }

    private static func types(of layer: String) throws -> Set<String> {
        var result: Set<String> = []
        for text in try files(of: layer).values {
            for match in text.matches(
                of: /(?m)^(?:public |package |private |fileprivate |final )*(?:struct|class|enum|protocol|actor) (\w+)/
            ) {
                result.insert(String(match.1))
            }
        }
        return result
    }

    /// A caller's `catch` with a condition, after a call that throws a type, crashes compilers: see `Tests/Programs/Catches/run`.
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
    @Test(arguments: layers)
    func `every unsafe has a SAFETY comment`(layer: Layer) throws {
        let folder = Self.library.appendingPathComponent(layer.name)
        for name in try Self.files(of: layer.name).keys {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            for declaration in text.split(separator: /\n *\n/) where !declaration.contains("SAFETY: ") {
                let code = declaration.replacing(/\/\/[^\n]*/, with: "")
                #expect(!code.contains(/\bunsafe\b|@unchecked/), "\(layer.name)/\(name): \(code)")
            }
        }
    }

    /// `CallersExecutor.swift` says why.
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
        where path.hasSuffix(".swift") && !path.hasPrefix("MultipartForm.docc/") {
            folders.insert(path.split(separator: "/").dropLast().joined(separator: "/"))
        }
        #expect(folders == Set(Self.layers.map(\.name)))
        #expect(Self.layers.count == folders.count)
    }

    @Test func `a layer uses only those before it`() {
        for (index, layer) in Self.layers.enumerated() {
            #expect(Set(layer.uses).isSubset(of: Self.layers[..<index].map(\.name)), "\(layer.name)")
        }
    }

    @Test func `the map names each file of a folder, and no other`() throws {
        let root = Fixtures.directory.deletingLastPathComponent()
        let map = FolderMap(try String(contentsOf: root.appendingPathComponent("CONTRIBUTING.md"), encoding: .utf8))
        for folder in Self.layers.map({ "MultipartForm/\($0.name)" }) + ["formdata"] {
            let path = root.appendingPathComponent("Sources/\(folder)").path
            let files = try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) }
            let entries = map.entries[folder] ?? []
            for file in files { #expect(entries.contains { $0.names(file) }, "\(folder)/\(file) is not in the map") }
            for name in entries.flatMap(\.files) where !Self.layers.map(\.name).contains(name) {
                #expect(files.contains(name), "the map has \(folder)/\(name)")
            }
        }
    }

    @Test func `every machine is a file`() throws {
        let files = Set(try Self.layers.flatMap { try Self.files(of: $0.name).keys })
        #expect(files.isSuperset(of: Self.machines))
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
        let url = Self.library.appendingPathComponent("PrivacyInfo.xcprivacy")
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

/// The files that CONTRIBUTING.md names under each folder of `Sources`.
private struct FolderMap {
    /// One line of the list under a folder.
    struct Entry {
        /// Names of files, such as `BodyPart`, and suffixes, such as `+File`, which any of the line's files may have.
        var files: [String] = [], suffixes: [String] = []

        init(_ line: Substring) {
            for match in line.matches(of: /`(\+?[A-Z][\w+]*)`/) {
                let name = String(match.1)
                if name.hasPrefix("+") { suffixes.append(name) } else { files.append(name) }
            }
        }

        func names(_ file: String) -> Bool {
            files.contains { base in base == file || suffixes.contains { base + $0 == file } }
        }
    }

    private(set) var entries: [String: [Entry]] = [:]

    init(_ text: String) {
        let lines = text.split(separator: "\n").drop { $0 != "## What is in which file" }.dropFirst()
        var folder = ""
        for line in lines.prefix(while: { !$0.hasPrefix("## ") }) {
            if let title = line.wholeMatch(of: /### `(?:Sources\/)?(\w+)`/) {
                folder = title.1 == "formdata" ? "formdata" : "MultipartForm/\(title.1)"
            } else if let room = line.wholeMatch(of: /- `(\w+)`: (.*)/), folder.hasSuffix("/Coding") {
                // A room of `Coding` has one line, which begins with its name.
                entries["\(folder)/\(room.1)", default: []].append(Entry(room.2))
            } else if line.hasPrefix("- ") {
                entries[folder, default: []].append(Entry(line))
            }
        }
    }
}
