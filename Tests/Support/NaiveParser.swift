package import Foundation
package import MultipartFormCodec

/// A naive parser of the wire format: whole buffers, arrays and plain loops, neither fast nor limited.
///
/// It shares nothing with the parser under test, so that a mistake would have to be made twice.
package struct NaiveParser {
    package struct Failure: Error { package let code: String }

    private enum Line {
        case open(next: Int, lf: Bool), close(next: Int, lf: Bool), content, malformedClose
        case cut(isClosed: Bool, hasCR: Bool)
    }

    private let body: [UInt8]
    private let dash: [UInt8]
    private let isStrict: Bool

    package init(_ body: Data, boundary: String, mode: ParsingMode) {
        self.body = Array(body)
        self.dash = Array("--\(boundary)".utf8)
        self.isStrict = mode == .strict
    }

    package func parse() -> ParseCase.Outcome {
        do throws(Failure) {
            return ParseCase.Outcome(parts: try parts(), error: nil)
        } catch {
            return ParseCase.Outcome(parts: nil, error: error.code)
        }
    }

    private func occurs(_ word: [UInt8], at place: Int) -> Bool {
        body[place] == word[0] && body[place...].starts(with: word)
    }

    private func parts() throws(Failure) -> [CasePart] {
        if isStrict, !body.starts(with: dash), !dash.starts(with: body) { throw Failure(code: "preamble-not-allowed") }
        guard let first = body.indices.first(where: { occurs(dash, at: $0) }) else {
            throw Failure(code: "boundary-not-found")
        }
        guard first == 0 || body[first - 1] == 10 else { throw Failure(code: "malformed-delimiter") }
        let hasPreamble = body[..<first].contains { $0 != 13 && $0 != 10 }
        var position = 0
        var isLF = false
        switch line(after: first + dash.count) {
        case .open(let next, let lf): (position, isLF) = (next, lf)
        case .close(let next, let lf):
            if isStrict && lf { throw Failure(code: "bare-lf") }
            if hasPreamble { throw Failure(code: "boundary-not-found") }
            try checkEpilogue(from: next)
            return []
        case .content, .malformedClose: throw Failure(code: "malformed-delimiter")
        case .cut(let isClosed, let hasCR):
            guard isClosed, !(isStrict && hasCR) else { throw Failure(code: "unexpected-end") }
            if hasPreamble { throw Failure(code: "boundary-not-found") }
            return []
        }
        if isStrict && isLF { throw Failure(code: "bare-lf") }
        var result: [CasePart] = []
        while true {
            let (lines, start) = try headerLines(from: position, isLF: isLF)
            let part = try NaiveHeaders(lines).part(inGrammarOf: isStrict ? dash : nil)
            let (content, next) =
                isStrict ? try strictContent(of: part, from: start) : try content(from: start, isLF: isLF)
            let whole = CasePart(
                name: part.name,
                filename: part.filename,
                contentType: part.contentType,
                headers: part.headers,
                body: Data(content)
            )
            result.append(whole)
            guard let next else { return result }
            position = next
        }
    }

    private func checkEpilogue(from start: Int) throws(Failure) {
        guard isStrict, body[start...].contains(where: { $0 != 13 && $0 != 10 }) else { return }
        throw Failure(code: "epilogue-not-allowed")
    }

    /// Classifies the rest of a line after a dash-boundary.
    private func line(after start: Int) -> Line {
        let rest = body[start...]
        let isClosed = rest.starts(with: [45, 45])
        let text = rest.dropFirst(isClosed ? 2 : 0).drop { !isStrict && ($0 == 32 || $0 == 9) }
        let isLF = text.starts(with: [10])
        if isLF || text.starts(with: [13, 10]) {
            let next = text.startIndex + (isLF ? 1 : 2)
            return isClosed ? .close(next: next, lf: isLF) : .open(next: next, lf: isLF)
        }
        if text.isEmpty || Array(text) == [13] { return .cut(isClosed: isClosed, hasCR: !text.isEmpty) }
        if Array(rest) == [45] { return .cut(isClosed: false, hasCR: false) }
        return isClosed ? .malformedClose : .content
    }

    private func headerLines(from start: Int, isLF: Bool) throws(Failure) -> ([[UInt8]], Int) {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        var place = start
        while place < body.count {
            let byte = body[place]
            if byte == 0 { throw Failure(code: "invalid-header-character") }
            var isEnd = false
            if byte == 13 {
                guard place + 1 < body.count else { break }
                guard body[place + 1] == 10 else { throw Failure(code: "bare-cr") }
                if isLF { throw Failure(code: "bare-lf") }
                place += 1
                isEnd = true
            } else if byte == 10 {
                guard isLF else { throw Failure(code: "bare-lf") }
                isEnd = true
            }
            place += 1
            guard isEnd else {
                line.append(byte)
                continue
            }
            if line.isEmpty { return (lines, place) }
            lines.append(line)
            // Each complete line is checked before the next is read.
            _ = try NaiveHeaders(lines).fields()
            line = []
        }
        throw Failure(code: "unexpected-end")
    }

    /// A part's content in strict mode, and where the next part begins; nil after the last.
    ///
    /// The first dash-boundary ends the content: it follows a CRLF and is a delimiter, or is an error.
    private func strictContent(of part: CasePart, from start: Int) throws(Failure) -> ([UInt8], Int?) {
        guard let hyphens = body.indices[start...].first(where: { occurs(dash, at: $0) }) else {
            // What may be a delimiter that is cut off is no content yet.
            let cut = body.indices[start...].first { place in
                ([13, 10] + dash).starts(with: body[place...]) || dash.starts(with: body[place...])
            }
            try checkStart(of: Array(body[start..<(cut ?? body.count)]), part)
            throw Failure(code: "unexpected-end")
        }
        // Right at the start, the blank line's CRLF is not the delimiter's.
        let isLineStart = hyphens - start >= 2 && body[(hyphens - 2)...].starts(with: [13, 10])
        let content = Array(body[start..<max(start, isLineStart ? hyphens - 2 : hyphens)])
        try checkStart(of: content, part)
        guard isLineStart else { throw Failure(code: "malformed-delimiter") }
        switch line(after: hyphens + dash.count) {
        case .open(let next, let lf):
            if lf { throw Failure(code: "bare-lf") }
            try checkEnd(of: content, part)
            return (content, next)
        case .close(let next, let lf):
            if lf { throw Failure(code: "bare-lf") }
            try checkEnd(of: content, part)
            try checkEpilogue(from: next)
            return (content, nil)
        case .cut(let isClosed, let hasCR):
            guard isClosed, !hasCR else { throw Failure(code: "unexpected-end") }
            try checkEnd(of: content, part)
            return (content, nil)
        case .content, .malformedClose:
            throw Failure(code: "malformed-delimiter")
        }
    }

    /// Strict mode: checks that no byte of the content is one too many.
    private func checkStart(of content: [UInt8], _ part: CasePart) throws(Failure) {
        let isTooLong = lengths(part).contains { $0 < content.count }
        guard part.filename == "", !content.isEmpty else {
            guard !isTooLong else { throw Failure(code: "content-length-mismatch") }
            return
        }
        // The first byte has no file name, and may be too many itself.
        throw Failure(code: lengths(part).contains(0) ? "content-length-mismatch" : "missing-filename")
    }

    /// Strict mode: checks at the delimiter that no byte of the content is missing.
    private func checkEnd(of content: [UInt8], _ part: CasePart) throws(Failure) {
        guard lengths(part).allSatisfy({ $0 == content.count }) else { throw Failure(code: "content-length-mismatch") }
    }

    private func lengths(_ part: CasePart) -> [UInt64] {
        part.headers.filter { $0[0].lowercased() == "content-length" }
            .compactMap { NaiveHeaders.length(Array($0[1].utf8)) }
    }

    /// A part's content in lenient mode, and where the next part begins; nil after the last.
    private func content(from start: Int, isLF: Bool) throws(Failure) -> ([UInt8], Int?) {
        let newline: [UInt8] = isLF ? [10] : [13, 10]
        var place = start - newline.count
        while place < body.count {
            defer { place += 1 }
            guard occurs(newline + dash, at: place) else { continue }
            let content = place < start ? [] : Array(body[start..<place])
            let mixes = isLF && content.last == 13
            switch line(after: place + newline.count + dash.count) {
            case .open(let next, let lf):
                guard lf == isLF, !mixes else { throw Failure(code: "bare-lf") }
                return (content, next)
            case .close:
                guard !mixes else { throw Failure(code: "bare-lf") }
                return (content, nil)
            case .cut(let isClosed, _):
                guard isClosed else { throw Failure(code: "unexpected-end") }
                guard !mixes else { throw Failure(code: "bare-lf") }
                return (content, nil)
            case .malformedClose: throw Failure(code: "malformed-delimiter")
            case .content: continue
            }
        }
        throw Failure(code: "unexpected-end")
    }
}
