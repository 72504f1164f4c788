/// How the tool ends, in the numbers of `sysexits.h`.
enum ExitCode: Int32, Sendable {
    /// The work is done.
    case success = 0
    /// The command line is wrong.
    case usage = 64
    /// A message is malformed or over a limit, or a form cannot be encoded.
    case malformed = 65
    /// An input cannot be opened.
    case noInput = 66
    /// An output cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed.
    case inputOutput = 74
}
