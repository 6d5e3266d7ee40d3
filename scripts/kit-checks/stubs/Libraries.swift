// What the snippets of the pages call, of Facebook's SDK, of Apple and of an app itself.
import SwiftUI
import UIKit

@MainActor public struct ContentView: View { public init() {} }

enum ATTrackingManager {
    enum Status { case authorized, denied }
    static var trackingAuthorizationStatus: Status { .denied }
}

enum AppLinkUtility {
    static func fetchDeferredAppLink(_ handler: @escaping (URL?, (any Error)?) -> Void) {}
}

protocol Sharing {}
protocol SharingDelegate {
    func sharer(_ sharer: any Sharing, didCompleteWithResults results: [String: Any])
    func sharerDidCancel(_ sharer: any Sharing)
    func sharer(_ sharer: any Sharing, didFailWithError error: any Error)
}
