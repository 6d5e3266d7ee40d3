#if canImport(Darwin)
    package import Darwin
#elseif canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#endif

/// A program to run, in a session of its own so that an interrupt at the terminal does not reach it, with no more of this
/// process's files than named here and with hardly any of its environment.
package struct SystemCommand {
    /// A program that could not be started; `code` is the system's `errno`.
    package struct Failure: Error, CustomStringConvertible {
        package var program: String
        package var code: Int32
        package var description: String { "\(program): \(String(cString: strerror(code)))" }
    }

    /// How a program ended, and what it said.
    package struct Outcome {
        /// The exit status; 128 and the signal's number after a signal.
        package var status: Int32
        /// Standard output and, if asked for, standard error.
        package var output: String
    }

    package var arguments: [String]
    /// Standard input; nothing if nil. The descriptor is closed in this process neither way.
    package var standardInput: Int32?
    package var mergesStandardError: Bool

    /// - Parameter arguments: the program's path and its arguments.
    package init(_ arguments: [String], standardInput: Int32? = nil, mergesStandardError: Bool = true) {
        self.arguments = arguments
        self.standardInput = standardInput
        self.mergesStandardError = mergesStandardError
    }

    /// Runs it to its end.
    package func run() throws(Failure) -> Outcome {
        let (process, output) = try start()
        defer { close(output) }
        let content = (try? SystemFile.readAll(output, arguments[0])) ?? []
        return Outcome(status: Self.wait(process), output: String(decoding: content, as: UTF8.self))
    }

    /// Starts it.
    ///
    /// - Returns: the process, which the caller must wait for, and the reading end of its standard output.
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
        // A server must neither ignore nor block what this process does.
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

    /// Waits for a child's end.
    @discardableResult
    package static func wait(_ process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return -1 }
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Both ends close on exec, so that no other child holds them open.
    package static func makePipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }

    /// Descriptors that other code of this process has open, perhaps without closing them on exec: a server that outlives
    /// this process would keep, say, its listening socket.
    private static func openDescriptors() -> [Int32] {
        SystemFile.names(in: "/proc/self/fd").compactMap { Int32($0) }
    }

    /// What a program needs to be found and loaded. The rest of this process's environment may hold secrets, which another
    /// account must not see, or `PG…` variables that would steer PostgreSQL. Messages stay English: they are read.
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
