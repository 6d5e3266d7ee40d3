import CLibpq
import Text

/// The address of a database and the user: a URL (`postgresql://user@host:5432/db`) or keywords (`host=… dbname=…`), as
/// libpq reads them. Absent values come from libpq's environment variables (`PGHOST` …) and defaults.
package struct PostgresAddress: Sendable, Equatable {
    /// The given keywords of libpq and their values.
    private var parameters: [String: String]

    /// - Throws: ``PostgresError/Kind/invalidAddress``. The message never quotes the text, which may hold a password.
    ///   Blanks and line breaks around it do not count: secrets in files often end with one.
    package init(_ urlOrKeywords: String) throws(PostgresError) {
        guard !urlOrKeywords.utf8.contains(0) else {
            throw PostgresError(.invalidAddress, "the database address contains U+0000")
        }
        let text = String(urlOrKeywords.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        // For libpq, a host ends at the first /, also if the / stands in a password. The rest of the password would
        // become part of the database's name, which messages show.
        if let scheme = text.firstRange(of: "://"), let slash = text[scheme.upperBound...].firstIndex(of: "/"),
            text[slash...].prefix(while: { $0 != "?" }).contains("@")
        {
            throw PostgresError(
                .invalidAddress,
                "the database address has a / before an @; write a / in a password as %2F, and an @ as %40"
            )
        }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            PQfreemem(message)
            throw PostgresError(
                .invalidAddress,
                "the database address is neither a URL such as postgresql://user@host:5432/database "
                    + "nor keywords such as \"host=localhost dbname=tributary\" with known names; "
                    + "in a URL, write signs of a password such as / and ? as %2F and %3F"
            )
        }
        defer { PQconninfoFree(options) }
        parameters = Self.values(options)
        // libpq ends the password at the first @. The rest of a password with an @ would become part of the host, which
        // messages show.
        guard parameters["host"]?.contains("@") != true || parameters["host"]?.hasPrefix("@") == true else {
            throw PostgresError(
                .invalidAddress,
                "the database address has one @ too many; write an @ in a password as %40"
            )
        }
        guard parameters["port"]?.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ",") }) ?? true else {
            throw PostgresError(
                .invalidAddress,
                "the port in the database address is no number; write a : in a password as %3A, and a / as %2F"
            )
        }
        // libpq would say it, too, but as of a server that cannot be reached.
        let ports = (parameters["port"] ?? "").split(separator: ",")
        guard ports.allSatisfy({ (1...65_535).contains(Int($0) ?? 0) }) else {
            throw PostgresError(.invalidAddress, "the port in the database address is not from 1 to 65535")
        }
    }

    /// - Parameters:
    ///   - host: a name, an IP address, or the folder of a Unix socket, which begins with `/`.
    ///   - passwordFile: a file in the format of `.pgpass`, so that the address need not contain the password.
    package init(
        host: String,
        port: Int? = nil,
        database: String,
        user: String? = nil,
        password: String? = nil,
        passwordFile: String? = nil
    ) {
        parameters = ["host": host, "dbname": database]
        parameters["port"] = port.map(String.init)
        parameters["user"] = user
        parameters["password"] = password
        parameters["passfile"] = passwordFile
    }

    package var host: String { value("host") ?? "localhost" }
    package var port: Int { value("port").flatMap { Int($0) } ?? 5432 }
    package var user: String? { value("user") }
    /// PostgreSQL's default is the user's name.
    package var database: String { value("dbname") ?? user ?? "postgres" }

    /// The same server and user, another database.
    package func selecting(database: String) -> PostgresAddress {
        var address = self
        address.parameters["dbname"] = database
        return address
    }

    /// The parameters for libpq: this program's defaults, then the address's own values, then the values that no
    /// address may change.
    func connectionParameters(_ options: PostgresOptions) -> [String: String] {
        var result = [
            "fallback_application_name": options.applicationName,
            "keepalives": "1", "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
            "tcp_user_timeout": PostgresOptions.milliseconds(options.transmissionTimeout),
        ]
        result.merge(parameters) { $1 }
        result["client_encoding"] = "UTF8"
        return result
    }

    /// The address's own `connect_timeout`. It overrides the options' timeout.
    var connectTimeout: Duration? {
        parameters["connect_timeout"].flatMap { Int64($0) }.flatMap { $0 > 0 ? .seconds($0) : nil }
    }

    /// libpq's defaults, read once: otherwise each call of `description` would read the environment.
    private static let defaults: [String: String] = {
        guard let options = PQconndefaults() else { return [:] }
        defer { PQconninfoFree(options) }
        return values(options)
    }()

    private func value(_ keyword: String) -> String? {
        (parameters[keyword] ?? Self.defaults[keyword]).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func values(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var result: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                result[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        return result
    }
}

extension PostgresAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `postgresql://user@host:5432/db`, never with the password; for a Unix socket
    /// `postgresql://user@/db?host=/folder`.
    package var description: String {
        let user = user.map { Self.percentEncode($0) + "@" } ?? ""
        let database = Self.percentEncode(database)
        if host.hasPrefix("/") || host.hasPrefix("@") {
            let port = port == 5432 ? "" : "&port=\(port)"
            return "postgresql://\(user)/\(database)?host=\(Self.percentEncode(host))\(port)"
        }
        let bracketed = host.contains(":") && !host.contains(",") ? "[\(host)]" : host
        return "postgresql://\(user)\(bracketed):\(value("port") ?? "5432")/\(database)"
    }

    package var debugDescription: String { description }

    /// `dump`, and the interpolation of a value that contains an address, must not show the password either.
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }

    private static func percentEncode(_ text: String) -> String {
        PercentEncoding.encoded(text) { $0.isUnreserved || $0 == "/" }
    }
}

extension PostgresAddress {
    /// The address as libpq keywords, for another program. It contains the password if there is one: pass it in an
    /// environment variable, never in a log or on a command line.
    package var keywords: String {
        parameters.sorted { $0.key < $1.key }.map { key, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            return "\(key)='\(escaped)'"
        }.joined(separator: " ")
    }
}
