import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// What is sent of a part: a table of what it was received or made as, by what is done to it, compared byte for byte.
@Suite struct ForwardedPartTests {
    /// A header section, and what it says. In all texts of a row, `¿` is a byte that is not UTF-8.
    struct Received: Sendable {
        /// Its lines. All but those of a Content-Length are sent as they came, unless `sent` differs.
        let lines: [String]
        /// The lines that are sent in place of `lines`.
        var sent: [String]?
        /// The name, the file name and the type that are read from it.
        var texts: [String?] = ["a", nil, nil]
        /// The type that a file without a type gets once its section is written again.
        var typeOfName: String?
        /// What is sent in place of the name and the file name once the section is written again, if they are escaped.
        var escaped: [String?]?
        /// The fields beside Content-Disposition, Content-Type and Content-Length.
        var others: [String] = []
        /// The error of sending it as it came, of its disposition written again, and of each other line.
        var errors: [MultipartError.Code?] = [nil, nil, nil]
        /// Whether its lines end in LF.
        var endsInLF = false
        /// Whether the part is made of `texts` and `others`, instead of received.
        var isMade = false

        var sentLines: [String] { sent ?? lines }
        var linesWithoutLength: [String] { sentLines.filter { !$0.lowercased().hasPrefix("content-length:") } }
        var hasTwoTypes: Bool { lines.count { $0.lowercased().hasPrefix("content-type:") } > 1 }

        /// The lines of a section that is written again.
        func written(
            name: String? = nil,
            filename: String? = nil,
            type: String?,
            _ others: [String] = []
        ) -> [String] {
            let name = name ?? escaped?[0] ?? texts[0] ?? ""
            let filename = (filename ?? escaped?[1] ?? texts[1]).map { "; filename=\"\($0)\"" } ?? ""
            let disposition = "Content-Disposition: form-data; name=\"\(name)\"\(filename)"
            return [disposition] + (type.map { ["Content-Type: \($0)"] } ?? []) + others
        }
    }

