internal import Foundation

/// Ends this process in 15 minutes. An exit test calls it: a time limit does not end the process of one.
package func limitTime() {
    alarm(900)
}
