import Foundation
import MultipartForm
import TestSupport
import Testing

/// Files left by uploads that ended early, and limits that some entries forgot.
extension Advisory {
    /// A field and two files.
    private static var upload: Data {
        message([
            (disposition(), "value"),
            (disposition("; filename=\"f\""), String(repeating: "x", count: 3000)),
            (disposition("; filename=\"g\""), String(repeating: "y", count: 3000)),
        ])
    }

    private static func collector(in directory: TemporaryDirectory) throws -> MultipartCollector {
        let options = MultipartCollector.Options(diskThreshold: 100, directory: directory.url)
        return MultipartCollector(boundary: usualBoundary, options: options)
    }

    static let receiving: [Advisory] = [
        Advisory(
            id: "CVE-2026-77037",
            project: "multer",
            fault: "an upload that was aborted left the descriptor of its file open, and the file's blocks in use",
            answer: "a collector that fails or is dropped closes its file and removes it"
        ) {
            let directory = try TemporaryDirectory()
            for length in stride(from: 0, to: upload.count - 10, by: 499) {
                do {
                    var dropped = try collector(in: directory)
                    try dropped.append(upload.prefix(length))
                }
                #expect(throws: MultipartError.self) {
                    var finished = try collector(in: directory)
                    try finished.append(upload.prefix(length))
                    _ = try finished.finish()
                }
                #expect(directory.contents.isEmpty)
                #expect(directory.openFileCount == 0)
            }
        },
        Advisory(
            id: "CVE-2026-22740",
            project: "Spring WebFlux",
            fault: "temporary files of parts could stay when the request was over",
            answer: "a temporary file is removed with the last part that refers to it"
        ) {
            let directory = try TemporaryDirectory()
            var parts: [BodyPart] = []
            do {
                var collector = try collector(in: directory)
                try collector.append(upload)
                parts.append(try #require(try collector.finish().last))
            }
            #expect(directory.contents.count == 1)
            #expect(try parts.first?.data().count == 3000)
            parts.removeAll()
            #expect(directory.contents.isEmpty)
        },
        Advisory(
            id: "CVE-2026-54283",
            project: "Starlette",
            fault: "limits given for a form held for one kind of form and were ignored for another",
            answer: "one parser is under every entry, and its limits hold in each"
        ) {
            let boundary = usualBoundary
            let limits = MultipartParser.Options(maxParts: 2)
            try expect(upload, .error(.limitParts, afterParts: 2), options: limits)
            let expected = ParsedMessage([upload], boundary: boundary, options: limits).error
            let borrowed = ParsedMessage(borrowing: [upload], boundary: boundary, options: limits)
            #expect(borrowed.error == expected)
            let error = try #require(expected)
            #expect(throws: error) {
                try MultipartFormData(parsing: upload, contentType: boundary.contentType, options: limits)
            }
            #expect(throws: error) {
                try MultipartFormData(
                    pushing: [upload],
                    contentType: boundary.contentType,
                    options: MultipartCollector.Options(parser: limits)
                )
            }
        },
    ]
}
