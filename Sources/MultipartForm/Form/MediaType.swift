package enum MediaType { package static func forFilename(_ f: String) -> String { "application/octet-stream" } }
