// swift-format-ignore-file: NeverForceUnwrap

// Uses docs/recipes/TributaryApp.swift as an app does, over several launches: each launch is a new value. Prints the
// ids of the vectors that it has run.
import Foundation

let environment = ProcessInfo.processInfo.environment
let url = URL(string: environment["KIT_URL"] ?? "")!
let folder = URL(fileURLWithPath: environment["KIT_FOLDER"] ?? "")
let file = folder.appendingPathComponent("tributary.json")
let nowhere = URL(string: "http://127.0.0.1:1")!

func launch(_ url: URL = url, in folder: URL = folder, alreadyInstalled: Bool = false) async -> TributaryApp {
    let app = TributaryApp(url: url, key: environment["KIT_KEY"], appVersion: "3.1", folder: folder)
    await app.setConsent(true, alreadyInstalled: alreadyInstalled)
    return app
}

func check(_ isSo: Bool, _ what: String) {
    guard isSo else {
        print("swift: \(what)")
        exit(1)
    }
}

/// The events that wait.
func events(in file: URL = file) throws -> [[String: Any]] {
    let state = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let events = state?["events"] as? [[String: String]] ?? []
    return try events.compactMap { event in
        try JSONSerialization.jsonObject(with: Data((event["json"] ?? "").utf8)) as? [String: Any]
    }
}

func types(in file: URL = file) throws -> [String] { try events(in: file).map { $0["type"] as? String ?? "" } }

/// Longer than the kit waits for the link of a launch.
func waitForTheInstall() async throws { try await Task.sleep(nanoseconds: 3_000_000_000) }

// Without consent nothing is stored or sent.
let silent = TributaryApp(url: url, key: nil, folder: folder)
await silent.setConsent(false)
await silent.opened(by: URL(string: "https://shop.example/"))
await silent.opened(by: nil)
await silent.posted(callback: URL(string: "fbconnect://success?post_id=1_2")!)
check(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "stored something without consent")

// Offline: the events wait in the file.
let offline = await launch(nowhere)
check(await offline.isFirstLaunch, "not the first launch")
check(await offline.findLink(code: "AAAA AAAA") == .noAnswer, "found a link offline")
await offline.opened(by: nil)
await offline.opened(by: nil)
check(await !offline.isFirstLaunch, "still the first launch")
check(try types() == [], "did not wait for the link of the launch")
try await waitForTheInstall()
check(try types() == ["install", "app_open"], "told \(try types()) at the first launch")

// The next launch asks for what was pasted, then the server makes trouble until it lets the events pass.
let online = await launch()
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
for _ in 0..<11 {
    await online.send()
    try await Task.sleep(nanoseconds: 1_100_000_000)
}
check(try events().isEmpty, "events still wait: \(try events())")
for _ in 0..<10 { _ = await online.findLink(code: "AAAA AAAA") }
guard case .tooManyTries = await online.findLink(code: "AAAA AAAA") else {
    check(false, "no limit of wrong codes is told")
    exit(1)
}

// Taken back and given again: another id, the same installation.
let device = await online.deviceID
await online.setConsent(false)
check(
    try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tributary.installed"],
    "kept something without consent"
)
check(try Data(contentsOf: folder.appendingPathComponent("tributary.installed")).isEmpty, "the mark is more than a bit")
let again = await launch(nowhere)
let other = await again.deviceID
check(other != nil && other != device, "kept the id without consent")
check(await !again.isFirstLaunch, "is installed a second time")
await again.opened(by: nil)
check(try types() == ["app_open"], "told \(try types()) after a second consent")

// A link that SwiftUI tells after the launch comes before the install, which is told once.
let late = folder.appendingPathComponent("late")
let launched = await launch(nowhere, in: late)
await launched.opened(by: nil)
await launched.opened(by: URL(string: "https://go.example/sale"))
try await waitForTheInstall()
let lateFile = late.appendingPathComponent("tributary.json")
check(
    try types(in: lateFile) == ["inbound_link", "install"],
    "told \(try types(in: lateFile)) of a launch with a link"
)

// The app was there before the kit.
let old = folder.appendingPathComponent("old")
let oldFile = old.appendingPathComponent("tributary.json")
let updated = await launch(nowhere, in: old, alreadyInstalled: true)
check(await !updated.isFirstLaunch, "an old app is installed anew")
await updated.opened(by: nil)
check(try types(in: oldFile) == ["app_open"], "told \(try types(in: oldFile)) of an old app")

// A damaged file is no first launch, and neither is one that cannot be read.
try Data("{\"device".utf8).write(to: oldFile)
check(await !launch(nowhere, in: old).isFirstLaunch, "a damaged file makes a new installation")
try FileManager.default.removeItem(at: oldFile)
try FileManager.default.createDirectory(at: oldFile, withIntermediateDirectories: true)
let locked = await launch(nowhere, in: old)
await locked.opened(by: nil)
check(await !locked.isFirstLaunch, "a file that cannot be read makes a new installation")
check(await locked.deviceID == nil, "makes an id without its file")
var isFolder: ObjCBool = false
check(
    FileManager.default.fileExists(atPath: oldFile.path, isDirectory: &isFolder) && isFolder.boolValue,
    "overwrote it"
)
try FileManager.default.removeItem(at: oldFile)
try Data(#"{"deviceID":"d-1","hasInstall":true,"events":[]}"#.utf8).write(to: oldFile)
check(await locked.deviceID == "d-1", "does not read the file again")
print("c4-kit-07")

// The newest thousand.
for number in 0..<1_100 { await locked.add("app_open", ["language": "\(number)"]) }
let numbers = try events(in: oldFile).map { $0["language"] as? String ?? "" }
check(numbers == (100..<1_100).map(String.init), "keeps other events than the newest thousand")
