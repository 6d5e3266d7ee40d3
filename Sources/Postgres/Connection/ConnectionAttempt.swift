import CLibpq
import Logging

/// Makes one connection, blocking.
///
/// It does not use libpq's own blocking call, because that does not give the SQLSTATE of a refused connection. With
/// verbose errors the message holds it; these must be requested between start and poll.
struct ConnectionAttempt {
    private let address: PostgresAddress
    private let options: PostgresOptions
    private let logger: Logger?
    /// How often it looks whether it is given up.
    private static let look: Int64 = 100

    init(_ address: PostgresAddress, options: PostgresOptions, logger: Logger?) {
        self.address = address
        self.options = options
        self.logger = logger
    }

    /// - Parameter isGivenUp: whether nobody needs the connection any more, while the server does not answer.
    func run(unless isGivenUp: () -> Bool) throws(PostgresError) -> ConnectionHandle {
        guard let pointer = start() else {
            throw PostgresError(.connectionFailed, "out of memory", server: address.description)
        }
        let handle = ConnectionHandle(owning: pointer, logger: logger)
        PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
        guard PQstatus(pointer) != CONNECTION_BAD else { throw failure(handle) }

        let deadline = ContinuousClock.now + (address.connectTimeout ?? options.connectTimeout)
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard state != PGRES_POLLING_FAILED else { throw failure(handle) }
            let left = (deadline - .now).wholeMilliseconds
            guard left > 0 else {
                throw PostgresError(
                    .connectionFailed,
                    "no connection within \(address.connectTimeout ?? options.connectTimeout)",
                    server: address.description
                )
            }
            guard !isGivenUp() else {
                throw PostgresError(.cancelled, "the connection was given up", server: address.description)
            }
            // If a signal interrupts the wait, or it times out, the loop checks the deadline again.
            let wait = Int32(clamping: min(left, Self.look))
            if postgres_socket_wait(PQsocket(pointer), state == PGRES_POLLING_WRITING ? 1 : 0, wait) > 0 {
                state = PQconnectPoll(pointer)
            }
        }
        PQsetErrorVerbosity(pointer, PQERRORS_DEFAULT)
        return handle
    }

    private func start() -> OpaquePointer? {
        let parameters = address.connectionParameters(options)
        let keywords = parameters.keys.map { Array($0.utf8CString) }
        let values = parameters.values.map { Array($0.utf8CString) }
        return Self.withPointers(keywords) { keywords in
            Self.withPointers(values) { values in PQconnectStartParams(keywords, values, 0) }
        }
    }

    /// Passes a null-terminated array of C strings to `body`.
    private static func withPointers<R>(
        _ strings: [[CChar]],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R
    ) -> R {
        let joined = Array(strings.joined())
        return joined.withUnsafeBufferPointer { joined in
            var pointers: [UnsafePointer<CChar>?] = []
            var offset = 0
            for string in strings {
                pointers.append(joined.baseAddress.map { $0 + offset })
                offset += string.count
            }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }

    private func failure(_ handle: ConnectionHandle) -> PostgresError {
        let (message, sqlState) = Self.extractSQLState(handle.errorMessage)
        // The start packet holds nothing else that poolers do not know.
        if message.contains("unsupported startup parameter") {
            return PostgresError(
                .unsuitablePooler,
                "the pooler takes no options with a connection: remove 'options' from the database address, and "
                    + "PGOPTIONS from the environment",
                server: address.description
            )
        }
        return PostgresError(.connectionFailed, message, sqlState: sqlState, server: address.description)
    }

    /// Splits `… FATAL:  57P03: the database system is starting up` into message and SQLSTATE.
    static func extractSQLState(_ message: String) -> (message: String, sqlState: String?) {
        let parts = message.split(separator: ": ", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated().dropFirst() where index + 1 < parts.count {
            let candidate = part.drop { $0 == " " }
            // A severity such as FATAL has five letters too, but no digit.
            let isState =
                candidate.utf8.count == 5 && candidate.contains(where: \.isNumber)
                && candidate.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
            if isState {
                let rest = parts[..<index] + parts[(index + 1)...]
                return (rest.joined(separator: ": "), String(candidate))
            }
        }
        return (message, nil)
    }
}
