import Foundation
import MultipartFormCodec
import SystemCalls
import TestSupport

/// Saves uploads while another user opens every file that appears in the directory for temporary files: none can be
/// read before it is where the program wants it.
enum SavedUploads {
    private static let count = 3000
    private static let content = Data("SECRET".utf8) + Data(repeating: 120, count: 5000)

    /// Where the uploads are saved.
    private enum Place: String, CaseIterable {
        case readable = "a directory that others can read"
        case hidden = "a directory of its owner"
        case same = "the directory of the temporary files"
        case otherDevice = "another device"

        /// The mode of the directory; nil if the directory exists.
        var mode: mode_t? {
            switch self {
            case .readable, .otherDevice: 0o755
            case .hidden: 0o700
            case .same: nil
            }
        }

        /// The beginning of the names that nobody else may read. In the directory where the uploads are saved, they are
        /// readable under a name of the library for a moment before they get their own.
        var prefix: String { self == .same ? "part-" : "" }
    }

    static func check() throws {
        for place in Place.allCases {
            // Others can use it, but not remove files of each other.
            let uploads = try TemporaryDirectory()
            guard chmod(uploads.path, 0o1777) == 0 else { throw POSIXError.current }
            let other = try TemporaryDirectory()
            let memory = "/dev/shm"
            if place == .otherDevice, !FileManager.default.isWritableFile(atPath: memory) {
                print("skipped: uploads saved to another device: there is no \(memory)")
                continue
            }
            let directory =
                switch place {
                case .readable, .hidden: other.url
                case .same: uploads.url
                case .otherDevice: URL(fileURLWithPath: "\(memory)/saved-\(getpid())", isDirectory: true)
                }
            if place == .otherDevice { mkdir(directory.path, 0o755) }
            defer { if place == .otherDevice { try? FileManager.default.removeItem(at: directory) } }
            if let mode = place.mode, chmod(directory.path, mode) != 0 { throw POSIXError.current }
            guard let spy = try Spy(on: uploads.path, place.prefix) else {
                return print("skipped: nobody can look on while uploads are saved: this needs root")
            }
            try save(from: uploads.url, to: directory)
            let (seen, read) = try spy.finish()
            print("uploads saved to \(place.rawValue): another user sees \(seen) files and reads \(read)")
            guard seen >= count / 2 else { Hostile.fail("the other user misses too many files") }
            guard read == 0 else { Hostile.fail("another user reads uploads that are being saved") }
        }
    }

    private static func save(from uploads: URL, to directory: URL) throws {
        let form = MultipartFormData([BodyPart(content, name: "f", filename: "x")])
        let message = try form.encode()
        let options = MultipartCollector.Options(diskThreshold: 0, temporaryDirectory: uploads)
        for index in 0..<count {
            var collector = MultipartCollector(boundary: form.boundary, options: options)
            try collector.append(message)
            let part = try collector.finish()[0]
            try part.save(
                to: directory.appendingPathComponent("saved-\(index)"),
                permissions: index % 2 == 0 ? nil : 0o644
            )
        }
    }

    /// A process of another user that reads what it can in a directory.
    private struct Spy {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        /// Starts the process, and waits until it looks; returns nil if it may not become another user.
        init?(on directory: String, _ prefix: String) throws {
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["spy", directory, prefix, "SECRET"]
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            guard output.fileHandleForReading.availableData == Data("ready\n".utf8) else { return nil }
        }

        /// Ends the process, and returns how many files it has seen, and how often it has read one.
        func finish() throws -> (seen: Int, read: Int) {
            try input.fileHandleForWriting.close()
            let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let numbers = answer.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            guard numbers.count == 2 else { Hostile.fail("the other user has answered \(answer)") }
            return (numbers[0], numbers[1])
        }
    }
}
