#if canImport(UIKit)
    import UIKit

    extension TributaryApp {
        /// Call it when somebody has tapped a `UIPasteControl` (iOS 16): iOS then asks nobody for permission. Only a
        /// link of yours leaves the phone.
        @MainActor
        public func findLink(in providers: [NSItemProvider], host: String) async -> Finding {
            for provider in providers where provider.canLoadObject(ofClass: URL.self) {
                let pasted: URL? = await withCheckedContinuation { continuation in
                    _ = provider.loadObject(ofClass: URL.self) { url, _ in continuation.resume(returning: url) }
                }
                guard let pasted else { continue }
                let finding = await findLink(copied: pasted.absoluteString, host: host)
                if finding != .notFound { return finding }
            }
            return .notFound
        }
    }
#endif
