import EmbeddedPostgres
import Foundation
package import Postgres

/// A shell that starts servers in a temporary folder and waits at a pipe. When this process closes the pipe, or ends,
/// however that happens, the shell ends the servers and removes the folder.
package struct ServerShell: Sendable {
    package enum Failure: Error {
        case notStarted(String)
    }

    package let folder: String
    private let process: pid_t
    /// This process's end of the pipe.
    private let lifeline: FileHandle

    /// Returns when the servers are ready.
    ///
    /// - Parameters:
    ///   - script: prints `ready` as the last line when the servers are ready, and closes standard output then. If they
    ///     fail, it prints the reason and ends. `$0` is the folder.
    ///   - arguments: `$1` and so on.
    ///   - parent: where the folder is made.
    ///   - name: how the folder's name begins.
    package init(_ script: String, _ arguments: [String], in parent: String, named name: String) throws {
        let account = try ServerAccount.current()
        var template = Array("\(parent)/\(name).XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure.notStarted("no temporary folder") }
        folder = template.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        if !account.isOwn {
            // The servers' account owns the folder, so that its shell can remove it. Root can pass anyway.
            try SystemFile.changeOwner(folder, to: account)
        }
        let pipe = SystemCommand.makePipe()
        // Standard output ends when the servers are ready or have failed. Its content is the reason of a failure.
        let (process, output) = try account.command(
            ["/bin/sh", "-c", script, folder] + arguments,
            standardInput: pipe.fileHandleForReading.fileDescriptor
        ).start()
        try pipe.fileHandleForReading.close()
        let message = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
        guard message.hasSuffix("ready\n") else {
            try pipe.fileHandleForWriting.close()
            SystemCommand.wait(process)
            throw Failure.notStarted(message)
        }
        self.process = process
        lifeline = pipe.fileHandleForWriting
    }

    /// The database `postgres` of a server, as a superuser.
    ///
    /// - Parameter socketFolder: where its socket is, below the folder.
    package func address(_ socketFolder: String = "") -> PostgresAddress {
        PostgresAddress(host: folder + socketFolder, database: "postgres", user: "tributary")
    }

    /// The servers end at once. Does not wait for it.
    package func end() { try? lifeline.close() }

    /// Returns when the servers have ended and the folder is gone.
    package func endAndWait() {
        end()
        SystemCommand.wait(process)
    }
}
