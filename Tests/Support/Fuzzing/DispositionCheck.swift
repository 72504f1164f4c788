internal import Foundation
internal import MultipartFormCodec

/// Checks the grammar of Content-Disposition: the bytes are the field's value.
enum DispositionCheck {
    static func run(_ bytes: [UInt8]) throws {
        let value = String(decoding: bytes, as: UTF8.self)
        let disposition = try disposition(value)
        if !hasLineBreak(value) { try checkGrammar(value, disposition) }
        guard let disposition else { return }
        try checkFilename(disposition.filename, disposition.filename.flatMap(SafeFilename.make))
    }

    private static func hasLineBreak(_ value: String) -> Bool { value.utf8.contains { [0, 10, 13].contains($0) } }

    /// Compares strict mode with the naive grammar, in a part with nothing but the disposition.
    private static func checkGrammar(_ value: String, _ lenient: ContentDisposition?) throws {
        let line = "Content-Disposition:\(value)"
        let body = Data("--b\r\n\(line)\r\n\r\n\r\n--b--".utf8)
        let read = MultipartError.catching {
            try MultipartFormData(parsing: body, contentType: "multipart/form-data; boundary=b", options: .strict)
        }
        let isAccepted = lenient != nil && NaiveGrammar.accepts([Array(line.utf8)], dash: Array("--b".utf8))
        switch read {
        case .success(let form):
            let texts = { (name: String?, filename: String?) in [name, filename].map { $0.map { Array($0.utf8) } } }
            try require(
                isAccepted && texts(form[0].name, form[0].filename) == texts(lenient?.name, lenient?.filename),
                "strict mode accepts \(form[0])"
            )
        case .failure(let error):
            try require(!isAccepted, "strict mode refuses with \(error)")
            try require(lenient == nil || error.code == .ambiguousHeader, "strict mode refuses with \(error)")
        }
    }

    static func seeds() throws -> [[UInt8]] {
        try Fixtures.names(in: "conformance/parse").flatMap { name in
            let body = try Fixtures.data("conformance/parse/\(name).body")
            return body.split(separator: 10).compactMap { line -> [UInt8]? in
                guard line.count < 1000, let colon = line.firstIndex(of: 58),
                    String(decoding: line[..<colon], as: UTF8.self).lowercased() == "content-disposition"
                else { return nil }
                return Array(line[(colon + 1)...].filter { $0 != 13 })
            }
        }
    }

    /// Compares a safe file name with one computed character by character.
    static func checkFilename(_ filename: String?, _ safe: String?) throws {
        let expected = filename.flatMap(naiveSafeFilename)
        try require(
            safe.map { Array($0.utf8) } == expected.map { Array($0.utf8) },
            "the safe file name is \(String(describing: safe)), but naively \(String(describing: expected))"
        )
    }

    private static func naiveSafeFilename(_ filename: String) -> String? {
        var scalars = Array(filename.unicodeScalars)
        while let separator = scalars.firstIndex(where: { $0 == "/" || $0 == "\\" }) {
            scalars.removeFirst(separator + 1)
        }
        let dropped: [ClosedRange<UInt32>] = [
            0x00...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x2029, 0x202A...0x202E, 0x2066...0x2069,
        ]
        scalars.removeAll { scalar in dropped.contains { $0.contains(scalar.value) } }
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        var stem = Array(text)
        var pathExtension: [Character] = []
        if text.utf8.count > 255, let dot = stem.lastIndex(of: "."), dot > 0, String(stem[dot...]).utf8.count <= 32 {
            pathExtension = Array(stem[dot...])
            stem.removeLast(pathExtension.count)
        }
        let isCut = text.utf8.count > 255
        while isCut, !stem.isEmpty, String(stem).utf8.count + String(pathExtension).utf8.count > 255 {
            stem.removeLast()
        }
        if isCut, stem.isEmpty { return nil }
        let name = String(stem) + String(pathExtension)
        return ["", ".", ".."].contains(name) ? nil : name
    }

    private static func disposition(_ value: String) throws -> ContentDisposition? {
        let read = MultipartError.catching { try ContentDisposition(parsing: value) }
        let line = Array("Content-Disposition: \(value)".utf8)
        let expected = Result { () throws(NaiveParser.Failure) in
            guard !hasLineBreak(value) else { throw NaiveParser.Failure(code: "invalid-header-character") }
            return try NaiveHeaders([line]).part()
        }
        switch (read, expected) {
        case (.success(let disposition), .success(let part)):
            let names = [disposition.name, disposition.filename].map { $0.map { Array($0.utf8) } }
            try require(
                names == [part.name, part.filename].map { $0.map { Array($0.utf8) } },
                "\(disposition), but the naive parser gives \(part)"
            )
            return disposition
        case (.failure(let error), .failure(let failure)) where error.code.description == failure.code:
            return nil
        default:
            throw FuzzTarget.Failure("\(read), but the naive parser gives \(expected)")
        }
    }
}
