import ArgumentParser
import Dispatch
import Foundation

/// `make torture`: load, faults, and then the count.
@main
struct Torture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send events while everything breaks, then prove that none was lost and none stored twice.",
        discussion: """
            Starts two daemons and a PostgreSQL of its own, all in a temporary folder. Exit status: 0 if nothing was \
            lost, doubled or unknown; 1 otherwise, and then the folder with the logs and the journal is kept.
            """
    )

    @Option(help: "How long faults are injected, in seconds.")
    var seconds = 60

    @Option(help: "What is sent and which faults come follows from it.")
    var seed: UInt64 = 1

    @Option(help: "How many senders there are.")
    var senders = 12

    @Flag(help: "Keep the folder also after a success.")
    var keep = false

    mutating func validate() throws {
        guard (1...86_400).contains(seconds) else { throw ValidationError("--seconds takes 1 to 86400") }
        guard (1...1_000).contains(senders) else { throw ValidationError("--senders takes 1 to 1000") }
    }

    mutating func run() async throws {
        // A connection that is cut must not end the torture.
        signal(SIGPIPE, SIG_IGN)
        let run = try TortureRun(seconds: seconds, seed: seed, senders: senders)
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
}
