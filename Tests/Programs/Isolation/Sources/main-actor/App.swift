import Foundation
import MultipartFormCodec
import Observation

struct Profile: Codable, Equatable {
    var name: String
    var age: Int?
    var tags: [String]
}

struct Metadata: Codable, Equatable {
    var title: String
}

struct Upload: Codable {
    var metadata: FormJSON<Metadata>
    var file: FormFile
}

enum Board: String, Codable, LosslessStringConvertible {
    case none, half

    init?(_ description: String) { self.init(rawValue: description) }
    var description: String { rawValue }
}

// The coders use part types on any thread.
nonisolated struct Chart: Codable {
    var png: Data
}

nonisolated extension Chart: FormPartEncodable, FormPartDecodable {
    func formPart(named name: String) -> BodyPart {
        BodyPart(png, name: name, filename: "chart.png", contentType: "image/png")
    }

    init(formPart: BodyPart) throws { png = try formPart.data() }
}

nonisolated struct Scan {
    var jpeg: Data
}

nonisolated extension Scan: FormPartEncodable, FormPartDecodable, FormPartOnly {
    func formPart(named name: String) -> BodyPart {
        BodyPart(jpeg, name: name, filename: "scan.jpg", contentType: "image/jpeg")
    }

    init(formPart: BodyPart) throws { jpeg = try formPart.data() }
}

struct Report: Codable {
    var title: String
    var chart: Chart
    var scan: Scan
}

/// What a view shows of an upload.
@Observable
final class Uploader {
    var fraction = 0.0
    var status = "idle"
    private var task: Task<Void, Never>?

    func start(_ file: URL, into folder: URL) {
        task = Task {
            do {
                var form = MultipartFormData()
                form.append("Ada", withName: "name")
                form.append(Board.half, withName: "board")
                form.append(file, withName: "file")
                let progress = EncodingProgress { report in
                    Task { @MainActor in self.fraction = report.fractionCompleted ?? 0 }
                }
                let length = try await form.withEncodedForm(inMemoryUpTo: 0, progress: progress) { encoded in
                    switch encoded {
                    case .data(let data): data.count
                    case .file(let url): try Data(contentsOf: url).count
                    }
                }
                var count = 0
                for try await chunk in form.chunks(ofSize: 10) { count += chunk.count }
                try await form.writeEncodedData(to: folder.appendingPathComponent("form"))
                status = count == length ? "sent" : "\(count) of \(length) bytes"
            } catch is CancellationError {
                status = "cancelled"
            } catch {
                status = "\(error)"
            }
        }
    }

    func cancel() { task?.cancel() }
    func wait() async { await task?.value }
}

func stream(_ data: Data) -> AsyncStream<Data> {
    AsyncStream { continuation in
        continuation.yield(data)
        continuation.finish()
    }
}

func collect(_ body: AsyncStream<Data>, _ type: String) async throws -> (MultipartFormData, sections: Int) {
    var sections = 0
    let form = try await MultipartFormData(collecting: body, contentType: type) { headers in
        sections += 1
        return headers.filename == nil ? .memory(upTo: 1 << 10) : .disk(upTo: 1 << 20)
    }
    return (form, sections)
}

func names(_ body: AsyncStream<Data>, _ type: String) async throws -> [String] {
    var names: [String] = []
    for try await part in try body.multipartParts(contentType: type) {
        names.append("\(part.name ?? "-"):\(try await part.collect(upTo: 1 << 20).count)")
    }
    return names
}

struct WrongResult: Error {}

func check(_ isRight: Bool) throws {
    guard isRight else { throw WrongResult() }
}

@main
struct App {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("hello.txt")
        try Data("hello".utf8).write(to: file)

        let uploader = Uploader()
        uploader.start(file, into: folder)
        await uploader.wait()
        try check(uploader.status == "sent")
        uploader.start(file, into: folder)
        uploader.cancel()
        await uploader.wait()
        try check(uploader.status == "cancelled")

        let profile = Profile(name: "Ada", age: nil, tags: ["a", "b"])
        try check(FormDataDecoder().decode(Profile.self, from: FormDataEncoder().encode(profile)) == profile)

        let report = Report(title: "t", chart: Chart(png: Data("png".utf8)), scan: Scan(jpeg: Data("jpeg".utf8)))
        let form = try FormDataEncoder().encode(report)
        try check(form.map(\.filename) == [nil, "chart.png", "scan.jpg"])
        let decoded = try FormDataDecoder().decode(Report.self, from: form)
        try check(decoded.chart.png.count == 3 && decoded.scan.jpeg.count == 4)
        // Other encoders use the type's own coding.
        try check(JSONDecoder().decode(Chart.self, from: JSONEncoder().encode(report.chart)).png.count == 3)

        let upload = Upload(
            metadata: FormJSON(Metadata(title: "x")),
            file: FormFile(Data("f".utf8), filename: "f.txt")
        )
        let uploaded = try FormDataEncoder().encode(upload)
        let (body, type) = (try uploaded.encode(), uploaded.contentType)
        let received = try FormDataDecoder().decode(Upload.self, from: body, contentType: type)
        try check(received.metadata.value == upload.metadata.value && received.file.filename == "f.txt")
        let (collected, sections) = try await collect(stream(body), type)
        try check(collected.count == 2 && sections == 2 && collected["file"]?.fileURL != nil)
        try check(await names(stream(body), type) == ["metadata:13", "file:1"])

        var encoder = FormDataEncoder()
        encoder.keyEncoding = .custom { $0.uppercased() }
        encoder.configureJSON = { $0.outputFormatting = .sortedKeys }
        try check(encoder.encode(report)["CHART"]?.filename == "chart.png")
        print("a main-actor module sends, receives and codes")
    }
}
