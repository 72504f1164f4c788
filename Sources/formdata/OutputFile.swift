import MultipartFormCodec

/// A new file that appears at its path only when it is complete. An unfinished file is removed when its last reference
/// is released.
struct OutputFile {
    let descriptor: FileDescriptor
    private let file: NewFile
    private let replacesFile: Bool

    /// Creates a temporary file in the directory of `place`, the final path of the file. When the file is finished,
    /// `place` must be free, unless `replacesFile` is true.
    init(beside place: String, replacesFile: Bool = false) throws {
        do throws(POSIXError) {
            file = try NewFile(beside: place, replacesFile: replacesFile)
        } catch {
            throw ToolError.creating(place, error)
        }
        descriptor = FileDescriptor(number: file.descriptor, label: place)
        self.replacesFile = replacesFile
    }

    /// Closes the file, moves it to a path, and returns the identity of the file. Returns nil if another file is at the
    /// path and may not be replaced.
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
