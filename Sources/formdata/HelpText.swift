/// The texts that `--help` prints. Each text fits on a terminal of 80 columns and 24 lines.
enum HelpText {
    static let overview = """
        formdata writes, unpacks and lists multipart/form-data messages.

        Usage:
          formdata encode [-F name=value]... [-o FILE]     write a message
          formdata decode [FILE] --into DIR                write each part to a file
          formdata inspect [FILE] [--tree | --json]        list the parts
          formdata help COMMAND                            explain a command
          formdata --version                               print the version

        Exit codes:
          0   done
          64  the command line is wrong
          65  the message is malformed or over a limit, or the form cannot be encoded
          66  an input cannot be opened
          73  an output cannot be created
          74  reading or writing failed
        When the output's reader has gone away, SIGPIPE ends the tool (141 in a shell).

        """

    static let encode = """
        Writes a multipart/form-data message, and on standard error the Content-Type
        and Content-Length fields to send it with.

        Usage: formdata encode [-F FIELD | --form-string name=value]... [options]

        Fields, in the syntax of curl:
          -F name=value          a text field
          -F name=@path          a file; its type comes from its extension
          -F name=<path          a text field with the content of a file
          -F name=@a,b           several files under one name
          --form-string name=value   a text field with exactly this value
        A path of - is standard input; a FIFO, a pipe and a device are read to the end.
        ;type=T and ;filename=N may follow a value or path. Values, paths and file
        names may be quoted: "a;b", with \\" and \\\\ for a quote and a backslash. White
        space around them, and any other ;text, is not sent.

        Options:
          -o, --output FILE      write to FILE, not to standard output; - is standard
                                 output, even if it is a terminal and the form binary
          --force                replace FILE if it exists
          --boundary B           use this boundary; content that has it is refused
          --normalize-newlines   end the lines of text fields in CR LF, as browsers do
          --help                 print this text

        """

    static let decode = """
        Writes each part of a message to a file of its own, and manifest.json, which
        says what each part was and where it went.

        Usage: formdata decode [FILE] --into DIR [options]

        Without FILE, or with -, standard input is read. Files are named by the part's
        file name, or else by its field's name, without any directory. Existing files
        are never touched. After an error no file is left.

        Options:
          --into DIR             where to write; created if missing
          --keep                 after an error keep what was written, and list it
          --help                 print this text

        \(message)
        """

    static let inspect = """
        Lists the parts of a message: name, file name, type, size in bytes, and the
        text of fields; then what strict mode refuses first, and what looks wrong.

        Usage: formdata inspect [FILE] [options]

        Without FILE, or with -, standard input is read. Long texts are cut to the
        width of the terminal, or of the variable COLUMNS.

        Options:
          --tree           print the names as a decoder sees them: a[0][b] as a tree
          --json           print one JSON object instead of a table; in it, a part
                           that an error cuts off has "complete":false
          --bodies         with --json, include the bodies in base64
          --chunk-size N   feed the parser at most N bytes at a time (65536)

        \(message)
        """

    private static let message = """
        Options for the message, which may follow the head of an HTTP message:
          --content-type V       its Content-Type, or the line with it
          --boundary B           its boundary; else the head's, or the first line's
          --strict               accept only what parsers are known to read alike
          --max-parts N (1000), --max-header-count N (32), --max-header-bytes N (16384),
          --max-preamble-bytes N (65536), --max-part-bytes N, --max-total-bytes N
                                 limits and their defaults; the last two have none

        """
}
