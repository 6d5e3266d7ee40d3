// Uses docs/recipes/TributaryApp.swift as an app does, over several launches: each launch is a new value.
import Foundation

let environment = ProcessInfo.processInfo.environment
let url = URL(string: environment["KIT_URL"] ?? "")!
let folder = URL(fileURLWithPath: environment["KIT_FOLDER"] ?? "")
let file = folder.appendingPathComponent("tributary.json")

func launch(_ url: URL = url) async -> TributaryApp {
    let app = TributaryApp(url: url, key: environment["KIT_KEY"], appVersion: "3.1", folder: folder)
    await app.setConsent(true)
    return app
}

func check(_ isSo: Bool, _ what: String) {
    guard isSo else {
        print("swift: \(what)")
        exit(1)
    }
}

// Without consent nothing is stored or sent.
let silent = TributaryApp(url: url, key: nil, folder: folder)
await silent.setConsent(false)
await silent.opened(by: URL(string: "https://shop.example/"))
await silent.posted(callback: URL(string: "fbconnect://success?post_id=1_2")!)
check(!FileManager.default.fileExists(atPath: file.path), "stored something without consent")

// Offline: the events wait in the file.
let offline = await launch(URL(string: "http://127.0.0.1:1")!)
let isFirst = await offline.isFirstLaunch
check(isFirst, "not the first launch")
let missed = await offline.findLink(code: "AAAA AAAA")
check(missed == nil, "found a link offline")
await offline.opened(by: nil)
await offline.opened(by: nil)

// The next launch asks for what was pasted, then the server makes trouble until it lets the events pass.
let online = await launch()
let wasFirst = await online.isFirstLaunch
check(!wasFirst, "the install is told twice")
let nothing = await online.findLink(pasted: "not a link + 100 % &")
check(nothing == nil, "found a link in rubbish")
let found = await online.findLink(pasted: "look: \(environment["KIT_LINK"] ?? "")")
check(found?.clickID == environment["KIT_CLICK"], "the pasted link was not found: \(String(describing: found))")
await online.opened(by: URL(string: "https://shop.example/?fb_source=search"))
await online.posted(callback: URL(string: "fbconnect://cancel")!, ref: "recipe")
for _ in 0..<9 {
    await online.send()
    try await Task.sleep(nanoseconds: 1_100_000_000)
}
let again = await launch(URL(string: "http://127.0.0.1:1")!)
let text = try String(contentsOf: file, encoding: .utf8)
check(!text.contains("event_id"), "events still wait: \(text)")
await again.setConsent(false)
check(!FileManager.default.fileExists(atPath: file.path), "kept something after the consent was taken back")
