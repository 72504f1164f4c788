import Foundation
import MultipartFormCodec
import TestSupport

/// Measures forms that cost a type which tries one shape after another as much as they can: long keys and texts below
/// fourteen indices, each of which may be an index or a key.
enum GuessingMeasurement {
    /// The most processor seconds for a form of 1 MB, whatever it is.
    private static let timeBar = 1.0
    /// The most that twice the bytes may take, as a ratio.
    private static let growthBar = 2.3
    /// A ratio of shorter times than this is noise: half of the form may fit into the processor's cache.
    private static let shortestTime = 0.1
    /// How often a form above a bar is measured again.
    private static let attempts = 8
    private static let bytes = 1_000_000

    /// A list, a map or a number.
    private indirect enum Tree: Decodable {
        case list([Tree]), map([String: Tree]), number(Int)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let list = try? value.decode([Tree].self) {
                self = .list(list)
            } else if let map = try? value.decode([String: Tree].self) {
                self = .map(map)
            } else {
                self = .number(try value.decode(Int.self))
            }
        }
    }

    /// A list, a map or JSON.
    private indirect enum TreeOfJSON: Decodable {
        case list([TreeOfJSON]), map([String: TreeOfJSON]), json(FormJSON<[String: Int]>)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let list = try? value.decode([TreeOfJSON].self) {
                self = .list(list)
            } else if let map = try? value.decode([String: TreeOfJSON].self) {
                self = .map(map)
            } else {
                self = .json(try value.decode(FormJSON<[String: Int]>.self))
            }
        }
    }

    /// A struct of any keys, each of which is tried as a struct and as a list of structs.
    private struct Keys: Decodable {
        init(from decoder: any Decoder) throws {
            guard let keys = try? decoder.container(keyedBy: NodeView.Key.self) else {
                _ = try decoder.singleValueContainer().decode(Int.self)
                return
            }
            for key in keys.allKeys where (try? keys.decode(Keys.self, forKey: key)) == nil {
                _ = try keys.decode([Keys].self, forKey: key)
            }
        }
    }

    private static let types: [any (Decodable & Sendable).Type] = [
        [String: GuessedValue].self, [String: Tree].self, [String: TreeOfJSON].self, Keys.self,
    ]

    /// A form of so many bytes.
    private struct Shape: Sendable {
        let name: String
        let parts: @Sendable (Int) -> [(name: String, value: String)]

        init(_ name: String, _ parts: @escaping @Sendable (Int) -> [(name: String, value: String)]) {
            (self.name, self.parts) = (name, parts)
        }

        /// Keys of so many bytes, below so many indices.
        static func keys(_ name: String, of unit: String, length: Int, tail: [String] = []) -> Shape {
            Shape(name) { bytes in
                let key = String(repeating: unit, count: length / unit.utf8.count)
                // As many as the limits' defaults allow, or for half of the bytes half as many.
                let count = min(bytes / (length + 60), bytes / 1000) - tail.count
                let keys = (0..<count).map { "\(key)\(100_000 + $0)" }
                return (keys + tail).map { ("\(path)[\($0)]", "x") }
            }
        }
    }

    private static let path = "a" + String(repeating: "[0]", count: 14)
    private static let equalKeys = ["\u{E9}", "e\u{301}"]
    private static let marks = "a\u{345}\u{315}\u{301}\u{327}\u{334}"

    private static let shapes: [Shape] = [
        .keys("keys, the last two equal by Unicode", of: "ж", length: 900, tail: equalKeys),
        .keys("keys of decomposed letters, two equal", of: "e\u{301}", length: 900, tail: equalKeys),
        .keys("keys of letters with marks", of: marks, length: 900),
        .keys("keys of control characters", of: "\u{85}", length: 1900),
        .keys("keys of words, for snake case", of: "_a", length: 1900),
        .keys("keys of digits", of: "9", length: 1900),
        .keys("short keys", of: "k", length: 1, tail: equalKeys),
        Shape("one text") { [(path, String(repeating: "9", count: $0))] },
        // An array: the time to fill a dictionary would be that of the standard library, which grows faster.
        Shape("one text of JSON") { [(path, "[" + String(repeating: "12345,", count: $0 / 6) + "1]")] },
        Shape("a first key of many bytes, then indices") { bytes in
            let key = String(repeating: "é", count: 950)
            return (0..<max(1, bytes / 2000)).map { ("\(key)\($0)" + path.dropFirst(), "x") }
        },
    ]

    /// Measures each shape at 1 MB and at half of it.
    static func run() throws {
        print("| form | ms for 500 KB | 1 MB | growth |")
        print("| --- | ---: | ---: | ---: |")
        for shape in shapes {
            let forms = [bytes / 2, bytes].map { size in
                var form = MultipartFormData()
                for part in shape.parts(size) { form.append(part.value, withName: part.name) }
                return form
            }
            for (index, type) in types.enumerated() {
                var times = forms.map { time($0, type) }
                // Other programs slow a run down.
                for _ in 0..<attempts where isAbove(times) { times = zip(times, forms).map { min($0, time($1, type)) } }
                let growth = times[1] / times[0]
                let row = "\(shape.name), type \(index + 1)"
                print("| \(row) | \(rounded(times[0] * 1000)) | \(rounded(times[1] * 1000)) | ×\(rounded(growth)) |")
                guard !isAbove(times) else { Hostile.fail("\(row): more than \(timeBar) s or ×\(growthBar)") }
            }
        }
    }

    private static func isAbove(_ times: [Double]) -> Bool {
        times[1] > timeBar || (times[1] > shortestTime && times[1] > growthBar * times[0])
    }

    /// The processor time of decoding a form, the best of three.
    private static func time(_ form: MultipartFormData, _ type: any (Decodable & Sendable).Type) -> Double {
        var decoder = FormDataDecoder()
        decoder.keyEncoding = .convertToSnakeCase
        return (0..<3).map { _ in
            let start = clock()
            _ = try? decoder.decode(type, from: form)
            return Double(clock() - start) / Double(CLOCKS_PER_SEC)
        }.min() ?? 0
    }

    private static func rounded(_ number: Double) -> String { String(format: "%.1f", number) }
}
