/// The request that a task answers.
package enum CurrentRequest {
    /// What the answer's `X-Request-Id` says, so that the log can name the request; nil outside of requests.
    @TaskLocal package static var id: String?
    /// Who waits for the answer. Nil outside of requests, and in requests that may change something: these go on
    /// without their client.
    @TaskLocal package static var client: ClientPresence?
}
