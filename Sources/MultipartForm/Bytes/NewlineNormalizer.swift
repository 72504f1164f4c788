/// Makes each lone CR and lone LF a CR LF, as browsers send text (HTML §4.10.22.4).
///
/// - Input: a text in pieces.
/// - Output: its normal form; it does not depend on where the pieces were cut.
/// - Invariant: what has been written ends in CR LF if the last byte taken was a line break.
/// - Cost: linear; the output is at most twice as long as the input.
package struct NewlineNormalizer: Sendable {
    private var endsInCarriageReturn = false

    /// Creates a normalizer at the start of a text.
    package init() {}

    /// Appends a piece's normal form to a buffer.
    package mutating func normalize(_ piece: some Sequence<UInt8>, into output: inout [UInt8]) {
        for byte in piece {
            switch byte {
            case ASCII.lineFeed where endsInCarriageReturn:
                break
            case ASCII.lineFeed, ASCII.carriageReturn:
                output.append(ASCII.carriageReturn)
                output.append(ASCII.lineFeed)
            default:
                output.append(byte)
            }
            endsInCarriageReturn = byte == ASCII.carriageReturn
        }
    }

    /// A whole text's normal form.
    package static func normalized(_ text: some Sequence<UInt8>) -> [UInt8] {
        var normalizer = NewlineNormalizer()
        var output: [UInt8] = []
        normalizer.normalize(text, into: &output)
        return output
    }
}
