/// An error between this program and PostgreSQL.
///
/// ``description`` may be shown to anyone: it contains no password, no parameter and no stored value.
/// ``debugDescription`` contains all that the server said. That may quote stored values, but never a password.
package struct PostgresError: Error, Sendable, Equatable {
    /// The kinds of errors that a caller may have to treat differently.
    package enum Kind: Sendable, Equatable {
        /// The server refused a statement; see ``sqlState``.
        case server
        /// No connection could be made.
        case connectionFailed
        /// The connection was lost. Whether the last statement took effect is unknown.
        case connectionLost
        /// The task was cancelled before or while the statement ran.
        case cancelled
        /// The pool or the connection has been closed by this program.
        case closed
        /// A value cannot be sent, for example text with U+0000.
        case invalidValue
        /// A result does not have the expected column, type or value.
        case unexpectedResult
        /// A wrong call, for example `copyIn` with a statement that is not `COPY … FROM STDIN`.
        case misuse
        /// The address of the database cannot be read.
        case invalidAddress
        /// A pooler stands between this program and the server, and does not give it sessions of its own.
        case unsuitablePooler
    }

    package var kind: Kind
    /// The server's five-character code (PostgreSQL documentation, appendix A); nil if the server gave none.
    package var sqlState: String?
    /// The primary message. It may quote values, so it belongs only into logs that are as private as the data.
    package var message: String
    /// Whether a worker of a Citus cluster said it, and the coordinator passed it on.
    package var isRelayed = false
    package var detail: String?
    package var hint: String?
    package var context: String?
    package var schema: String?
    package var table: String?
    package var column: String?
    package var dataType: String?
    package var constraint: String?
    /// The error's place in the statement, in characters from 1.
    package var position: Int?
    /// The statement's text, without its parameters.
    package var statement: String?
    /// The address of the database, without its password, or of the worker that ended the session.
    package var server: String?

    package init(
        _ kind: Kind,
        _ message: String,
        sqlState: String? = nil,
        statement: String? = nil,
        server: String? = nil
    ) {
        self.kind = kind
        self.message = message
        self.sqlState = sqlState
        self.statement = statement
        self.server = server
    }
}