    static let rows: [Received] = [
        Received(lines: [#"Content-Disposition: form-data; name="a""#]),
        Received(
            lines: [#"Content-Disposition: form-data; name="a"; filename="b.png""#, "Content-Type: image/png"],
            texts: ["a", "b.png", "image/png"],
            typeOfName: "image/png"
        ),
        Received(
            lines: [#"Content-Disposition: form-data; name="a"; filename="b.txt""#],
            texts: ["a", "b.txt", nil],
            typeOfName: "text/plain"
        ),
        Received(
            lines: [#"Content-Disposition: form-data; name="a"; filename="""#, "Content-Type: a/b"],
            texts: ["a", "", "a/b"]
        ),
        // Escaped as browsers do, with a backslash, or not at all.
        Received(
            lines: [#"Content-Disposition: form-data; name="a%22b"; filename="c%0D%0A%22""#, "Content-Type: a/b"],
            texts: ["a%22b", "c%0D%0A%22", "a/b"]
        ),
        Received(
            lines: [#"Content-Disposition: form-data; name="a\"\\b"; filename="c\"d\e""#, "Content-Type: a/b"],
            texts: [#"a"\b"#, #"c"d\e"#, "a/b"],
            escaped: [#"a%22\b"#, #"c%22d\e"#]
        ),
        Received(
            lines: ["X-Note:\t1 ", "content-disposition: FORM-DATA ; filename = b c;NAME= a ", "content-type:a/b"],
            texts: ["a", "b c", "a/b"],
            others: ["X-Note: 1"]
        ),
        Received(
            lines: [#"Content-Disposition: form-data; name="a"; filename="b"; filename*=utf-8''%C3%A9.txt"#],
            texts: ["a", "\u{E9}.txt", nil],
            typeOfName: "text/plain",
            errors: [nil, .lossyDisposition, nil]
        ),
        Received(
            lines: ["Content-Disposition: attachment; name=a; size=7", "Content-Type: text/plain; charset=iso-8859-1"],
            texts: ["a", nil, "text/plain; charset=iso-8859-1"],
            errors: [nil, .lossyDisposition, nil]
        ),
        Received(
            lines: ["Content-Disposition: form-data;", "\tname=\"a\"", "X-Note: 1", " 2", "content-length: 7"],
            sent: ["Content-Disposition: form-data; name=\"a\"", "X-Note: 1 2", "content-length: 7"],
            others: ["X-Note: 1 2"]
        ),
        Received(
            lines: ["Content-Disposition: form-data; name=\"a\"; filename=\"b.gif\"", "X-Note: 1"],
            texts: ["a", "b.gif", nil],
            typeOfName: "image/gif",
            others: ["X-Note: 1"],
            endsInLF: true
        ),
        Received(
            lines: [
                "Content-Length: 7", "Content-Transfer-Encoding: 8bit", #"Content-Disposition: form-data; name="a""#,
                "CONTENT-LENGTH: 8", "Content-Transfer-Encoding: BINARY",
            ],
            others: ["Content-Transfer-Encoding: 8bit", "Content-Transfer-Encoding: BINARY"]
        ),
        Received(
            lines: ["Content-Transfer-Encoding: base64", "Content-Disposition: form-data; name=a"],
            errors: [.forbiddenHeader, nil, .forbiddenHeader]
        ),
        Received(
            lines: [#"Content-Disposition: form-data; name="a""#, "Content-Type: text"],
            texts: ["a", nil, "text"]
        ),
        Received(
            lines: [#"Content-Disposition: form-data; name="a""#, "Content-Type:", "X-Note:"],
            texts: ["a", nil, ""],
            others: ["X-Note: "]
        ),
        Received(
            lines: ["Content-Type: a/b", #"Content-Disposition: form-data; name="a""#, "content-type: c/d"],
            texts: ["a", nil, "c/d"]
        ),
        Received(
            lines: [#"Content-Disposition: form-data; name="a¿"; filename="¿.csv""#],
            texts: ["a\u{FFFD}", "\u{FFFD}.csv", nil],
            typeOfName: "text/csv",
            errors: [nil, .lossyDisposition, nil]
        ),
        Received(
            lines: [#"Content-Disposition: form-data; name="a""#, "X-Note: \u{E9}¿"],
            errors: [nil, nil, .invalidHeaderValue]
        ),
        Received(
            lines: ["Content-Disposition: form-data; name=\"a\u{1}\""],
            texts: ["a\u{1}", nil, nil],
            errors: [.invalidCharacter, .invalidCharacter, nil]
        ),
        Received(
            lines: ["Content-Disposition: form-data; name=a; name*=utf-8''b", "X-Note: 1"],
            others: ["X-Note: 1"],
            errors: [.lossyDisposition, .lossyDisposition, nil]
        ),
        Received(
            lines: [
                "X-Note: 1", "Content-Disposition: form-data; name=\"\u{E9}\"; filename=\"\u{65E5}.txt\"", "-: 2",
                "Content-Type: a/b", "x-note: 3",
            ],
            texts: ["\u{E9}", "\u{65E5}.txt", "a/b"],
            typeOfName: "text/plain",
            others: ["X-Note: 1", "-: 2", "x-note: 3"]
        ),
        Received(
            lines: ["X-Note: 1"],
            texts: [nil, nil, nil],
            others: ["X-Note: 1"],
            errors: [.missingName, .missingName, nil]
        ),
        Received(
            lines: [
                #"Content-Disposition: form-data; name="a%22b\"; filename="c%0A%0D%22\\""#,
                "Content-Type: application/octet-stream", "X-Note: 1",
            ],
            texts: [#"a"b\"#, "c\n\r\"\\\\", "application/octet-stream"],
            escaped: [#"a%22b\"#, #"c%0A%0D%22\\"#],
            others: ["X-Note: 1"],
            isMade: true
        ),
        Received(
            lines: [#"Content-Disposition: form-data; name="a%0D%0Ab%22; filename=%22c""#],
            texts: ["a\nb\"; filename=\"c", nil, nil],
            escaped: ["a%0D%0Ab%22; filename=%22c", nil],
            isMade: true
        ),
    ]

    /// What is done to a part.
    enum Change: CaseIterable {
        case nothing, appendingAgain, renaming, renamingToItsName
        case removingLength, addingField, changingType, removingType, changingDisposition, replacingContent
        case saving
    }

    /// The part after a change, and what is sent of it: lines, or an error.
    private func apply(
        _ change: Change,
        to part: BodyPart,
        _ row: Received,
        in directory: TemporaryDirectory
    ) throws -> (part: BodyPart, lines: [String], error: MultipartError.Code?) {
        let (name, filename, type) = (row.texts[0], row.texts[1], row.texts[2])
        let writtenType = type ?? row.typeOfName
        var headers = part.headers
        headers["Content-Length"] = nil
        // A program cannot give a type that is not one, but may keep one that was received, unless it is empty.
        let ofType: MultipartError.Code? = type.map { $0.contains("/") } == false ? .invalidHeaderValue : nil
        let ofKeptType: MultipartError.Code? =
            row.hasTwoTypes ? .forbiddenHeader : type == "" ? .invalidHeaderValue : nil
        switch change {
        case .nothing:
            return (part, row.sentLines, row.errors[0])
        case .renamingToItsName:
            guard let name else { return (part.formPart(named: ""), row.written(type: writtenType, row.others), nil) }
            return (part.formPart(named: name), row.sentLines, row.errors[0])
        case .appendingAgain:
            let form = MultipartFormData([BodyPart("x", name: "first"), part], boundary: "other")
            return (MultipartFormData(form.dropFirst())[0], row.sentLines, row.errors[0])
        case .renaming:
            let lines = row.written(name: "n%22 %0D%0A", type: writtenType, row.others)
            return (part.formPart(named: "n\" \n"), lines, ofType ?? row.errors[2])
        case .removingLength:
            let code = row.hasTwoTypes ? .forbiddenHeader : row.errors[0]
            return (BodyPart(part, headers: headers), row.linesWithoutLength, code)
        case .removingType where type == nil:
            headers["Content-Type"] = nil
            return (BodyPart(part, headers: headers), row.linesWithoutLength, row.errors[0])
        case .addingField:
            headers.append(HeaderField(name: "X-New", value: "1"))
            let lines = row.written(type: writtenType, row.others + ["X-New: 1"])
            return (BodyPart(part, headers: headers), lines, row.errors[1] ?? ofKeptType ?? row.errors[2])
        case .changingType:
            headers["Content-Type"] = "new/type"
            let lines = row.written(type: "new/type", row.others)
            return (BodyPart(part, headers: headers), lines, row.errors[1] ?? row.errors[2])
        case .removingType:
            headers["Content-Type"] = nil
            let type = filename.map { _ in row.typeOfName ?? "application/octet-stream" }
            let lines = row.written(type: type, row.others)
            return (BodyPart(part, headers: headers), lines, row.errors[1] ?? row.errors[2])
        case .changingDisposition:
            headers["Content-Disposition"] = #"form-data; name="new"; filename="new.pdf""#
            let lines = row.written(name: "new", filename: "new.pdf", type: type ?? "application/pdf", row.others)
            return (BodyPart(part, headers: headers), lines, ofKeptType ?? row.errors[2])
        case .replacingContent:
            let code = row.hasTwoTypes ? .forbiddenHeader : row.errors[1] ?? row.errors[0]
            let other = BodyPart(Data("new".utf8), name: "new")
            return (BodyPart(other, headers: headers), row.linesWithoutLength, code)
        case .saving:
            let url = directory.url.appendingPathComponent("saved")
            try part.save(to: url)
            let new =
                try filename == nil
                ? BodyPart(fieldContentsOf: url, name: name ?? "", contentType: type)
                : BodyPart(contentsOf: url, name: name ?? "", filename: filename, contentType: type)
            let ofName: MultipartError.Code? = row.errors[0] == .invalidCharacter ? .invalidCharacter : nil
            return (new, row.written(type: writtenType), ofName ?? ofType)
        }
    }

    /// The bytes of a row's text.
    private func bytes(_ text: String) -> Data {
        let pieces = text.split(separator: "¿", omittingEmptySubsequences: false).map { Data($0.utf8) }
        return Data(pieces.joined(separator: [0xFF]))
    }

    /// The received part, in memory or in a file.
    private func receive(_ row: Received, _ content: String, onDisk: Bool, _ directory: TemporaryDirectory) throws
        -> BodyPart
    {
        if row.isMade {
            var fields = HeaderFields()
            for _ in row.others { fields.append(HeaderField(name: "X-Note", value: "1")) }
            let (name, filename) = (row.texts[0] ?? "", row.texts[1])
            return BodyPart(Data(content.utf8), name: name, filename: filename, additionalHeaders: fields)
        }
        let lines = ["--B"] + row.lines + ["", content, "--B--", ""]
        let message = bytes(lines.joined(separator: row.endsInLF ? "\n" : "\r\n"))
        let options = MultipartCollector.Options(temporaryDirectory: directory.url)
        let form = try MultipartFormData(
            pushing: [message],
            contentType: "multipart/form-data; boundary=B",
            options: options
        ) { _ in onDisk ? .disk(upTo: 5000) : .accept }
        #expect((form[0].fileURL != nil) == onDisk)
        return form[0]
    }

    @Test(arguments: rows.indices, Change.allCases)
    func `what is sent of a part is what came, but for what was changed`(row: Int, change: Change) async throws {
        let row = Self.rows[row]
        for (length, onDisk) in [(0, false), (512, false), (513, false), (700, true)] {
            let directory = try TemporaryDirectory()
            var content = String(repeating: "x", count: length)
            let received = try receive(row, content, onDisk: onDisk, directory)
            #expect([received.name, received.filename, received.contentType] == row.texts)
            let (part, lines, code) = try apply(change, to: received, row, in: directory)
            if change == .replacingContent { content = "new" }
            // A received part is not checked until it is appended; what is made of it is.
            let isMadeOfIt = ![.nothing, .appendingAgain, .renamingToItsName].contains(change)
            if change != .appendingAgain { #expect(part.error?.code == (isMadeOfIt ? code : nil), "\(row.lines)") }
            if ![.renaming, .changingDisposition, .replacingContent].contains(change), code == nil, row.texts[0] != nil
            {
                #expect([part.name, part.filename] == Array(row.texts.prefix(2)), "\(row.lines)")
            }
            // Appended to a form, and to a form again.
            var form = MultipartFormData([BodyPart("1", name: "first"), part], boundary: "B")
            form = MultipartFormData(form, boundary: "B")
            if let code {
                #expect(form.firstError == MultipartError(code, partIndex: 1), "\(row.lines)")
                #expect(form.firstError?.partName == part.name)
                #expect(throws: MultipartError(code, partIndex: 1)) { try form.encode() }
                #expect(form[1].headers == part.headers && (!part.headers.isEmpty || code == .invalidCharacter))
                continue
            }
            let first = #"Content-Disposition: form-data; name="first""#
            let sent = ["--B", first, "", "1", "--B"] + lines + ["", content, "--B--", ""]
            #expect(try form.encode() == bytes(sent.joined(separator: "\r\n")), "\(row.lines), \(length)")
            #expect(form.encodedLength == UInt64(bytes(sent.joined(separator: "\r\n")).count))
            guard change == .appendingAgain, length == 512 else { continue }
            for (name, encoded) in try await EncodingEntryPoints.all(form) {
                #expect(encoded == bytes(sent.joined(separator: "\r\n")), "\(name), \(row.lines), \(length)")
            }
        }
    }
}
