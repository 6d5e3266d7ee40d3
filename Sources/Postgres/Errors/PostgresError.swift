/// What went wrong between this program and PostgreSQL.
///
/// ``description`` may be shown to anyone: it holds no password, no parameter and no stored value.
/// ``debugDescription`` holds all that the server said, which may quote stored values, but never a password.
package struct PostgresError: Error, Sendable, Equatable {
    /// What went wrong, as far as a caller has to act differently.
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
        /// A result does not have the column, the type or the value that was asked for.
        case unexpectedResult
        /// A call that makes no sense, for example a `copyIn` of a statement that is no `COPY … FROM STDIN`.
        case misuse
        /// The address of the database cannot be read.
        case invalidAddress
    }

    package var kind: Kind
    /// Five characters (PostgreSQL documentation, appendix A), where the server gave them.
    package var sqlState: String?
    /// The primary message. May quote values: for logs that are as private as the data.
    package var message: String
    package var detail: String?
    package var hint: String?
    package var context: String?
    package var schema: String?
    package var table: String?
    package var column: String?
    package var dataType: String?
    package var constraint: String?
    /// Where in the statement, in characters from 1.
    package var position: Int?
    /// The statement's text, without its parameters.
    package var statement: String?
    /// The database's address, without its password.
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
