import Foundation
import Redirects

/// The checks of an app's settings and of the association files on its hosts.
enum AppCheck {
    /// What Apple reads at most, in bytes.
    private static let fileLimit = 128 << 10

    private struct File {
        let path: String
        let agent: String
        let expected: String?
        let findings: ([UInt8]) -> [AssociationFinding]
    }

    static func settings(_ app: LinkApp, hosts: [String]) -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        let update = "tributary app update \(app.id)"
        if hosts.isEmpty {
            findings.append(
                DoctorFinding(
                    .wrong,
                    "settings: no host serves links",
                    advice: "'\(update) --link-host HOST' sets one."
                )
            )
        }
        guard app.deepLinking else {
            findings.append(DoctorFinding(.warning, "settings: deep linking is off, so that links never open the app"))
            return findings + [uncarried(app)].compactMap { $0 }
        }
        if !app.isAssociated(on: .ios) {
            let advice = "'\(update) --apple-team-id TEAM --bundle-id BUNDLE' lets the system open the app itself."
            findings.append(
                DoctorFinding(.warning, "settings: iPhones do not open the app by its links", advice: advice)
            )
        }
        if !app.isAssociated(on: .android) {
            let advice = "'\(update) --android-package PACKAGE --android-cert SHA256'; of Play's own certificate, too."
            findings.append(
                DoctorFinding(.warning, "settings: Android does not open the app by its links", advice: advice)
            )
        }
        if let finding = uncarried(app) { findings.append(finding) }
        if !app.isListed {
            let advice = "'\(update) --iphone-store-id ID --android-package PACKAGE'."
            findings.append(
                DoctorFinding(.warning, "settings: the app is in no store, so links lead to pages only", advice: advice)
            )
        }
        return findings
    }

    /// Why nobody carries what `--ios-carry` says; nil if somebody does, or if it is off.
    static func uncarried(_ app: LinkApp) -> DoctorFinding? {
        guard app.iosCarry != .off else { return nil }
        let update = "tributary app update \(app.id)"
        guard app.deepLinking else {
            return DoctorFinding(
                .warning,
                "settings: --ios-carry has no effect while deep linking is off",
                advice: "'\(update) --deep-linking on' lets links lead to the app and its stores."
            )
        }
        guard app.store(for: .iPhone) == nil, app.store(for: .iPad) == nil else { return nil }
        return DoctorFinding(
            .warning,
            "settings: --ios-carry has no effect without a store",
            advice: "'\(update) --iphone-store-id ID' sets one; the button that leads there carries the click."
        )
    }

    static func files(of app: LinkApp, on host: String, _ client: HostClient) async -> [DoctorFinding] {
        let files = [
            File(
                path: "/.well-known/apple-app-site-association",
                agent: "AASA-Bot/1.0.0",
                expected: AssociationFiles.apple(app)
            ) { AssociationFinding.apple($0, for: app, opening: "/any-link") },
            File(
                path: "/.well-known/assetlinks.json",
                agent: "Mozilla/5.0 (compatible; Google-Digital-Asset-Links)",
                expected: AssociationFiles.android(app)
            ) { AssociationFinding.android($0, for: app) },
        ]
        var findings: [DoctorFinding] = []
        for file in files where file.expected != nil {
            do throws(HostClient.Failure) {
                let answer = try await client.ask(host, file.path, agent: file.agent)
                findings += judged(answer, file, on: host)
            } catch {
                // The next file would fail in the same way.
                return findings + [DoctorFinding(.wrong, "\(host): \(error.reason)")]
            }
        }
        if findings.isEmpty, let failure = await unreachable(host, client) { findings.append(failure) }
        if client.base?.hasPrefix("http:") == true {
            findings.append(DoctorFinding(.warning, "\(host): TLS was not checked, because of --base-url"))
        }
        return findings
    }

    /// A host without files must answer, too.
    private static func unreachable(_ host: String, _ client: HostClient) async -> DoctorFinding? {
        do throws(HostClient.Failure) {
            _ = try await client.ask(host, "/robots.txt", agent: "Mozilla/5.0")
            return nil
        } catch {
            return DoctorFinding(.wrong, "\(host): \(error.reason)")
        }
    }

    private static func judged(_ answer: HostClient.Answer, _ file: File, on host: String) -> [DoctorFinding] {
        let name = "\(host): \(file.path.split(separator: "/").last ?? "")"
        func wrong(_ what: String, _ advice: String? = nil) -> [DoctorFinding] {
            [DoctorFinding(.wrong, "\(name) \(what)", advice: advice)]
        }
        if (300..<400).contains(answer.status) {
            return wrong(
                "is redirected to \(answer.header("location") ?? "nowhere"); Apple and Google follow no redirect",
                "Serve it at this host itself, over https."
            )
        }
        guard answer.status == 200 else {
            return wrong(
                "is answered with \(answer.status)",
                answer.advice(
                    otherwise: "Does a firewall stop programs that are no browsers? Let Apple and Google through."
                )
            )
        }
        var findings: [DoctorFinding] = []
        let type = answer.header("content-type") ?? ""
        if type.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased() != "application/json" {
            findings += wrong("has the content type '\(type)'; it must be application/json")
        }
        if answer.body.count > fileLimit { findings += wrong("is larger than 128 KiB; Apple reads no more") }
        findings += file.findings(answer.body).map {
            DoctorFinding($0.isWrong ? .wrong : .warning, "\(name) \($0.text)")
        }
        return findings.isEmpty ? [DoctorFinding(.good, "\(name) is as the settings say")] : findings
    }
}
