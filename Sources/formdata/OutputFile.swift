import MultipartForm

/// A file being written, which appears in its place complete or not at all. Unless it is finished, it is removed with
/// its owner.
struct OutputFile {
    let descriptor: FileDescriptor
    private let file: NewFile
    private let replacesFile: Bool

    /// Creates a file beside its place. When it is finished, the place must be free, unless it replaces a file.
    init(beside place: String, replacesFile: Bool = false) throws {
        do throws(POSIXError) {
            file = try NewFile(beside: place, replacesFile: replacesFile)
        } catch {
            throw ToolError.creating(place, error)
        }
        descriptor = FileDescriptor(number: file.descriptor, label: place)
        self.replacesFile = replacesFile
    }

    /// Closes the file and puts it at a path; nil if a file is there that it does not replace.
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
