package import Foundation

/// Gives a file another path, at which nothing may stand.
package enum ExclusiveRename {
    /// A way to do it.
    ///
    /// - Throws: `POSIXError`, with `EEXIST` if something stands at the new path. The file is then where it was.
    package typealias Way = @Sendable (_ path: String, _ newPath: String) throws(POSIXError) -> Void

    /// Does it in the first way that the file system supports.
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

    /// By a second name, which then is the only one. A process that is killed in between leaves both.
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

    /// Over an empty file of our own, for a file system without links, such as FAT.
    ///
    /// The empty file is created exclusively, so that nothing that stood at the path is lost. A file that somebody puts in
    /// its place, by replacing it, right before the last step is replaced in turn.
    package static let byPlaceholder: Way = { path, newPath throws(POSIXError) in
        let placeholder = try OutputFile(creating: newPath, permissions: FileSystem.privateMode)
        // Removed at the end unless the file has taken its place.
        defer { withExtendedLifetime(placeholder) {} }
        try placeholder.checkPlace()
        // SAFETY: the paths are passed as C strings that live as long as the call.
        _ = try uninterrupted { unsafe rename(path, newPath) }
        // Not told by its number: on FAT all empty files have the same.
        placeholder.disown()
    }

    /// Whether a way failed because the file system, or a policy of the system, does not know it.
    private static func isUnsupported(_ error: POSIXError) -> Bool {
        [EPERM, EACCES, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EINVAL].contains(error.code.rawValue)
    }
}
