#if canImport(FoundationNetworking)
    internal import Foundation
    internal import FoundationNetworking

    extension URLSession {
        /// A session like this one, whose connections have not been used.
        func fresh() -> URLSession {
            URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        }
    }
#endif
