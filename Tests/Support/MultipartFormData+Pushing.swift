package import MultipartFormCodec

extension MultipartFormData {
    /// Appends chunks to a ``MultipartCollector`` and returns its form.
    package init(
        pushing chunks: some Sequence<some Collection<UInt8>>,
        contentType: String?,
        options: MultipartCollector.Options = MultipartCollector.Options(),
        route: @escaping @Sendable (HeaderFields) throws -> MultipartCollector.Route = { _ in .accept }
    ) throws {
        var collector = try MultipartCollector(contentType: contentType, options: options, route: route)
        for chunk in chunks { try collector.append(chunk) }
        self = try collector.finish()
    }
}
