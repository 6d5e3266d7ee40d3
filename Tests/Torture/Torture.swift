import ArgumentParser
import Dispatch
import Foundation

/// `make torture`: load, faults, and then the comparison.
@main
struct Torture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send events while faults happen, then check that no event was lost or stored twice.",
        discussion: """
            Starts two daemons and a PostgreSQL server in a temporary folder. Ends with status 0 if no event was lost, \
            doubled or unknown. Otherwise ends with 1, and keeps the folder with the logs and the journal.
            """
    )

    @Option(help: "How long faults are injected, in seconds.")
    var seconds = 60

    @Option(help: "How many faults are injected. Then --seconds does not end the run.")
    var faults: Int?

    @Option(help: "The seed of the events and of the faults.")
    var seed: UInt64 = 1

    @Option(help: "The number of senders.")
    var senders = 12

    @Option(help: "The folder of tributary and tributaryd. Without it: torture's own.")
    var programs: String?

    @Flag(help: "Use a Citus cluster: the server is its coordinator, and there are two workers, which fail too.")
    var citus = false

    @Flag(help: "Keep the folder after a success too.")
    var keep = false

    mutating func validate() throws {
        guard (1...86_400).contains(seconds) else { throw ValidationError("--seconds takes 1 to 86400") }
        guard (1...1_000).contains(senders) else { throw ValidationError("--senders takes 1 to 1000") }
    }

    mutating func run() async throws {
        // A broken connection must not end this process.
        signal(SIGPIPE, SIG_IGN)
        let run = try TortureRun(
            programs: programs ?? Self.ownFolder,
            seconds: seconds,
            faults: faults,
            seed: seed,
            senders: senders,
            citus: citus
        )
        let task = Task { try await run.run() }
        // Ctrl-C ends the faults and removes everything.
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                run.reaper.end()
                Foundation.exit(130)
            }
            source.resume()
            return source
        }
        defer { sources.forEach { $0.cancel() } }
        do {
            let isClean = try await task.value
            if keep || !isClean { run.reaper.keepFolder() }
            run.reaper.end()
            if keep || !isClean { print("\nLogs and journal: \(run.folder)") }
            throw ExitCode(isClean ? 0 : 1)
        } catch let code as ExitCode {
            throw code
        } catch {
            run.reaper.keepFolder()
            run.reaper.end()
            print("torture: \(error)\nLogs and journal: \(run.folder)")
            throw ExitCode(2)
        }
    }

    private static var ownFolder: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path
    }
}
