import MultipartFormCodec
import TestSupport
import Testing

@Suite struct MediaTypeTests {
    @Test(
        arguments: [
            ("a.txt", "text/plain"), ("a.PNG", "image/png"), ("a.tar.gz", "application/gzip"),
            ("photo.HeIc", "image/heic"),
            ("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            ("x.js", "text/javascript"),
            ("data.json", "application/json"), ("v.mp4", "video/mp4"), ("s.mp3", "audio/mpeg"),
            ("f.woff2", "font/woff2"),
            ("Makefile", nil), (".txt", nil),
            ("a.", nil),
            ("", nil), ("a.unknown", nil),
            ("e\u{301}.\u{E9}.pdf", "application/pdf"),
            ("mail.eml", nil), ("page.mhtml", nil), ("a.\u{212A}ey", nil), ("\u{1F600}.svg", "image/svg+xml"),
        ] as [(String, String?)]
    )
    func `a file is typed by what follows its last dot`(filename: String, type: String?) {
        #expect(MediaType.forFilename(filename) == type)
    }

    @Test func `the table is large, in lower case, and has valid types`() throws {
        #expect(MediaType.knownExtensions.count >= 300)
        for known in MediaType.knownExtensions {
            #expect(known.wholeMatch(of: /[0-9a-z]+/) != nil, "\(known)")
            let type = try #require(BodyPart.contentType(ofPathExtension: known))
            #expect(
                type.wholeMatch(of: /(?:application|audio|font|image|model|text|video)\/[0-9a-z.+-]+/) != nil
            )
            #expect(BodyPart.contentType(ofPathExtension: known.uppercased()) == type)
        }
    }
}
