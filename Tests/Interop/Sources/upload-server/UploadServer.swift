import Dispatch
import Foundation
import Loopback
import UploadExamples

/// Runs a server until its input is closed or it gets SIGTERM; prints its port, and at the end its peak memory.
@main
enum UploadServer {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let kind = arguments.first.flatMap(ServerKind.init(rawValue:))
        let upstream = arguments.first == "proxy" ? arguments.dropFirst().first.flatMap(URL.init(string:)) : nil
        let isReading = arguments.first == "readings"
        let kept = arguments.first == "resumable" ? arguments.dropFirst().first : nil
        let storage = try arguments.first == "storage" ? arguments.dropFirst().first.map(StorageKeys.init(json:)) : nil
        guard kind != nil || upstream != nil || isReading || kept != nil || storage != nil else {
            let others = ["readings", "proxy URL", "resumable DIRECTORY [PORT]", "storage JSON"]
            let kinds = ServerKind.allCases.map(\.rawValue) + others
            FileHandle.standardError.write(Data("usage: upload-server \(kinds.joined(separator: " | "))\n".utf8))
            exit(2)
        }
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        signal(SIGTERM, SIG_IGN)
        let termination = DispatchSource.makeSignalSource(signal: SIGTERM)
        termination.setEventHandler { @Sendable in continuation.finish() }
        termination.resume()
        defer { termination.cancel() }
        Thread.detachNewThread {
            _ = try? FileHandle.standardInput.readToEnd()
            continuation.finish()
        }
        let serve = { (url: URL) in
            FileHandle.standardOutput.write(Data("\(url.port ?? 0)\n".utf8))
            for await _ in ended {}
        }
        let directory = FileManager.default.temporaryDirectory
        if let kind {
            try await withServer(kind, directory: directory, serve)
        } else if isReading {
            try await withServer(makeReadingRouter(directory: directory), serve)
        } else if let upstream {
            try await withProxy(to: upstream, connections: 64, serve)
        } else if let kept {
            let router = makeResumableRouter(directory: URL(fileURLWithPath: kept), upTo: 1 << 30)
            try await withServer(router, port: arguments.dropFirst(2).first.flatMap { Int($0) } ?? 0, serve)
        } else if let storage {
            try await storage.withBucket(connections: 64) { bucket in
                try await withServer(makeStorageRouter(bucket: bucket, upTo: 5 << 30), serve)
            }
        }
        FileHandle.standardOutput.write(Data("{\"peakKiB\":\(PeakMemory.kibibytes)}\n".utf8))
    }
}
