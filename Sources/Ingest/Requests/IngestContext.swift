package import Hummingbird
import Logging
import NIOCore

/// What Hummingbird knows of a request beside the request.
package struct IngestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Names the request in logs and in the answer. Hummingbird's, where its log handler keeps it.
    let requestID: String
    private let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? RequestID().description
        channel = source.channel
    }

    /// Lets a sender that asked `Expect: 100-continue` send its body.
    func wantBody() {
        channel.triggerUserOutboundEvent(ConnectionHandler.BodyWanted(), promise: nil)
    }
}
