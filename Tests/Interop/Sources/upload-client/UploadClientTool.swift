import Foundation
import Loopback
import MultipartFormCodec
import UploadExamples

/// Uploads generated files at once, compares the hashes, and prints one line of JSON.
@main
enum UploadClientTool {
    private struct Report: Encodable {
        var client: String
        var uploads: Int
        var mebibytes: Int
        var equal: Int
        var seconds: Double
        var peakKiB: Int
    }

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let way = arguments.count == 5 ? arguments.last : nil
        guard arguments.count == 4 || way == "proxied" || way == "stored",
            let kind = arguments.first.flatMap(ClientKind.init(rawValue:)),
            let url = URL(string: arguments[2]),
            let mebibytes = Int(arguments[3]),
            let uploads = Int(arguments[4])
        else {
            let kinds = ClientKind.allCases.map(\.rawValue).joined(separator: " | ")
            let usage = "usage: upload-client \(kinds) URL MEBIBYTES UPLOADS [proxied | stored]\n"
            FileHandle.standardError.write(Data(usage.utf8))
            exit(2)
        }
        let start = ContinuousClock.now
        let directory = FileManager.default.temporaryDirectory
        let length = UInt64(mebibytes) << 20
        let equal =
            way == "stored"
            ? try await storeAtOnce(uploads, length: length, to: url)
            : try await kind.withClient(connections: uploads, directory: directory) { client in
                try await uploadAtOnce(uploads, length: length, with: client, to: url, isProxied: way == "proxied")
            }
        let report = Report(
            client: kind.rawValue,
            uploads: uploads,
            mebibytes: mebibytes,
            equal: equal,
            seconds: (ContinuousClock.now - start) / .seconds(1),
            peakKiB: PeakMemory.kibibytes
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        FileHandle.standardOutput.write(try encoder.encode(report) + Data("\n".utf8))
        exit(equal == uploads ? 0 : 1)
    }
}
