import Foundation
import Ingest
import NIOCore
import NIOPosix
import Settings

/// Checks that the daemon can listen, before it starts anything else.
enum ListeningCheck {
    /// Listens for a moment.
    ///
    /// - Throws: `SettingsError`, for example if another program uses the port.
    static func run(_ configuration: IngestConfiguration) async throws {
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: configuration.host, port: configuration.port)
                .get()
            try await channel.close()
        } catch {
            throw Self.error(error, configuration) ?? error
        }
    }

    /// The error for the user, if the daemon cannot listen; nil for other errors.
    static func error(_ error: any Error, _ configuration: IngestConfiguration) -> SettingsError? {
        guard error is IOError || error is SocketAddressError else { return nil }
        let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
        return SettingsError(
            message: "cannot listen on \(configuration.host):\(configuration.port): \(reason); "
                + "name another with --host or --port"
        )
    }
}
