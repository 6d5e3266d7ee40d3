import Addresses
package import Hummingbird
import Logging

/// The context of a request in Hummingbird.
package struct IngestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Identifies the request in logs and in the answer. It is Hummingbird's id, if the logger has it.
    let requestID: String
    /// Where the connection comes from.
    let peer: IPAddress?
    let connection: ObjectIdentifier

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? RequestID().description
        peer = source.channel.remoteAddress.flatMap(IPAddress.init)
        connection = ObjectIdentifier(source.channel)
    }
}
