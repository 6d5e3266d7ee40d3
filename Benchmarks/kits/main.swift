// Measures what the kit for Swift takes at a launch. Benchmarks/kits/run compiles it with the kit's files.
import CAllocator
import Foundation
import FoundationNetworking

/// What is allocated in all arenas, in bytes; and now.
struct Point {
    let heap = { Int($0.uordblks) + Int($0.hblkhd) }(mallinfo2())
    let time = ContinuousClock.now
}

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let waiting = Int(CommandLine.arguments[2]) ?? 0
// Nothing listens there.
guard let server = URL(string: "http://127.0.0.1:9") else { exit(1) }
let isFirst = CommandLine.arguments.count > 3
if isFirst {
    let app = TributaryApp(server, "trib_a_x", "1.0", folder, "ios", nil, .init { _ in nil })
    await app.setConsent(true, alreadyInstalled: true)
    for number in 0..<waiting { await app.add("conversion", ["name": "purchase", "value": "\(number)"]) }
    await app.settle()
    exit(0)
}

// What an app has anyway that has read a file, written a date and asked a server.
_ = try JSONEncoder().encode(["a": "b"])
_ = try JSONDecoder().decode([String: String].self, from: Data(#"{"a":"b"}"#.utf8))
_ = try JSONSerialization.data(withJSONObject: ["a": "b"])
let format = ISO8601DateFormatter()
format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
_ = format.string(from: Date()) + UUID().uuidString
try Data("x".utf8).write(to: folder.appendingPathComponent("other"), options: .atomic)
_ = try Data(contentsOf: folder.appendingPathComponent("other"))
_ = try? await URLSession(configuration: .ephemeral).data(from: server)

let start = Point()
let app = TributaryApp(url: server, key: "trib_a_x", appVersion: "1.0", folder: folder)
let made = Point()
await app.setConsent(true, alreadyInstalled: true)
await app.opened(by: nil)
await app.settle()
let end = Point()
print(
    "swift, \(waiting) waiting: \((end.heap - start.heap) / 1000) KB after the launch;",
    "on the caller's thread \(Int((made.time - start.time) / .microseconds(1))) µs"
)
