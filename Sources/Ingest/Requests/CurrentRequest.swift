/// The request that a task answers.
package enum CurrentRequest {
    /// What the answer's `X-Request-Id` says, so that the log can name the request; nil outside of requests.
    @TaskLocal package static var id: String?
}
