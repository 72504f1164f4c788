import Foundation
import MultipartFormCodec
import TestSupport
import Testing

#if !canImport(Darwin)
    /// As Foundation has it on Apple's platforms: the file exists until the closure returns.
    private class NSItemProvider {
        private let file: URL

        init?(contentsOf file: URL) {
            self.file = file
        }

        func loadFileRepresentation(
            forTypeIdentifier type: String,
            completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
        ) {
            Thread.detachNewThread { [file] in
                let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
                let lent = folder.appendingPathComponent(file.lastPathComponent)
                do {
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    try FileManager.default.copyItem(at: file, to: lent)
                    completionHandler(lent, nil)
                } catch {
                    completionHandler(nil, error)
                }
                try? FileManager.default.removeItem(at: folder)
            }
        }
    }
#endif

extension NSItemProvider {
    /// Copies the item's file to a folder of its own, which the caller removes.
    func copiedFile(
        ofType type: String,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> URL {
        try await withCheckedThrowingContinuation { continuation in
            loadFileRepresentation(forTypeIdentifier: type) { file, error in
                // The system removes the file when this closure returns.
                let copy = Result {
                    guard let file else { throw error ?? CocoaError(.fileReadUnknown) }
                    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    let copy = folder.appendingPathComponent(file.lastPathComponent)
                    try FileManager.default.copyItem(at: file, to: copy)
                    return copy
                }
                continuation.resume(with: copy)
            }
        }
    }
}

/// The code for pickers to which the article on URLSession links.
@Suite struct PickedFileTests {
    /// Sends a picked photo; a view calls it on the main actor, with a provider that is not sendable.
    @MainActor private static func send(
        _ provider: NSItemProvider,
        upload: (MultipartFormData) async throws -> Void
    ) async throws {
        let photo = try await provider.copiedFile(ofType: "public.image")
        defer { try? FileManager.default.removeItem(at: photo.deletingLastPathComponent()) }
        var form = MultipartFormData()
        form.append(photo, withName: "photo")
        try await upload(form)
    }

    @Test @MainActor func `a picked file is copied before it is removed`() async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: folder.path(of: "a.png"))
        try Data("photo".utf8).write(to: file)
        let provider = try #require(NSItemProvider(contentsOf: file))
        var sent: MultipartFormData?
        try await Self.send(provider) { form in
            sent = try MultipartFormData(parsing: form.encode(), contentType: form.contentType)
        }
        #expect(sent?["photo"]?.filename == "a.png")
        #expect(try sent?["photo"]?.text() == "photo")
    }

    @Test @MainActor func `a picked file that is missing is an error`() async throws {
        let folder = try TemporaryDirectory()
        let missing = URL(fileURLWithPath: folder.path(of: "none.png"))
        guard let provider = NSItemProvider(contentsOf: missing) else { return }
        await #expect(throws: (any Error).self) { try await Self.send(provider) { _ in } }
    }
}
