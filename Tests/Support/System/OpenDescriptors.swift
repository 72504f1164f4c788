package import Foundation

/// The process's open file descriptors.
package enum OpenDescriptors {
    /// The number of open descriptors.
    package static var count: Int { all.count }

    /// The number of descriptors open on a file.
    package static func count(on url: URL) -> Int {
        var file = stat()
        guard stat(url.path, &file) == 0 else { return 0 }
        return all.count { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 && status.st_ino == file.st_ino && status.st_dev == file.st_dev
        }
    }

    /// The number of descriptors open on files in a directory, removed files included.
    package static func count(in directory: URL) -> Int { all(in: directory).count }

    /// The number of descriptors open on files in a directory that a child process would inherit.
    package static func inheritedCount(in directory: URL) -> Int {
        all(in: directory).count { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 }
    }

    /// The sum of the offsets of the open files in a directory, in bytes.
    package static func offset(in directory: URL) -> Int {
        all(in: directory).reduce(0) { $0 + Int(lseek($1, 0, SEEK_CUR)) }
    }

    private static func all(in directory: URL) -> [Int32] {
        // The descriptors' paths are resolved; the temporary directory's path may hold a symbolic link.
        guard let directory = realpath(directory.path, nil) else { return [] }
        defer { free(directory) }
        let prefix = Array("\(String(cString: directory))/".utf8)
        return all.filter { path(of: $0, upTo: prefix.count) == prefix }
    }

    private static var all: [Int32] {
        #if os(Linux)
            let list = "/proc/self/fd"
        #else
            let list = "/dev/fd"
        #endif
        let names = (try? FileManager.default.contentsOfDirectory(atPath: list)) ?? []
        // The listing's own descriptor is closed by now.
        return names.compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) >= 0 }
    }

    /// The first bytes of a descriptor's path.
    private static func path(of descriptor: Int32, upTo count: Int) -> [UInt8] {
        #if canImport(Darwin)
            var path = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
            guard fcntl(descriptor, F_GETPATH, &path) == 0 else { return [] }
            return Array(path.prefix(count))
        #else
            var path = [UInt8](repeating: 0, count: count)
            let length = readlink("/proc/self/fd/\(descriptor)", &path, count)
            return Array(path.prefix(max(length, 0)))
        #endif
    }
}
