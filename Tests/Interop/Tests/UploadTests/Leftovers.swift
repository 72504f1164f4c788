import Foundation

/// What an operation may leave behind: open descriptors of this process, and files in a directory.
struct Leftovers {
    private let directory: URL
    private let descriptors: Int

    /// Notes how many descriptors are open now.
    ///
    /// - Parameter directory: A directory that is to be empty later.
    init(directory: URL) {
        self.directory = directory
        descriptors = Self.openDescriptors
    }

    private static var openDescriptors: Int {
        #if os(Linux)
            let list = "/proc/self/fd"
        #else
            let list = "/dev/fd"
        #endif
        return (try? FileManager.default.contentsOfDirectory(atPath: list).count) ?? -1
    }

    /// The files in the directory.
    var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? ["(unreadable)"]
    }

    /// Waits until nothing is left.
    ///
    /// - Parameter limit: How long at most.
    /// - Returns: Whether nothing is left.
    func areGone(within limit: Duration = .seconds(2)) async -> Bool {
        await eventually(within: limit) { files.isEmpty && Self.openDescriptors <= descriptors }
    }

    /// Waits until what came since is gone, but not beyond an instant.
    func areGone(by limit: ContinuousClock.Instant) async -> Bool {
        await areGone(within: limit - ContinuousClock.now)
    }

    /// Waits until no descriptor has been opened or closed for a while, such as those of connections that are ending.
    static func settle() async {
        var last = openDescriptors
        var calm = 0
        _ = await eventually(within: .seconds(5)) {
            let now = openDescriptors
            calm = now == last ? calm + 1 : 0
            last = now
            return calm == 20
        }
    }
}

/// Asks every 10 ms whether a condition holds.
///
/// - Returns: Whether it did within the time.
func eventually(within limit: Duration, _ condition: () throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
        if try condition() { return true }
        guard ContinuousClock.now < deadline else { return false }
        try? await Task.sleep(for: .milliseconds(10))
    }
}
