/// Returns to the executor that the caller runs on, in a function that has caught an error.
///
/// A function that runs where its caller does, `nonisolated(nonsending)` or with an isolated parameter, must return
/// there: an actor's method that calls it takes that for granted. But if something that such a function awaits throws on
/// another executor, as a source's `next()`, `Task.sleep` and a throwing continuation may, Swift 6.3 leaves out the
/// return, and the method goes on outside of its actor. It returns after everything that does not throw. So:
///
/// - A continuation resumes with a `Result`, whose error is thrown afterwards.
/// - Any other error from elsewhere is caught, and thrown again after this.
@usableFromInline
nonisolated(nonsending) func returnToCaller() async {
    await withCheckedContinuation { $0.resume() }
}
