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
        let reason: String
        switch error {
        case let error as IOError: reason = String(cString: strerror(error.errnoCode))
        case is SocketAddressError, is SocketAddressError.UnknownHost:
            return SettingsError(
                message: "--host takes a name or an address of this machine, such as 127.0.0.1 or ::, "
                    + "not '\(configuration.host)'"
            )
        default: return nil
        }
        return SettingsError(
            message: "cannot listen on \(configuration.listeningAddress(port: configuration.port)): \(reason); "
                + "name another with --host or --port"
        )
    }
}
