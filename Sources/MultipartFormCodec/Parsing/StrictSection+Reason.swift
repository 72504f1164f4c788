// The reasons why strict mode refuses a section, in words for a log.
extension StrictSection {
    enum Reason: Error, CaseIterable {
        case noDisposition
        case otherField
        case repeatedField
        case longLine
        case textAfterValue
        case notUTF8
        case dispositionForm
        case value
        case emptyName
        case separator
        case brackets
        case manyBrackets
        case slashFirst
        case edgeSpace
        case byteOrderMark
        case lineSeparator
        case combiningMarks
        case semicolons
        case encodedWord
        case lastComponent
        case mediaType
        case multipart
        case message
        case urlEncoded
        case charset
        case octetStreamWithoutFilename
        case transferEncoding
        case contentLength
        case dashBoundary
        case nameElsewhere
        case fieldElsewhere

        /// Whether the reason concerns the section as a whole, instead of one line.
        var isOfSection: Bool { self == .noDisposition }

        /// Returns the reason as a sentence that names the line by its number, counted from 1.
        func sentence(ofLine line: Int) -> String {
            isOfSection ? "header section \(clause)" : "header line \(line) \(clause)"
        }

        private var clause: StaticString {
            switch self {
            case .noDisposition:
                "has no Content-Disposition"
            case .otherField:
                "has another field than Content-Disposition, Content-Type, Content-Transfer-Encoding and Content-Length, or another spelling of one"
            case .repeatedField:
                "repeats a field, of which parsers use different ones"
            case .longLine:
                "has more than 1500 bytes, and some parsers cut or refuse longer ones"
            case .textAfterValue:
                "has other text after its value, such as another parameter or white space"
            case .notUTF8:
                "is not UTF-8"
            case .dispositionForm:
                "is not \"form-data; name=\" and a value, with \"; filename=\" and a value after it or nothing"
            case .value:
                "has a value that is neither a quoted string without controls and backslashes nor a token of letters, digits, hyphens, dots and underscores"
            case .emptyName:
                "has an empty name, and some parsers drop the part"
            case .separator:
                "has a name with a comma, colon, semicolon or equals sign, which Netty replaces by a space"
            case .brackets:
                "has a name whose brackets are not keys at its end, and PHP renames it or loses the rest"
            case .manyBrackets:
                "has a name with more than 64 keys in brackets, and PHP loses the part"
            case .slashFirst:
                "has a name that begins with a slash, which aiohttp removes"
            case .edgeSpace:
                "has a space at the edge of a name, which many parsers remove"
            case .byteOrderMark:
                "has a name that begins with a byte order mark, which some parsers remove"
            case .lineSeparator:
                "has a Unicode line separator in a name, where JavaScript's regular expressions end a line"
            case .combiningMarks:
                "has many combining marks in a name"
            case .semicolons:
                "has a file name with two semicolons, at which aiohttp ends it"
            case .encodedWord:
                "has a file name with \"=?\", which Spring and Poco decode"
            case .lastComponent:
                "has a file name whose last component is empty, . or .., and Django or PHP drop the part"
            case .mediaType:
                "is not type/subtype, with parameters of a name and a value"
            case .multipart:
                "has \"multipart/\" in it, and Commons FileUpload reads the part's parts as those of the form"
            case .message:
                "is a message/ type, and Python's email loses the part's content"
            case .urlEncoded:
                "is application/x-www-form-urlencoded, and WebOb and Python's cgi read all that follows as the part's text"
            case .charset:
                "has a charset other than UTF-8, and busboy reads nothing of one that it does not know"
            case .octetStreamWithoutFilename:
                "is application/octet-stream without a file name, and busboy takes the part for a file"
            case .transferEncoding:
                "is not 7bit, 8bit or binary, and some parsers decode the part"
            case .contentLength:
                "is not a number of at most 19 digits"
            case .dashBoundary:
                "has two hyphens and the boundary in it, where Django ends the part"
            case .nameElsewhere:
                "has \"name=\" at another place than before the name, where some parsers look for it"
            case .fieldElsewhere:
                "has the name of a Content- field at another place than its start, where CGI.pm and Rack look for it"
            }
        }
    }
}
