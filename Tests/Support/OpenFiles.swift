import Foundation

extension TemporaryDirectory {
    /// How many of the process' open descriptors are of files in the directory, removed ones included.
    package var openFileCount: Int {
        // A symbolic link on the way, as to the system's temporary directory, is not in the descriptors' paths.
        guard let directory = realpath(url.path, nil) else { return 0 }
        defer { free(directory) }
        let prefix = String(cString: directory) + "/"
        return (0..<4096).count { Self.path(ofDescriptor: $0)?.hasPrefix(prefix) ?? false }
    }

    private static func path(ofDescriptor descriptor: Int32) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
        #if canImport(Darwin)
            guard fcntl(descriptor, F_GETPATH, &buffer) == 0 else { return nil }
            return String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
        #else
            let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
            return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
        #endif
    }
}
