// The mode of a file that the program saves.
extension FileMode {
    /// Creates a mode from permissions that the program has chosen; traps if they are outside the range 0 to 0o777.
    init(permissions: Int) {
        precondition(0...0o777 ~= permissions, "permissions are 0 to 0o777, written in octal")
        self = FileMode(permissions)
    }
}
