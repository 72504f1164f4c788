import Foundation
import MultipartFormCodec

nonisolated struct Chart: Codable, Sendable {
    var png: Data
}

// Isolated, the conformance would not hold on another thread, and the coders would take the type's own keys. So the
// compiler refuses it: `Tests/Programs/Isolation/run` removes `nonisolated`.
nonisolated extension Chart: FormPartEncodable, FormPartDecodable {
    func formPart(named name: String) -> BodyPart {
        BodyPart(png, name: name, filename: "chart.png", contentType: "image/png")
    }

    init(formPart: BodyPart) throws { png = try formPart.data() }
}

nonisolated struct Report: Codable, Sendable {
    var title: String
    var chart: Chart
}

@concurrent
func encoded(_ report: Report) async throws -> MultipartFormData {
    try FormDataEncoder().encode(report)
}

@concurrent
func decoded(_ form: MultipartFormData) async throws -> Report {
    try FormDataDecoder().decode(Report.self, from: form)
}

struct WrongResult: Error {}

@main
struct Program {
    static func main() async throws {
        let report = Report(title: "t", chart: Chart(png: Data("png".utf8)))
        let forms = [try FormDataEncoder().encode(report), try await encoded(report)]
        for form in forms {
            guard form["chart"]?.filename == "chart.png" else { throw WrongResult() }
            let charts = [try FormDataDecoder().decode(Report.self, from: form), try await decoded(form)].map(\.chart)
            guard charts.allSatisfy({ $0.png == report.chart.png }) else { throw WrongResult() }
        }
        print("on the main actor and off it, chart.png is sent and read")
    }
}
