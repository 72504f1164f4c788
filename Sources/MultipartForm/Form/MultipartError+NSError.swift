#if FullFoundation
    public import Foundation

    // What Foundation shows of an error: a number, a domain and user info.
    extension MultipartError: CustomNSError {
        /// The number of the ``code``, from the table in ``Code-swift.struct``; crash reports tell errors apart by it.
        /// The domain is `MultipartForm.MultipartError`.
        public var errorCode: Int { ErrorDetails.number(of: code) }

        /// The description, and the underlying error if there is one.
        public var errorUserInfo: [String: Any] {
            // Foundation on Linux reads the description from here only.
            var info: [String: Any] = [NSLocalizedDescriptionKey: description]
            info[NSUnderlyingErrorKey] = underlyingError
            return info
        }
    }
#endif
