import MultipartFormCodec
import Testing

@Suite struct NumberGrammarTests {
    private func exactDecimal(_ text: String) -> String? {
        NumberGrammar.exactDecimal(ContiguousArray(text.utf8).span)
    }

    // Foundation's own answer to what a `Decimal` cannot hold differs between systems.
    @Test func `the power of ten of a decimal number is one that a Decimal has`() {
        #expect(exactDecimal("1e-128") == "1e-128")
        #expect(exactDecimal("-10e-129") == "-1e-128")
        for text in ["1e-129", "-1e-129", "0.1e-128", "12345e-129"] { #expect(exactDecimal(text) == nil, "\(text)") }
        #expect(exactDecimal("1e127") == "1e127")
        #expect(exactDecimal("1e128") == "10e127")
        #expect(exactDecimal("1e165") == "1\(String(repeating: "0", count: 38))e127")
        #expect(exactDecimal("1e166") == nil)
    }

    @Test func `a decimal number has digits, and digits after its exponent's mark`() {
        for text in ["", "+", ".", "-.", "e1", ".e1", "0e", "0e+", "0E-", "1e", "0e1.", "0x", "0 "] {
            #expect(exactDecimal(text) == nil, "\(text)")
        }
        for text in ["0", "+0", "0.", ".0", "-0e1", "0E+1", "0e-1"] { #expect(exactDecimal(text) == "0", "\(text)") }
    }
}
