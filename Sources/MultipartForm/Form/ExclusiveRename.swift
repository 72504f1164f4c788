package import Foundation

/// A way to rename a file to a path at which nothing may exist. If it fails, the file is where it was.
package enum ExclusiveRename: CaseIterable {
    /// Adds the new name, then removes the old one; a process killed in between leaves both.
    case link
    #if canImport(Darwin)
        /// Renames with a flag of the system call.
        case flag
    #endif
    /// Replaces an empty file, for a file system without links, such as FAT.
    ///
    /// The empty file is created exclusively: no file is lost, except one that replaces it right before the last step.
    case placeholder

    /// Renames in the first way that the file system supports; fails with `EEXIST` if something exists at the new path.
    package static func perform(_ path: String, _ newPath: String) throws(POSIXError) {
        for way in allCases {
            do {
                return try way.perform(path, newPath)
            } catch {
                guard way != .placeholder, isUnsupported(error) else { throw error }
            }
        }
    }

    package func perform(_ path: String, _ newPath: String) throws(POSIXError) {
        // SAFETY: the paths are passed as C strings that live as long as the calls.
        switch self {
        case .link:
            _ = try retryingOnEINTR { unsafe Foundation.link(path, newPath) }
            unsafe unlink(path)
        #if canImport(Darwin)
            case .flag:
                _ = try retryingOnEINTR { unsafe renamex_np(path, newPath, UInt32(RENAME_EXCL)) }
        #endif
        case .placeholder:
            let placeholder = try OutputFile(creating: newPath, permissions: FileSystem.privateMode)
            // Removed at the end unless the file has replaced it.
            defer { withExtendedLifetime(placeholder) {} }
            try placeholder.checkPlace()
            _ = try retryingOnEINTR { unsafe rename(path, newPath) }
            // Its inode cannot tell: on FAT all empty files have the same.
            placeholder.isKept = true
        }
    }

    /// Whether a way failed because the file system, or a policy of the system, does not support it.
    private static func isUnsupported(_ error: POSIXError) -> Bool {
        [EPERM, EACCES, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EINVAL].contains(error.code.rawValue)
    }
}
