import Foundation
import TestSupport
import Testing

/// The figures of time and memory in the README and the articles. `.ci/documentation` checks the tables of speed.
@Suite struct SpeedFigureTests {
    private static func text(_ path: String) throws -> String {
        let root = Fixtures.directory.deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func `the README repeats figures of the tables that it links to`() throws {
        let readme = try Self.text("README.md").components(separatedBy: "\n## ")
        let section = try #require(readme.first { $0.hasPrefix("Why this one\n") })
        let pages = section.matches(of: /\]\((Tests[^)#]+)/).map { String($0.output.1) }
        #expect(pages == ["Tests/Interop/Speed/README.md", "Tests/Interop/Details.md"])
        let tables = try pages.map(Self.text).joined(separator: "\n")
        let figures = section.matches(of: /20[0-9-]{8}|[0-9]+,[0-9]{3}|[0-9]+ ns|[0-9]+ connections/)
        for figure in figures {
            let figure = figure.output.replacingOccurrences(of: " connections", with: " |")
            #expect(tables.states(figure), "\(figure)")
        }
        #expect(figures.count == 13)
    }

    /// Where figures are measured, with dates and conditions.
    private static let tables = ["Tests/Interop/Speed/README.md", "Tests/Interop/Details.md", "Tests/Deep/Hostile.md"]

    /// A size that a program sets or a server requires, not one that was measured: a power of two, in the article's
    /// code, or the least length of a piece in S3.
    private static func isSetting(_ figure: Substring, in article: String) -> Bool {
        guard let size = figure.wholeMatch(of: /([0-9]+) Mi?B/).flatMap({ Int($0.1) }) else { return false }
        return size.nonzeroBitCount == 1 || article.contains("\(size) << 20") || figure == "5 MiB"
    }

    /// The paragraphs of an article, with each item of a list apart, and each table after the paragraph before it.
    private static func paragraphs(of article: String) -> [String] {
        let text = article.replacing(/```[^`]*```/, with: "").replacing("\n- ", with: "\n\n- ")
        var paragraphs: [String] = []
        for block in text.components(separatedBy: "\n\n") {
            if block.hasPrefix("|"), let last = paragraphs.popLast() {
                paragraphs.append(last + "\n" + block)
            } else {
                paragraphs.append(block)
            }
        }
        return paragraphs
    }

    /// What looks like a measured time, size, ratio or share, in the order of its kinds.
    private static func figures(in text: String) -> [Substring] {
        let ratio = /×[0-9]+(?:[.,][0-9]+)*/
        let amount = /[0-9]+(?:[.,][0-9]+)* (?:ns|µs|ms|s|MiB\/s|MiB|MB|per cent)\b/
        let multiple = /[0-9]+(?:[.,][0-9]+)* times (?:as|the|its|longer|slower|faster)\b/
        let share = /[0-9]+ ?%(?![0-9A-F]{2})/
        return [ratio, amount, multiple, share].flatMap { text.matches(of: $0).map(\.output) }
    }

    /// The figures of a paragraph that has no date.
    private static func undated(in paragraph: String) -> [Substring] {
        let date = /20[0-9]{2}-[0-9]{2}-[0-9]{2}|[0-9]+ [A-Z][a-z]+ 20[0-9]{2}/
        return paragraph.contains(date) ? [] : figures(in: paragraph)
    }

    @Test func `a figure in an article has a date, or is in a table that has one`() throws {
        let tables = Set(try Self.tables.flatMap { try Self.figures(in: Self.text($0)).map(String.init) })
        let folder = "Sources/MultipartFormCodec/MultipartFormCodec.docc/"
        let root = Fixtures.directory.deletingLastPathComponent()
        let names = try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
        for name in names where name.hasSuffix(".md") {
            let article = try Self.text(folder + name)
            for figure in Self.paragraphs(of: article).flatMap(Self.undated) where !tables.contains(String(figure)) {
                #expect(Self.isSetting(figure, in: article), "\(name): \(figure)")
            }
        }
    }

    @Test func `a figure is a whole number of a text`() {
        let text = "from 145 ns to 3,599 ns, ×9.4"
        for figure in ["145 ns", "3,599", "3,599 ns", "9.4"] { #expect(text.states(figure), "\(figure)") }
        for figure in ["45 ns", "599 ns", "3,5", "3", "9", "4"] { #expect(!text.states(figure), "\(figure)") }
        #expect("45 to 145".states("45") && "145 to 45".states("45"))
    }

    @Test func `a figure without a date is found`() {
        let article = """
            It took 7 ms.

            It took 7.5 ms on 2026-11-23.

            - ×9.4
            - 40 MiB

            Today:

            | 6 times as long |
            """
        #expect(Self.paragraphs(of: article).flatMap(Self.undated) == ["7 ms", "×9.4", "40 MiB", "6 times as"])
        #expect(Self.isSetting("16 MiB", in: article) && !Self.isSetting("40 MiB", in: article))
        #expect(Self.undated(in: "Sent as `%22` 1000 times, within 10 seconds, at 90%.") == ["90%"])
    }
}
