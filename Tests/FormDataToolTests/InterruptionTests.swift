import Foundation
import TestSupport
import Testing

/// Signals that come just before a call that waits, when nothing but that call could notice them.
struct InterruptionTests {
    /// Runs a script with a signal blocked, which every process that it starts inherits.
    ///
    /// A process that blocks a signal, sends it to itself and becomes the tool is the tool with a signal that waits:
    /// the tool receives it at once, before it opens or reads anything.
    private func finish(_ script: String, blocking signal: Int32, in folder: TemporaryDirectory) throws -> Process {
        let process = try Tool.shell(script, in: folder)
        process.standardError = FileHandle.nullDevice
        var blocked = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, signal)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try Tool.finish(process)
        return process
    }

    @Test(
        arguments: [
            "decode fifo --into new/out", "inspect fifo", "encode -F 'a=<fifo'", "encode -F 'a=<fifo' -o out",
            "encode -F a=1 -o fifo --force", "decode --into new/out", "inspect", "encode -F 'a=@-' -o out",
            "encode -F 'a=<fifo' -o old --force", "encode -F a=1 -o out",
        ],
        [SIGTERM, SIGINT, SIGHUP]
    )
    func `a signal that came before a wait ends it and leaves nothing`(words: String, signal: Int32) throws {
        let folder = try TemporaryDirectory()
        try folder.write("old", as: "old")
        #expect(mkfifo(folder.path(of: "fifo"), 0o600) == 0)
        #expect(mkfifo(folder.path(of: "input"), 0o600) == 0)
        // The shell itself holds the input open, from which nothing comes.
        let script = "exec 3<> input; kill -\(signal) $$; exec \"$0\" \(words) < input > /dev/null"
        let process = try finish(script, blocking: signal, in: folder)
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == signal)
        #expect(folder.names() == ["fifo", "input", "old"])
        #expect(try folder.text("old") == "old")
    }

    // As by nohup. A signal that is blocked waits even if it is ignored, but not on every system.
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal that the parent ignores does not end the tool`(signal: Int32) throws {
        let folder = try TemporaryDirectory()
        let script = "trap '' \(signal); kill -\(signal) $$; exec \"$0\" encode -F a=1 -o out"
        let process = try finish(script, blocking: signal, in: folder)
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
        #expect(folder.names() == ["out"])
    }

    @Test(arguments: [
        "inspect --json > output", "inspect --json --boundary b > output", "decode --into out --keep",
        "decode --into out --keep --boundary b",
    ])
    func `a read that a signal ends is no error of the input`(words: String) throws {
        let folder = try TemporaryDirectory()
        #expect(mkfifo(folder.path(of: "input"), 0o600) == 0)
        let script = "exec 3<> input; kill -TERM $$; exec \"$0\" \(words) < input"
        let process = try finish(script, blocking: SIGTERM, in: folder)
        #expect(process.terminationReason == .uncaughtSignal)
        let name = words.hasPrefix("inspect") ? "output" : "out/manifest.json"
        #expect(try folder.text(name).hasPrefix("{\"parts\":["))
        #expect(try !folder.text(name).contains("error"))
    }

    /// All parts are in the bytes that the tool reads at once.
    @Test func `a signal between small parts ends the tool before it has written all of them`() throws {
        let folder = try TemporaryDirectory()
        let part = "--b\r\n\(Message.field("a", "1"))\r\n"
        try folder.write(String(repeating: part, count: 4000) + "--b--\r\n", as: "message")
        // On a machine that is busy, the signal may come when the tool has ended.
        for round in 0..<20 {
            let words = ["decode", "message", "--max-parts", "4000", "--into", "out\(round)"]
            let process = try Tool.process(words, in: folder)
            process.standardError = FileHandle.nullDevice
            try Tool.start(process)
            while process.isRunning, !folder.has("out\(round)/a") { usleep(100) }
            kill(process.processIdentifier, SIGTERM)
            process.waitUntilExit()
            guard process.terminationReason == .uncaughtSignal else { continue }
            #expect(process.terminationStatus == SIGTERM)
            #expect(!folder.has("out\(round)"))
            return
        }
        Issue.record("no signal ended the tool")
    }

    @Test func `a signal at any moment ends the tool and leaves nothing`() throws {
        let folder = try TemporaryDirectory()
        #expect(mkfifo(folder.path(of: "fifo"), 0o600) == 0)
        for round in 0..<50 {
            let process = try Tool.process(["encode", "-F", "a=<fifo", "-o", "out"], in: folder)
            process.standardInput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try Tool.start(process)
            // Any moment will do, the first or a later one.
            for _ in 0..<round * 200 { sched_yield() }
            kill(process.processIdentifier, SIGTERM)
            process.waitUntilExit()
            #expect(process.terminationStatus == SIGTERM)
            #expect(folder.names() == ["fifo"])
        }
    }
}
