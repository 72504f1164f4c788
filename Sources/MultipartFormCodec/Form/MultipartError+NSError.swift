#if FullFoundation
    public import Foundation

    // The error as an `NSError`: a number, a domain and user info.
    extension MultipartError: CustomNSError {
        /// The number of the ``code``, from the table in ``Code-swift.struct``. Crash reports identify an error by this
        /// number and the domain, `MultipartFormCodec.MultipartError`.
        public var errorCode: Int { ErrorDetails.number(of: code) }

        /// The ``description``, and the ``underlyingError`` if there is one.
        public var errorUserInfo: [String: Any] {
            // On Linux, Foundation reads the description only from this dictionary.
            var info: [String: Any] = [NSLocalizedDescriptionKey: description]
            info[NSUnderlyingErrorKey] = underlyingError
            return info
        }
    }
#endif
