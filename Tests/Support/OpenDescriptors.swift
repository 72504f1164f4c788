package import Foundation

/// Which of the process' descriptors are open on a file.
package enum OpenDescriptors {
    /// How many descriptors are open on a file, however they came to be.
    package static func count(on url: URL) -> Int {
        var file = stat()
        guard stat(url.path, &file) == 0 else { return 0 }
        return (0..<getdtablesize()).count { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 && status.st_ino == file.st_ino && status.st_dev == file.st_dev
        }
    }

    /// Waits until no descriptor is open on a file: what is closed on another thread may be so a little later.
    ///
    /// - Throws: `CancellationError`, for a test's time limit.
    package static func waitUntilNone(on url: URL) async throws {
        while count(on: url) > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
}
