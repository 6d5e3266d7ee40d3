import EmbeddedPostgres
import Foundation
import Synchronization

/// Ends the started processes and removes the files, however this process ends. It is a shell that waits for the end of
/// a pipe from this process.
final class Reaper: Sendable {
    private struct State {
        var writing: FileHandle
        var isDone = false
    }

    private let state: Mutex<State>
    private let process: pid_t
    private let output: FileHandle

    init(folder: String) throws {
        let pipe = SystemCommand.makePipe()
        let input = pipe.fileHandleForReading
        (process, output) = try SystemCommand(
            ["/bin/sh", "-c", Self.script, folder],
            standardInput: input.fileDescriptor
        ).start()
        try input.close()
        state = Mutex(State(writing: pipe.fileHandleForWriting))
    }

    /// A process, a data folder with its `postmaster.pid`, or a mount to clean up.
    func watch(process: Int32) { tell("+ \(process)") }
    func forget(process: Int32) { tell("- \(process)") }
    func watch(cluster folder: String) { tell("c \(folder)") }
    func watch(mount folder: String) { tell("m \(folder)") }
    /// Keeps the folder, but not the mounts in it.
    func keepFolder() { tell("k") }

    /// Ends everything now.
    func end() {
        let writing = state.withLock { state -> FileHandle? in
            defer { state.isDone = true }
            return state.isDone ? nil : state.writing
        }
        guard let writing else { return }
        try? writing.close()
        SystemCommand.wait(process)
        try? output.close()
    }

    private func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        state.withLock { state in
            guard !state.isDone else { return }
            try? state.writing.write(contentsOf: bytes)
        }
    }

    /// Finds a server by its pid file. Its sessions are its children, even if they were stopped.
    private static let script = """
        trap '' INT TERM HUP PIPE
        processes=; clusters=; mounts=; keep=
        while read -r word value; do
            case $word in
            +) processes="$processes $value" ;;
            -) rest=; for p in $processes; do [ "$p" = "$value" ] || rest="$rest $p"; done; processes=$rest ;;
            c) clusters="$clusters $value" ;;
            m) mounts="$mounts $value" ;;
            k) keep=1 ;;
            esac
        done
        for p in $processes; do kill -CONT "$p"; kill -9 "$p"; done 2>/dev/null
        for c in $clusters; do
            p=$(head -n 1 "$c/postmaster.pid" 2>/dev/null) || continue
            [ "$(readlink "/proc/$p/cwd")" = "$c" ] || continue
            children=$(cat "/proc/$p/task/$p/children" 2>/dev/null)
            kill -CONT $p $children 2>/dev/null
            kill -QUIT $p
            tries=0
            while kill -0 $p 2>/dev/null && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
            kill -9 $p $children 2>/dev/null
        done
        for m in $mounts; do umount "$m" || { sleep 1; umount -l "$m"; }; done 2>/dev/null
        [ -n "$keep" ] || rm -rf "$0"
        """
}
