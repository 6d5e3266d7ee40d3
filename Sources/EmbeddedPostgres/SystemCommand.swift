#if canImport(Darwin)
    package import Darwin
#elseif canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#endif

/// A program to run. It runs in a session of its own, so that an interrupt at the terminal does not reach it. It
/// inherits no open files but those named here, and only a few environment variables.
package struct SystemCommand {
    /// The program could not be started. `code` is the system's `errno`.
    package struct Failure: Error, CustomStringConvertible {
        package var program: String
        package var code: Int32
        package var description: String { "\(program): \(String(cString: strerror(code)))" }
    }

    /// How a program ended, and what it printed.
    package struct Outcome {
        /// The exit status. After a signal, 128 plus the signal's number.
        package var status: Int32
        /// Standard output, and standard error if ``SystemCommand/mergesStandardError`` is set.
        package var output: String
    }

    package var arguments: [String]
    /// Standard input; nil: `/dev/null`. This process keeps the descriptor open.
    package var standardInput: Int32?
    package var mergesStandardError: Bool

    /// - Parameter arguments: the program's path and its arguments.
    package init(_ arguments: [String], standardInput: Int32? = nil, mergesStandardError: Bool = true) {
        self.arguments = arguments
        self.standardInput = standardInput
        self.mergesStandardError = mergesStandardError
    }

    /// Runs the program and waits until it ends.
    package func run() throws(Failure) -> Outcome {
        let (process, output) = try start()
        defer { close(output) }
        let content = (try? SystemFile.readAll(output, arguments[0])) ?? []
        return Outcome(status: Self.wait(process), output: String(decoding: content, as: UTF8.self))
    }

    /// Starts the program.
    ///
    /// - Returns: the process, for which the caller must wait, and the reading end of its standard output.
    package func start() throws(Failure) -> (process: pid_t, output: Int32) {
        guard let program = arguments.first, let pipe = Self.makePipe() else {
            throw Failure(program: arguments.first ?? "", code: errno)
        }
        defer { close(pipe.writing) }

        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
            let flags =
                Int32(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
                | Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
            // POSIX_SPAWN_SETSID, which the Swift overlay does not import.
            let flags = Int32(0x80) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // The program must not inherit the signals that this process ignores or blocks.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
        if let standardInput {
            posix_spawn_file_actions_adddup2(&actions, standardInput, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, pipe.writing, 1)
        if mergesStandardError {
            posix_spawn_file_actions_adddup2(&actions, pipe.writing, 2)
        }
        #if !canImport(Darwin)
            for descriptor in Self.openDescriptors() where descriptor > 2 {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        #endif

        var process: pid_t = 0
        let code = Self.withCStrings(arguments) { arguments in
            Self.withCStrings(Self.environment) { environment in
                posix_spawn(&process, program, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else {
            close(pipe.reading)
            throw Failure(program: program, code: code)
        }
        return (process, pipe.reading)
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

    /// A pipe whose ends are closed on exec, so that no other child process holds them open.
    package static func makePipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }

    /// The open descriptors of this process. Other code may have opened some without closing them on exec. A server
    /// that outlives this process would keep them open, for example its listening socket.
    private static func openDescriptors() -> [Int32] {
        SystemFile.names(in: "/proc/self/fd").compactMap { Int32($0) }
    }

    /// The variables that programs need to be found and loaded. Others may hold secrets, which another account must not
    /// see, or are `PG…` variables, which would change what PostgreSQL does. `LC_ALL=C` keeps messages in English,
    /// because this program reads them.
    private static var environment: [String] {
        let names = [
            "PATH", "HOME", "TMPDIR", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH",
        ]
        let kept = names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
        return kept + ["LC_ALL=C"]
    }

    private static func withCStrings<R>(
        _ strings: [String],
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
    ) -> R {
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: strings.count + 1)
        for (index, string) in strings.enumerated() {
            pointers[index] = strdup(string)
        }
        pointers[strings.count] = nil
        defer {
            for index in strings.indices {
                free(pointers[index])
            }
            pointers.deallocate()
        }
        return body(pointers)
    }
}
