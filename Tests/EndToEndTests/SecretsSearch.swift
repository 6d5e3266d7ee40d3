import Foundation
import Postgres
import Testing

/// Looks for secrets in files, byte by byte, in every form that a store or a log may have given them.
enum SecretsSearch {
    /// The text itself, percent-encoded, in hexadecimal, and in base64 at each of the three offsets where it may begin.
    static func patterns(for mark: String) -> [String] {
        let bytes = Array(mark.utf8)
        let hexadecimal = bytes.map { String($0, radix: 16) }
        let base64 = (0..<3).map { offset in
            let text = Data(Array(repeating: 0, count: offset) + bytes).base64EncodedString()
            // The first and the last characters depend on the bytes beside the text.
            let length = (offset + bytes.count) * 8 / 6
            return String(text.prefix(length).dropFirst(offset == 0 ? 0 : offset + 1))
        }
        return [mark, hexadecimal.joined(), "%" + hexadecimal.joined(separator: "%")] + base64
            + ["\\u00" + hexadecimal.joined(separator: "\\u00")]
    }

    /// The places in the files of a folder that contain one of the texts, each with the text around it.
    static func findings(of texts: [String], in folder: String) throws -> [String] {
        // Without the text around it, the search takes a fraction of the time, and mostly finds nothing.
        let fixed = texts.flatMap { ["-e", $0] }
        guard try run("grep", ["-raqiF"] + fixed + [folder]).status != 1 else { return [] }
        let expression = texts.map { text in
            ".{0,120}"
                + text.map { $0.isLetter || $0.isNumber ? String($0) : "[\($0 == "\\" ? "\\\\" : String($0))]" }
                .joined()
                + ".{0,60}"
        }.joined(separator: "|")
        let outcome = try run("grep", ["-raoiE", "-e", expression, folder])
        // 1: nothing found. 2: a file was removed meanwhile, or the expression is wrong.
        guard outcome.status != 1 else { return [] }
        return String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").map(String.init)
            + (outcome.status > 1 ? ["grep ended with \(outcome.status)"] : [])
    }

    /// Every row of every table as text, bytes in hexadecimal.
    static func dump(_ database: PostgresAddress) async throws -> (text: String, columns: Int) {
        let connection = try await PostgresConnection.connect(to: database)
        let tables = try await connection.query(
            """
            select format('%I.%I', table_schema, table_name)
            from information_schema.tables
            where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
            """
        ).map { try $0.text(0) }
        let columns = try await connection.query(
            """
            select count(*) from information_schema.columns
            where table_schema not in ('pg_catalog', 'information_schema')
            """
        )[0].int(0)
        var text = ""
        for table in tables {
            let rows = try await connection.query("select stored::text from \(table) as stored").map { try $0.text(0) }
            text += "\(table)\n\(rows.joined(separator: "\n"))\n"
        }
        return (text, Int(columns))
    }

    static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: Data) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, data)
    }
}
