/// The entry point of the tool: runs a command, prints its error, and exits with the error's exit code.
@main
enum FormDataTool {
    private static let version = "0.1.0"

    static func main() {
        FileDescriptor.openStandardStreams()
        Interruption.install()
        do {
            try run(try words())
        } catch {
            // The command has already removed its unfinished files, so the signal can end the process.
            if let signal = Interruption.signal { Interruption.endProcess(by: signal) }
            // If nobody reads the output, SIGPIPE ends the process without a message, as it ends a process that does
            // not ignore SIGPIPE.
            if (error as? POSIXError)?.code == .EPIPE { Interruption.endProcess(by: SIGPIPE) }
            let error = ToolError(error)
            try? FileDescriptor.standardError.write("formdata: \(error.code): \(error.message)\n")
            exit(error.exitCode.rawValue)
        }
    }

    /// Returns the words of the command line after the program's name. Throws if a word is not UTF-8.
    ///
    /// `CommandLine.arguments` would replace the invalid bytes, and the changed path could name another file.
    private static func words() throws -> [String] {
        try (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
            guard let word = CommandLine.unsafeArgv[index] else { return nil }
            guard let text = String(validatingCString: word) else {
                throw ToolError.usage("argument \(index) is not UTF-8: \(String(cString: word))")
            }
            return text
        }
    }

    private static func run(_ words: [String]) throws {
        let rest = Array(words.dropFirst())
        switch words.first {
        case "encode": try EncodeCommand.run(rest)
        case "decode": try DecodeCommand.run(rest)
        case "inspect": try InspectCommand.run(rest)
        case "help" where !rest.isEmpty: try run([rest[0], "--help"])
        case "help", "--help", "-h": try FileDescriptor.standardOutput.write(HelpText.overview)
        case "--version": try FileDescriptor.standardOutput.write("formdata \(version)\n")
        case .some(let word): throw ToolError.usage("unknown command \(word); see formdata --help")
        case nil: throw ToolError.usage("no command: encode, decode or inspect; see formdata --help")
        }
    }
}
