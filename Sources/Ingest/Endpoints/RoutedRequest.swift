import Addresses
import HummingbirdCore

/// A request to a route that does not write.
struct RoutedRequest {
    let request: Request
    /// The decoded text in the place of the pattern's `{…}`; empty when the pattern has none.
    let parameter: String
    let query: QueryString
    /// Who asks, as the connection or a trusted proxy says; nil if it is unknown.
    let address: IPAddress?
}
