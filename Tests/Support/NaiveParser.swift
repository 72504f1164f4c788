package import Foundation
package import MultipartForm

/// A naive parser of the wire format: whole buffers, arrays and plain loops, neither fast nor limited.
///
/// It shares nothing with the parser under test, so that a mistake would have to be made twice.
package struct NaiveParser {
    package struct Failure: Error { package let code: String }

    private enum Line {
        case open(next: Int, lf: Bool), close(next: Int, lf: Bool), content, cut(isClosed: Bool, hasCR: Bool)
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
        body[place...].starts(with: word)
    }

    private func parts() throws(Failure) -> [CasePart] {
        if isStrict, !body.starts(with: dash), !dash.starts(with: body) { throw Failure(code: "preamble-not-allowed") }
        guard let first = body.indices.first(where: { occurs(dash, at: $0) }) else {
            throw Failure(code: "boundary-not-found")
        }
        guard first == 0 || body[first - 1] == 10 else { throw Failure(code: "malformed-delimiter") }
        var position = 0
        var isLF = false
        switch line(after: first + dash.count) {
        case .open(let next, let lf): (position, isLF) = (next, lf)
        case .close(let next, let lf):
            try end(at: next, lf: lf)
            return []
        case .content: throw Failure(code: "malformed-delimiter")
        case .cut(let isClosed, let hasCR):
            guard isClosed, !(isStrict && hasCR) else { throw Failure(code: "unexpected-end") }
            return []
        }
        if isStrict && isLF { throw Failure(code: "bare-lf") }
        var result: [CasePart] = []
        while true {
            let (lines, start) = try headerLines(from: position, isLF: isLF)
            let part = try NaiveHeaders(lines, isStrict: isStrict).part()
            let (content, next) = try content(from: start, isLF: isLF)
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

    /// Checks the line break after the close delimiter, and the epilogue at `next`.
    private func end(at next: Int, lf: Bool) throws(Failure) {
        guard isStrict else { return }
        if lf { throw Failure(code: "bare-lf") }
        if body[next...].contains(where: { $0 != 13 && $0 != 10 }) { throw Failure(code: "epilogue-not-allowed") }
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
        return .content
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
            _ = try NaiveHeaders(lines, isStrict: isStrict).fields()
            line = []
        }
        throw Failure(code: "unexpected-end")
    }

    /// A part's content, and where the next part begins; nil after the last.
    private func content(from start: Int, isLF: Bool) throws(Failure) -> ([UInt8], Int?) {
        let newline: [UInt8] = isLF ? [10] : [13, 10]
        var place = start - newline.count
        while place < body.count {
            defer { place += 1 }
            if isStrict, place >= start, occurs([13] + dash, at: place) || occurs([10] + dash, at: place),
                place == start || body[place - 1] != 13 || body[place] != 10
            {
                throw Failure(code: "malformed-delimiter")
            }
            guard occurs(newline + dash, at: place) else { continue }
            let content = place < start ? [] : Array(body[start..<place])
            let mixes = isLF && content.last == 13
            switch line(after: place + newline.count + dash.count) {
            case .open(let next, let lf):
                guard lf == isLF, !mixes else { throw Failure(code: "bare-lf") }
                return (content, next)
            case .close(let next, let lf):
                guard !mixes else { throw Failure(code: "bare-lf") }
                try end(at: next, lf: lf)
                return (content, nil)
            case .cut(let isClosed, let hasCR):
                guard isClosed, !(isStrict && hasCR) else { throw Failure(code: "unexpected-end") }
                guard !mixes else { throw Failure(code: "bare-lf") }
                return (content, nil)
            case .content:
                if isStrict { throw Failure(code: "malformed-delimiter") }
            }
        }
        throw Failure(code: "unexpected-end")
    }
}
