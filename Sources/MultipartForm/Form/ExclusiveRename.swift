#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

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
                guard way != .placeholder, SystemCalls.isUnsupported(error) else { throw error }
            }
        }
    }

    package func perform(_ path: String, _ newPath: String) throws(POSIXError) {
        switch self {
        case .link:
            try SystemCalls.addName(path, newPath)
            SystemCalls.removeName(path)
        #if canImport(Darwin)
            case .flag:
                try SystemCalls.renameExclusively(path, newPath)
        #endif
        case .placeholder:
            let placeholder = try OutputFile(creating: newPath, permissions: FileSystem.privateMode)
            // Removed at the end unless the file has replaced it.
            defer { withExtendedLifetime(placeholder) {} }
            try placeholder.checkPlace()
            try SystemCalls.replace(newPath, by: path)
            // Its inode cannot tell: on FAT all empty files have the same.
            placeholder.isKept = true
        }
    }
}
