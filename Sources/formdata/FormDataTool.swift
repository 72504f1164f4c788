import Foundation
import MultipartForm

/// The tool's entry: finds the command, runs it, and turns its error into a line and an exit code.
@main
enum FormDataTool {
    /// The version `--version` prints.
    static let version = "0.1.0"

    /// Runs the process.
    static func main() {
        FileDescriptor.openStandardStreams()
        Interruption.install()
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Runs the words of a command line.
    private static func run(_ words: [String]) -> ExitCode {
        do {
            try dispatch(words)
            return .success
        } catch is Interruption.Requested {
            Interruption.endProcess()
        } catch is Console.BrokenPipe {
            endByBrokenPipe()
        } catch let error as ToolError {
            return fail(error)
        } catch let error as MultipartParsingError {
            return fail(ToolError(error))
        } catch let error as MultipartEncodingError {
            return fail(ToolError(error))
        } catch {
            return fail(ToolError(.inputOutput, "input-output", "\(error)"))
        }
    }

    /// Ends the process as a writer to a closed pipe ends that does not catch the signal, and without a word.
    private static func endByBrokenPipe() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        exit(128 + SIGPIPE)
    }

    private static func fail(_ error: ToolError) -> ExitCode {
        Console.report("formdata: \(error.code): \(error.message)")
        return error.exitCode
    }

    private static func dispatch(_ words: [String]) throws {
        let rest = Array(words.dropFirst())
        switch words.first {
        case "encode": try EncodeCommand.run(rest)
        case "decode": try DecodeCommand.run(rest)
        case "inspect": try InspectCommand.run(rest)
        case "help", "--help", "-h": try showHelp(rest)
        case "--version": try Console.show("formdata \(version)\n")
        case .some(let word): throw ToolError.usage("unknown command \(word); see formdata --help")
        case nil: throw ToolError.usage("no command: encode, decode or inspect; see formdata --help")
        }
    }

    private static func showHelp(_ words: [String]) throws {
        switch words.first {
        case "encode": try Console.show(HelpText.encode)
        case "decode": try Console.show(HelpText.decode)
        case "inspect": try Console.show(HelpText.inspect)
        case .some(let word): throw ToolError.usage("unknown command \(word); see formdata --help")
        case nil: try Console.show(HelpText.overview)
        }
    }
}
