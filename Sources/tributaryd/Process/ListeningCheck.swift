import Foundation
import Ingest
import NIOCore
import Settings

/// Checks that the daemon can listen, before it starts anything else.
enum ListeningCheck {
    /// Binds a socket to the address, and does not listen: who connects now is refused, and not accepted by a socket
    /// that nobody serves.
    ///
    /// - Throws: `SettingsError`, for example if another program uses the port.
    static func run(_ configuration: IngestConfiguration) throws {
        do {
            try bind(.makeAddressResolvingHost(configuration.host, port: configuration.port))
        } catch {
            throw Self.error(error, configuration) ?? error
        }
    }

    private static func bind(_ address: SocketAddress) throws {
        let descriptor = socket(
            address.protocol.rawValue,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
            0
        )
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        defer { close(descriptor) }
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let status = address.withSockAddr { Foundation.bind(descriptor, $0, socklen_t($1)) }
        guard status == 0 else { throw IOError(errnoCode: errno, reason: "bind") }
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
