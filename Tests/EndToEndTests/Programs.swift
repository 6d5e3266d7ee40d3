import Foundation
import Postgres
import Testing

/// The programs that were built beside the tests.
enum Programs {
    struct Outcome {
        var status: Int32
        var output: String
        var errors: String
    }

    static func url(of name: String) -> URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
    }

    /// An environment in which events of fixed days are never too old.
    static let longRetention = ["TRIBUTARY_RETENTION_DAYS": "36500"]

    /// Runs `tributary` to its end.
    static func tributary(
        _ arguments: [String],
        database: PostgresAddress? = nil,
        input: String? = nil,
        environment: [String: String] = [:]
    ) async throws -> Outcome {
        try await run("tributary", arguments, database: database, input: input, environment: environment)
    }

    /// Runs a program to its end.
    static func run(
        _ program: String,
        _ arguments: [String],
        database: PostgresAddress? = nil,
        input: String? = nil,
        environment: [String: String] = [:]
    ) async throws -> Outcome {
        try await run(url(of: program), arguments, database: database, input: input, environment: environment)
    }

    /// Runs a command line of bash, which finds the programs by their names.
    static func shell(_ command: String, database: PostgresAddress) async throws -> Outcome {
        let folder = url(of: "").path
        let path = "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        return try await run(
            URL(filePath: "/bin/bash"),
            ["-c", command],
            database: database,
            input: nil,
            environment: [
                "PATH": path, "TRIBUTARY_HOME": FileManager.default.temporaryDirectory.appending(path: "shell").path,
            ]
        )
    }

    private static func run(
        _ program: URL,
        _ arguments: [String],
        database: PostgresAddress?,
        input: String?,
        environment: [String: String]
    ) async throws -> Outcome {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(database.map { ["DATABASE_URL": $0.keywords] } ?? [:]) { $1 }
            .merging(environment) { $1 }
        let (input, output, errors) = (input, Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        let standardInput = Pipe()
        process.standardInput = standardInput
        try process.run()
        if let input { try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try standardInput.fileHandleForWriting.close()
        async let outputText = text(of: output.fileHandleForReading)
        async let errorText = text(of: errors.fileHandleForReading)
        let texts = await (outputText, errorText)
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: texts.0, errors: texts.1)
    }

    /// Runs `tributary` with arguments that are wrong: it ends with 64, and says in one line what is wrong.
    static func expectUsageErrors(
        _ cases: [(arguments: [String], hint: String)],
        database: PostgresAddress
    ) async throws {
        for (arguments, hint) in cases {
            let outcome = try await tributary(arguments, database: database)
            #expect(outcome.status == 64, "\(arguments)")
            #expect(outcome.output == "", "\(arguments)")
            #expect(outcome.errors.contains(hint), "\(arguments): \(outcome.errors)")
            #expect(outcome.errors.count { $0 == "\n" } == 1, "\(arguments): \(outcome.errors)")
        }
    }

    private static func text(of handle: FileHandle) async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let data = (try? handle.readToEnd()) ?? nil
                continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
            }
        }
    }
}
