// swift-format-ignore-file: NeverForceUnwrap

// Uses kits/swift with a daemon, as an app does: offline, over several launches, and while the server makes trouble.
// What needs no daemon is in kits/vectors.jsonl.
import Foundation

let environment = ProcessInfo.processInfo.environment
let url = URL(string: environment["KIT_URL"] ?? "")!
let folder = URL(fileURLWithPath: environment["KIT_FOLDER"] ?? "")

func launch(_ url: URL) async -> TributaryApp {
    let key = environment["KIT_KEY"]
    let app = TributaryApp(url: url, key: key, appVersion: "3.1", folder: folder, debug: { print($0) })
    await app.setConsent(true)
    return app
}

func check(_ isSo: Bool, _ what: String) {
    guard isSo else {
        print("swift: \(what)")
        exit(1)
    }
}

let offline = await launch(URL(string: "http://127.0.0.1:1")!)
check(await offline.findLink(code: "AAAA AAAA") == .noAnswer, "found a link offline")
await offline.opened(by: nil)
await offline.held?.value
await offline.send()
check(await offline.lastStatus == nil, "has an answer offline")

// The next launch asks for what was pasted, then the server makes trouble until it lets the events pass.
let online = await launch(url)
check(await !online.isFirstLaunch, "the install is told twice")
check(await online.findLink(pasted: "not a link + 100 % &") == .notFound, "found a link in rubbish")
check(await online.findLink(code: "000 0000") == .notFound, "found a link by no code")
let link = environment["KIT_LINK"] ?? ""
let long = String(repeating: "long ", count: 999)
for text in ["look: \(link)", "\(long) \(link) \(long)"] {
    guard case .found(let found) = await online.findLink(pasted: text), found.clickID == environment["KIT_CLICK"] else {
        check(false, "the pasted link was not found")
        continue
    }
}
await online.opened(by: URL(string: "https://shop.example/?fb_source=search"))
await online.posted(callback: URL(string: "fbconnect://cancel")!, ref: "recipe")
for _ in 0..<11 where await online.waitingCount > 0 {
    await online.send()
    try await Task.sleep(nanoseconds: 1_100_000_000)
}
check(await online.waitingCount == 0, "events still wait")
for _ in 0..<10 { _ = await online.findLink(code: "AAAA AAAA") }
guard case .tooManyTries = await online.findLink(code: "AAAA AAAA") else {
    check(false, "no limit of wrong codes is told")
    exit(1)
}

// What a launch costs: reading the file, and writing the first event. The first one of the process is not counted.
let clock = ContinuousClock()
let costs = folder.appendingPathComponent("costs")
var times: [Duration] = []
for _ in 0..<200 {
    let app = TributaryApp(url: url, key: nil, folder: costs)
    times.append(
        await clock.measure {
            await app.setConsent(true, alreadyInstalled: true)
            _ = await app.isFirstLaunch
        }
    )
}
print("a launch takes \(times.sorted()[100]) (the median of 200)")
