import MultipartFormCodec

/// The command line.
struct Options {
    /// The action to perform.
    enum Mode {
        case measure
        case list
        case help
        /// Writes the inputs to a directory.
        case writeInputs(String)
        /// Parses a file and reports, as the fresh process of another run.
        case freshProcess(String)
        /// Parses a file from memory and reports, as the peers do.
        case peer(String)
    }

    /// The usage.
    static let help = """
        usage: benchmarks [--case NAME]... [--fresh SHAPE]... [--short | --small | --counts] [--json]
                   [--check FILE]
               benchmarks --list
               benchmarks --write-inputs DIRECTORY [--case SHAPE]... [--short | --small]
               benchmarks --peer FILE --message-bytes COUNT [--entry data | borrowed] [--strict]
                   [--runs COUNT]
        """

    private(set) var mode = Mode.measure
    private(set) var names: [String] = []
    private(set) var isJSON = false
    private(set) var scale = Scale.full
    private(set) var floors: String?
    private(set) var messageLength = 0
    private(set) var entry = ParseEntry.data
    private(set) var parsingMode = ParsingMode.lenient
    private(set) var runs = 5

    /// Reads the arguments after the program's name.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": isJSON = true
            case "--short": scale = .short
            case "--small": scale = .small
            case "--counts": scale = .counts
            case "--list": mode = .list
            case "--help", "-h": mode = .help
            case "--case": names.append(try Self.value(argument, &rest))
            case "--fresh": names.append("fresh-" + (try Self.value(argument, &rest)))
            case "--check": floors = try Self.value(argument, &rest)
            case "--write-inputs": mode = .writeInputs(try Self.value(argument, &rest))
            case "--fresh-process": mode = .freshProcess(try Self.value(argument, &rest))
            case "--peer": mode = .peer(try Self.value(argument, &rest))
            case "--message-bytes": messageLength = try Self.count(argument, &rest)
            case "--runs": runs = try Self.count(argument, &rest)
            case "--strict": parsingMode = .strict
            case "--entry": entry = try Self.entry(argument, &rest)
            default: throw BenchmarkError("unknown argument \(argument)\n\(Self.help)")
            }
        }
    }

    /// The messages of a file.
    func fileRun(_ path: String) throws -> FileRun {
        guard messageLength > 0 else { throw BenchmarkError("--message-bytes is missing") }
        return FileRun(path: path, messageLength: messageLength, entry: entry, mode: parsingMode, runs: runs)
    }

    private static func value(_ option: String, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else { throw BenchmarkError("\(option) wants a value") }
        return value
    }

    private static func count(_ option: String, _ rest: inout ArraySlice<String>) throws -> Int {
        guard let count = Int(try value(option, &rest)), count > 0 else {
            throw BenchmarkError("\(option) wants a positive number")
        }
        return count
    }

    private static func entry(_ option: String, _ rest: inout ArraySlice<String>) throws -> ParseEntry {
        guard let entry = ParseEntry(rawValue: try value(option, &rest)) else {
            throw BenchmarkError("\(option) wants data or borrowed")
        }
        return entry
    }
}
