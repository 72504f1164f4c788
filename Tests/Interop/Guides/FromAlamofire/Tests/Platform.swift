/// Whether Foundation is Apple's. Elsewhere Alamofire ends the process when it encodes a form of its own, as it reads
/// the error of streams that have none; when it uploads a stream, as it checks for a queue that Foundation does not
/// use; and when it retries, as it sets counts of a `Progress` that Foundation cannot divide.
var isApple: Bool {
    #if canImport(Darwin)
        true
    #else
        false
    #endif
}
