/// How large the inputs are.
enum Scale: String {
    /// The sizes of the table in the README.
    case full
    /// Large contents at a quarter, for a run of about a minute.
    case short
    /// What a slow parser can bear.
    case small

    /// The length in bytes of the random, text and file contents.
    var largeContent: Int {
        switch self {
        case .full: 256 << 20
        case .short: 64 << 20
        case .small: 16 << 20
        }
    }

    /// The length in bytes of the contents made of line breaks and delimiters.
    var adverseContent: Int {
        self == .small ? 4 << 20 : 64 << 20
    }

    /// How many fields a form has.
    var fields: Int { self == .small ? 20_000 : 200_000 }

    /// How many files of 4 KiB a form has.
    var files: Int { self == .small ? 4_000 : 20_000 }

    /// How many parts with many header fields a form has.
    var headedParts: Int { self == .small ? 4_000 : 20_000 }

    /// How many messages of three fields and a file are read one after the other.
    var typicalMessages: Int {
        switch self {
        case .full: 192
        case .short: 48
        case .small: 12
        }
    }

    /// The fewest times a case is measured.
    var runs: Int { self == .full ? 7 : 5 }
}
