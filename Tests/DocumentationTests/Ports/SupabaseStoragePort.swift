import Foundation
import MultipartFormCodec
import TestSupport
import Testing

private struct FileOptions {
    var cacheControl = "3600"
    var contentType: String?
    var metadata: [String: String]?
}

private enum FileUpload {
    case data(Data)
    case url(URL)
}

extension FileUpload {
    func form(path: String, options: FileOptions) throws -> MultipartFormData {
        var form = MultipartFormData()
        form.append(options.cacheControl, withName: "cacheControl")
        if let metadata = options.metadata {
            form.append(try JSONEncoder().encode(metadata), withName: "metadata")
        }
        switch self {
        case .data(let data):
            let target = URL(fileURLWithPath: path)
            let type = options.contentType ?? BodyPart.contentType(ofPathExtension: target.pathExtension)
            form.append(data, withName: "", fileName: target.lastPathComponent, mimeType: type)
        case .url(let url):
            form.append(url, withName: "", mimeType: options.contentType)
        }
        return form
    }

    func upload<Response>(
        to path: String,
        options: FileOptions,
        send: (EncodedForm, _ contentType: String) async throws -> Response
    ) async throws -> Response {
        let form = try form(path: path, options: options)
        return try await form.withEncodedForm(inMemoryUpTo: 10_000_000) { encoded in
            try await send(encoded, form.contentType)
        }
    }
}

/// The upload of Supabase's Storage client.
/// The name of a file's field is empty, which strict mode refuses.
@Suite struct SupabaseStoragePort {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `data is named and typed by its path in the bucket`() throws {
        let options = FileOptions(metadata: ["owner": "Ada"])
        let form = try FileUpload.data(Data("JFIF".utf8)).form(path: "avatars/ada.jpg", options: options)
        #expect(
            try form.received(.lenient) == [
                "cacheControl = 3600", #"metadata = {"owner":"Ada"}"#, "; ada.jpg; image/jpeg = JFIF",
            ]
        )
    }

    @Test func `a file is named and typed by its own path, unless the options have a type`() throws {
        let url = try directory.write(Data("%PDF".utf8), as: "a.pdf")
        var options = FileOptions()
        let form = try FileUpload.url(url).form(path: "papers/b.pdf", options: options)
        #expect(try form.received(.lenient) == ["cacheControl = 3600", "; a.pdf; application/pdf = %PDF"])
        options.contentType = "application/x-private"
        let typed = try FileUpload.url(url).form(path: "papers/b.pdf", options: options)
        #expect(try typed.received(.lenient).last == "; a.pdf; application/x-private = %PDF")
    }

    @Test func `a long file is sent from disk, a short one from memory`() async throws {
        for (count, isInMemory) in [(1000, true), (10_000_001, false)] {
            let url = try directory.write(Data(count: count), as: "\(count).bin")
            let length = try await FileUpload.url(url).upload(to: "a.bin", options: FileOptions()) { encoded, type in
                #expect(type.hasPrefix("multipart/form-data; boundary="))
                switch encoded {
                case .data(let body):
                    #expect(isInMemory)
                    return try MultipartFormData(parsing: body, contentType: type)[""]?.length
                case .file(let file):
                    #expect(!isInMemory)
                    return try MultipartFormData(parsingFileAt: file, contentType: type)[""]?.length
                }
            }
            #expect(length == UInt64(count))
        }
    }
}
