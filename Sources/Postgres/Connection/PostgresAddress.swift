import CLibpq

/// Where a database is and who asks: a URL (`postgresql://user@host:5432/db`) or keywords (`host=… dbname=…`), as libpq
/// reads them. What is absent comes from libpq's environment (`PGHOST` …) and defaults.
package struct PostgresAddress: Sendable, Equatable {
    /// libpq's keywords and values, as they were given.
    private var parameters: [String: String]

    /// - Throws: ``PostgresError/Kind/invalidAddress``. The message never quotes the text, which may hold a password.
    package init(_ urlOrKeywords: String) throws(PostgresError) {
        guard !urlOrKeywords.utf8.contains(0) else {
            throw PostgresError(.invalidAddress, "the database address contains U+0000")
        }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(urlOrKeywords, &message) else {
            PQfreemem(message)
            throw PostgresError(
                .invalidAddress,
                "the database address is neither a URL such as postgresql://user@host:5432/database "
                    + "nor keywords such as \"host=localhost dbname=tributary\" with known names"
            )
        }
        defer { PQconninfoFree(options) }
        parameters = Self.values(options)
        // libpq ends the password at the first @ and takes the rest for the host, which is shown.
        guard parameters["host"]?.contains("@") != true || parameters["host"]?.hasPrefix("@") == true else {
            throw PostgresError(
                .invalidAddress,
                "the database address has an @ too many; in a password it is written %40"
            )
        }
    }

    /// - Parameters:
    ///   - host: a name, an address, or the folder of a Unix socket, which begins with `/`.
    ///   - passwordFile: in the form of `.pgpass`, so that the password itself need not be part of the address.
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

    /// What libpq is to be given: the defaults, then the address's own values, then what must hold in any case.
    func connectionParameters(_ options: PostgresOptions) -> [String: String] {
        var result = [
            "fallback_application_name": options.applicationName,
            "keepalives": "1", "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
            "tcp_user_timeout": PostgresOptions.milliseconds(options.transmissionTimeout),
        ]
        result.merge(parameters) { $1 }
        result["client_encoding"] = "UTF8"
        result["options"] = [options.startOptions, parameters["options"]].compactMap { $0 }.joined(separator: " ")
        return result
    }

    /// The address's own `connect_timeout`, which wins over the options'.
    var connectTimeout: Duration? {
        parameters["connect_timeout"].flatMap { Int64($0) }.flatMap { $0 > 0 ? .seconds($0) : nil }
    }

    /// Without it a `description` would cost a look at the environment at each call.
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
    /// `postgresql://user@host:5432/db`, never with the password; for a Unix socket `postgresql://user@/db?host=/folder`.
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

    /// `dump` and string interpolation of an enclosing value must not find the password either.
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }

    private static func percentEncode(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }
}

extension PostgresAddress {
    /// The address for another program, as libpq keywords. Holds the password where there is one: for an environment
    /// variable, never for a log or a command line.
    package var keywords: String {
        parameters.sorted { $0.key < $1.key }.map { key, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            return "\(key)='\(escaped)'"
        }.joined(separator: " ")
    }
}
