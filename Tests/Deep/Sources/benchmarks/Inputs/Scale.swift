/// The size of the inputs.
enum Scale: String {
    /// The sizes of the table in the README.
    case full
    /// A quarter of the large content, for a run of about a minute.
    case short
    /// Small enough for slow parsers.
    case small
    /// As small, and nothing is timed: allocations and bytes are counted.
    case counts

    /// The length of the random, text and file content, in bytes.
    var largeContent: Int {
        switch self {
        case .full: 256 << 20
        case .short: 64 << 20
        case .small, .counts: 16 << 20
        }
    }

    /// The length of the content made of line breaks and delimiters, in bytes.
    var adverseContent: Int {
        isSmall ? 4 << 20 : 64 << 20
    }

    /// The fields of a form.
    var fields: Int { isSmall ? 20_000 : 200_000 }

    /// The files of 4 KiB of a form.
    var files: Int { isSmall ? 4_000 : 20_000 }

    /// The parts with many header fields of a form.
    var headedParts: Int { isSmall ? 4_000 : 20_000 }

    /// The messages of three fields and a file that are read one after the other.
    var typicalMessages: Int {
        switch self {
        case .full: 192
        case .short: 48
        case .small, .counts: 12
        }
    }

    /// The fewest times a case is measured.
    var runs: Int {
        switch self {
        case .full: 7
        case .short, .small: 5
        case .counts: 0
        }
    }

    private var isSmall: Bool { self == .small || self == .counts }
}
