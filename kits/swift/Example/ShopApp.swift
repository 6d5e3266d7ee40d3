// swift-format-ignore-file: NeverForceUnwrap

// A whole app in SwiftUI. SwiftUI calls `onOpenURL` beside `task`, in any order: without a link, the kit holds the
// install back for two seconds, so that a link of the same launch goes first.
import SwiftUI
import Tributary

@main
struct ShopApp: App {
    let tributary = TributaryApp(
        url: URL(string: "https://events.example.com")!,
        key: "trib_a_…",
        appVersion: "3.1",
        debug: { print($0) }
    )
    let wasHere = UserDefaults.standard.object(forKey: "a key that your app has always written") != nil
    @AppStorage("consent") private var hasConsented = false
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup {
            ContentView()
                .task { await opened(by: nil) }
                .onOpenURL { url in Task { await opened(by: url) } }
                .onChange(of: phase) { phase in
                    if phase == .active { Task { await opened(by: nil) } }
                }
        }
    }

    private func opened(by url: URL?) async {
        await tributary.setConsent(hasConsented, alreadyInstalled: wasHere)
        await tributary.opened(by: url)
    }
}
