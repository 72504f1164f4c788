import Foundation
import TestSupport
import Testing

/// Bytes, Syntax, Form; then two wings, Encoding and Parsing, that never see each other.
@Suite struct LayeringTests {
    /// A folder of the library, and the folders it may use.
    struct Room: Sendable, CustomTestStringConvertible {
        let name: String
        let uses: [String]
        var testDescription: String { name }
    }

    static let rooms = [
        Room(name: "Bytes", uses: []),
        Room(name: "Syntax", uses: ["Bytes"]),
        Room(name: "Form", uses: ["Bytes", "Syntax"]),
        Room(name: "Encoding", uses: ["Bytes", "Syntax", "Form"]),
        Room(name: "Parsing", uses: ["Bytes", "Syntax", "Form"]),
    ]

    /// The machines, which do no input or output.
    static let machines = [
        "ParserMachine.swift", "ParserMachine+Delimiters.swift", "ParserMachine+Parts.swift", "HeaderScanner.swift",
        "HeaderSection.swift", "PlainSection.swift", "ParserActions.swift", "DelimiterTail.swift",
        "PreambleMatcher.swift", "HeaderRules.swift", "MultipartParser+Options.swift", "EncodingPlan.swift",
        "CollisionScanner.swift", "Pacing.swift",
    ]

    static let library = Fixtures.directory.deletingLastPathComponent().appendingPathComponent("Sources/MultipartForm")

    /// The Swift files of a room, by name, without comments and string literals.
    static func files(of room: String) throws -> [String: String] {
        let folder = library.appendingPathComponent(room)
        var result: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            result[name] = text.replacing(/\/\/[^\n]*/, with: "").replacing(/"[^"\n]*"/, with: "\"\"")
        }
        return result
    }

    /// The types a room declares at the top level.
    static func types(of room: String) throws -> Set<String> {
        var result: Set<String> = []
        for text in try files(of: room).values {
            for match in text.matches(
                of: /(?m)^(?:public |package |private |fileprivate |final )*(?:struct|class|enum|protocol|actor) (\w+)/
            ) {
                result.insert(String(match.1))
            }
        }
        return result
    }

    /// Declarations have an empty line between them, and none inside.
    @Test(arguments: rooms)
    func `what is unsafe has its proof beside it`(room: Room) throws {
        let folder = Self.library.appendingPathComponent(room.name)
        for name in try Self.files(of: room.name).keys {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            for declaration in text.split(separator: /\n *\n/) where !declaration.contains("SAFETY: ") {
                let code = declaration.replacing(/\/\/[^\n]*/, with: "")
                #expect(!code.contains(/\bunsafe\b|@unchecked/), "\(room.name)/\(name): \(code)")
            }
        }
    }

    @Test func `every folder of the library is a room`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.library.path)
        #expect(Set(folders).subtracting(["MultipartForm.docc"]) == Set(Self.rooms.map(\.name)))
    }

    @Test(arguments: rooms)
    func `a room imports Foundation or nothing`(room: Room) throws {
        for (name, text) in try Self.files(of: room.name) {
            let imports = text.matches(
                of:
                    /(?m)^\s*(?:@\w+\s+)*(?:\w+ )?import (?:(?:struct|class|enum|protocol|func|var|let|typealias) )?(\w+)/
            ).map { String($0.1) }
            let isBare = ["Bytes", "Syntax"].contains(room.name) || Self.machines.contains(name)
            let allowed: Set<String> = isBare ? [] : ["Foundation"]
            #expect(Set(imports).isSubset(of: allowed), "\(room.name)/\(name)")
        }
    }

    @Test(arguments: rooms)
    func `a room uses only the rooms before it`(room: Room) throws {
        let forbidden = Set(Self.rooms.map(\.name)).subtracting(room.uses + [room.name])
        for other in forbidden {
            let types = try Self.types(of: other)
            #expect(!types.isEmpty)
            for (name, text) in try Self.files(of: room.name) {
                let words = Set(text.matches(of: /\b[A-Z]\w+/).map { String($0.0) })
                #expect(words.isDisjoint(with: types), "\(room.name)/\(name) uses \(other)")
            }
        }
    }
}
