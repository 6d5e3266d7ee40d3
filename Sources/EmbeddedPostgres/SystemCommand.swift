package import Foundation
package import SystemPackage

/// A program to run. It runs in a session of its own, so that an interrupt at the terminal does not reach it. It
/// inherits no open files but those named here, and only a few environment variables.
///
/// Foundation's `Process` is no choice: a server would inherit the signals that this program ignores or blocks.
package struct SystemCommand {
    /// How a program ended, and what it printed.
    package struct Outcome {
        /// The exit status. After a signal, 128 plus the signal's number.
        package var status: Int32
        /// Standard output and standard error.
        package var output: String
    }

    /// The program's path and its arguments.
    package var words: [String]
    /// Standard input; nil: `/dev/null`. This process keeps the descriptor open.
    package var standardInput: Int32?

    package init(_ words: [String], standardInput: Int32? = nil) {
        self.words = words
        self.standardInput = standardInput
    }

    /// Runs the program and waits until it ends. If it cannot be started, its status is 127, as in a shell.
    package func run() -> Outcome {
        do {
            let (process, output) = try start()
            let content = try? output.readToEnd()
            return Outcome(status: Self.wait(process), output: String(decoding: content ?? Data(), as: UTF8.self))
        } catch {
            return Outcome(status: 127, output: "\(words[0]): \(error)")
        }
    }

    /// Starts the program.
    ///
    /// - Returns: the process, for which the caller must wait, and the reading end of its output.
    package func start() throws(Errno) -> (process: pid_t, output: FileHandle) {
        let pipe = Self.makePipe()
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
            let flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
            let flags = 0x80  // POSIX_SPAWN_SETSID, which the Swift overlay does not import
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        // The program must not inherit the signals that this process ignores or blocks.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes,
            Int16(truncatingIfNeeded: Int(flags) | Int(POSIX_SPAWN_SETSIGDEF) | Int(POSIX_SPAWN_SETSIGMASK))
        )
        if let standardInput {
            posix_spawn_file_actions_adddup2(&actions, standardInput, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, pipe.fileHandleForWriting.fileDescriptor, 1)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        #if !canImport(Darwin)
            // Other code may have opened some without closing them on exec, for example a listening socket.
            let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            for descriptor in (open ?? []).compactMap({ Int32($0) }) where descriptor > 2 {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        #endif
        let arguments = words.map { strdup($0) } + [nil]
        let variables = Self.environment.map { strdup($0) } + [nil]
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            for text in arguments + variables { free(text) }
        }
        var process: pid_t = 0
        let code = posix_spawn(&process, words[0], &actions, &attributes, arguments, variables)
        guard code == 0 else { throw Errno(rawValue: code) }
        return (process, pipe.fileHandleForReading)
    }

    /// A pipe whose ends are closed on exec, so that no other child process holds them open.
    package static func makePipe() -> Pipe {
        let pipe = Pipe()
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        return pipe
    }

    /// Waits until a child process ends.
    ///
    /// - Returns: its status as in ``Outcome/status``; -1 if it cannot be waited for.
    @discardableResult
    package static func wait(_ process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return -1 }
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// The variables that programs need to be found and loaded. Others may hold secrets, which another account must not
    /// see, or are `PG…` variables, which would change what PostgreSQL does. `LC_ALL=C` keeps messages in English,
    /// because this program reads them.
    private static var environment: [String] {
        let names: Set = [
            "PATH", "HOME", "TMPDIR", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH",
        ]
        let kept = ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
        return kept.map { "\($0.key)=\($0.value)" } + ["LC_ALL=C"]
    }
}
