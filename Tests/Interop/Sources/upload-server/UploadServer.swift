import Dispatch
import Foundation
import Loopback

/// Runs a server until its input is closed or it is told to terminate; prints its port, and at the end its peak memory.
@main
enum UploadServer {
    static func main() async throws {
        let name = CommandLine.arguments.dropFirst().first ?? ""
        guard let kind = ServerKind(rawValue: name) else {
            let kinds = ServerKind.allCases.map(\.rawValue).joined(separator: " | ")
            FileHandle.standardError.write(Data("usage: upload-server \(kinds)\n".utf8))
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
        try await withServer(kind, directory: FileManager.default.temporaryDirectory) { url in
            FileHandle.standardOutput.write(Data("\(url.port ?? 0)\n".utf8))
            for await _ in ended {}
        }
        FileHandle.standardOutput.write(Data("{\"peakKiB\":\(PeakMemory.kibibytes)}\n".utf8))
    }
}
