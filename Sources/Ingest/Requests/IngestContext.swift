package import Hummingbird
import NIOCore

/// What Hummingbird knows of a request beside the request.
package struct IngestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Lets a sender that asked `Expect: 100-continue` send its body.
    func wantBody() {
        channel.triggerUserOutboundEvent(ConnectionHandler.BodyWanted(), promise: nil)
    }
}
