import Foundation

/// The tool's entry: finds the command, runs it, and turns its error into a line and an exit code.
@main
enum FormDataTool {
    private static let version = "0.1.0"

    static func main() {
        FileDescriptor.openStandardStreams()
        Interruption.install()
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Runs the words of a command line. What the command opened has been closed or removed when an error arrives here.
    private static func run(_ words: [String]) -> ToolError.ExitCode {
        do {
            try dispatch(words)
            return .success
        } catch {
            if let signal = Interruption.signal { Interruption.endProcess(by: signal) }
            // As a writer ends that does not ignore the signal: without a word.
            if (error as? POSIXError)?.code == .EPIPE { Interruption.endProcess(by: SIGPIPE) }
            let error = ToolError(error)
            try? FileDescriptor.standardError.write("formdata: \(error.code): \(error.message)\n")
            return error.exitCode
        }
    }

    private static func dispatch(_ words: [String]) throws {
        let rest = Array(words.dropFirst())
        switch words.first {
        case "encode": try EncodeCommand.run(rest)
        case "decode": try DecodeCommand.run(rest)
        case "inspect": try InspectCommand.run(rest)
        case "help" where !rest.isEmpty: try dispatch([rest[0], "--help"])
        case "help", "--help", "-h": try FileDescriptor.standardOutput.write(HelpText.overview)
        case "--version": try FileDescriptor.standardOutput.write("formdata \(version)\n")
        case .some(let word): throw ToolError.usage("unknown command \(word); see formdata --help")
        case nil: throw ToolError.usage("no command: encode, decode or inspect; see formdata --help")
        }
    }
}
