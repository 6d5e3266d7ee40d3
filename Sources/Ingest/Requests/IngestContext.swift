package import Hummingbird
import Logging

/// What Hummingbird knows of a request beside the request.
package struct IngestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Names the request in logs and in the answer. Hummingbird's, where its log handler keeps it.
    let requestID: String

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? RequestID().description
    }
}
