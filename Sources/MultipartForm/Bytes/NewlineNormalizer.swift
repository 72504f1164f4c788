/// Replaces each lone CR and lone LF by CR LF, as browsers do with text (HTML §4.10.22.4).
enum NewlineNormalizer {
    /// The normal form of a text, at most twice as long.
    static func normalized(_ text: some Sequence<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var previous: UInt8 = 0
        for byte in text {
            switch byte {
            case ASCII.lineFeed where previous == ASCII.carriageReturn:
                break
            case ASCII.lineFeed, ASCII.carriageReturn:
                output.append(ASCII.carriageReturn)
                output.append(ASCII.lineFeed)
            default:
                output.append(byte)
            }
            previous = byte
        }
        return output
    }
}
