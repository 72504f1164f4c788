/// Who may use a file: its owner, its group, its mode, and its access-control list.
struct FileRights {
    let owner: UInt32
    let group: UInt32
    let mode: FileMode
    /// The access-control list and the like; nil if they are unknown.
    let accessControl: AccessControl?

    /// Returns whether another file would have the same rights if it had the same mode. Returns false if that is
    /// unknown.
    func differsOnlyInMode(from other: FileRights) -> Bool {
        guard let accessControl, let otherControl = other.accessControl else { return false }
        return owner == other.owner && group == other.group && accessControl == otherControl
    }
}

extension FileMode {
    /// Whether the mode lets the group and others do nothing that `other` does not let them do.
    func isAtMost(_ other: FileMode) -> Bool { self & ~other & 0o077 == 0 }
}
