package import Foundation

/// Renames a file to a path at which nothing may exist, or else fails with `EEXIST` and leaves the file where it was.
package enum ExclusiveRename {
    package typealias Way = @Sendable (_ path: String, _ newPath: String) throws(POSIXError) -> Void

    /// Renames in the first way that the file system supports.
    package static func perform(_ path: String, _ newPath: String) throws(POSIXError) {
        for way in ways {
            do {
                return try way(path, newPath)
            } catch {
                guard isUnsupported(error) else { throw error }
            }
        }
        try byPlaceholder(path, newPath)
    }

    /// The ways that never overwrite, each in one step.
    package static var ways: [Way] {
        #if canImport(Darwin)
            [byLink, byFlag]
        #else
            [byLink]
        #endif
    }

    /// Adds the new name, then removes the old one; a process killed in between leaves both.
    private static let byLink: Way = { path, newPath throws(POSIXError) in
        // SAFETY: the paths are passed as C strings that live as long as the calls.
        _ = try uninterrupted { unsafe link(path, newPath) }
        unsafe unlink(path)
    }

    #if canImport(Darwin)
        private static let byFlag: Way = { path, newPath throws(POSIXError) in
            // SAFETY: the paths are passed as C strings that live as long as the call.
            _ = try uninterrupted { unsafe renamex_np(path, newPath, UInt32(RENAME_EXCL)) }
        }
    #endif

    /// Replaces an empty file, for a file system without links, such as FAT.
    ///
    /// The empty file is created exclusively, so that no existing file is lost, except one that replaces it right
    /// before the last step.
    package static let byPlaceholder: Way = { path, newPath throws(POSIXError) in
        let placeholder = try OutputFile(creating: newPath, permissions: FileSystem.privateMode)
        // Removed at the end unless the file has replaced it.
        defer { withExtendedLifetime(placeholder) {} }
        try placeholder.checkPlace()
        // SAFETY: the paths are passed as C strings that live as long as the call.
        _ = try uninterrupted { unsafe rename(path, newPath) }
        // Its inode cannot tell: on FAT all empty files have the same.
        placeholder.disown()
    }

    /// Whether a way failed because the file system, or a policy of the system, does not support it.
    private static func isUnsupported(_ error: POSIXError) -> Bool {
        [EPERM, EACCES, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EINVAL].contains(error.code.rawValue)
    }
}
