import MultipartForm

/// A file that is being written. It appears in its place, the path that it is for, only when it is complete. If it is
/// not finished, it is removed when its last owner is freed.
struct OutputFile {
    let descriptor: FileDescriptor
    private let file: NewFile
    private let replacesFile: Bool

    /// Creates a file in the directory of its place. When the file is finished, no other file may be in its place,
    /// unless `replacesFile` is true.
    init(beside place: String, replacesFile: Bool = false) throws {
        do throws(POSIXError) {
            file = try NewFile(beside: place, replacesFile: replacesFile)
        } catch {
            throw ToolError.creating(place, error)
        }
        descriptor = FileDescriptor(number: file.descriptor, label: place)
        self.replacesFile = replacesFile
    }

    /// Closes the file and moves it to a path. Returns nil if a file is there already and may not be replaced.
    func finish(at path: String) throws -> FileIdentity? {
        do throws(POSIXError) {
            return try file.finish(at: path, replacesFile: replacesFile)
        } catch {
            guard error.code == .EEXIST else { throw ToolError.writing(path, error) }
            return nil
        }
    }

    func finish() throws {
        let place = descriptor.label
        guard try finish(at: place) != nil else { throw ToolError.creating(place, POSIXError(.EEXIST)) }
    }
}
