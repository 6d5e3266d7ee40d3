import JSONReading

/// What there is to say of an association file that a host serves, beside the settings of the app.
package struct AssociationFinding: Equatable, Sendable {
    /// Whether phones do not open the app because of it. Otherwise it is only worth knowing.
    package var isWrong: Bool
    /// A sentence that goes on after the name of the file.
    package var text: String

    private static func wrong(_ text: String) -> Self { Self(isWrong: true, text: text) }
    private static func note(_ text: String) -> Self { Self(isWrong: false, text: text) }

    /// - Parameters:
    ///   - body: of `/.well-known/apple-app-site-association`.
    ///   - path: of a link, which must lead to the app; nil to leave that out.
    /// - Returns: nothing if the file says what the settings say.
    package static func apple(_ body: some Sequence<UInt8>, for app: LinkApp, opening path: String?) -> [Self] {
        guard let root = try? JSONDocument(reading: body).root else { return [.wrong("is not JSON")] }
        guard let details = root["applinks"]?["details"] else { return [.wrong("has no applinks.details")] }
        var served: [(id: String, detail: JSONNode)] = []
        for detail in details.elements {
            let ids = detail["appIDs"].map { Array($0.elements) } ?? [detail["appID"]].compactMap(\.self)
            served += ids.compactMap(\.string).map { ($0, detail) }
        }
        let expected = app.bundleIDs.map { "\(app.appleTeamID ?? "").\($0)" }
        var findings: [Self] = []
        for id in expected {
            let details = served.filter { $0.id == id }.map(\.detail)
            if details.isEmpty {
                findings.append(.wrong("does not name \(id), so iPhones do not open the app"))
            } else if let path, !details.contains(where: { opens(path, $0) }) {
                findings.append(.wrong("names \(id), but not for \(path): its components or paths leave it out"))
            }
        }
        for (id, _) in served where !expected.contains(id) {
            findings.append(.note("also names \(id), which the settings do not"))
        }
        return findings
    }

    /// - Parameter body: of `/.well-known/assetlinks.json`.
    package static func android(_ body: some Sequence<UInt8>, for app: LinkApp) -> [Self] {
        guard let root = try? JSONDocument(reading: body).root, root.kind == .array else {
            return [.wrong("is not a JSON array")]
        }
        let package = app.androidPackage ?? ""
        let targets = root.elements.filter { statement in
            statement["relation"]?.elements.contains { $0.string == "delegate_permission/common.handle_all_urls" }
                ?? false
        }.compactMap { $0["target"] }.filter { $0["package_name"]?.string == package }
        guard !targets.isEmpty else { return [.wrong("does not name \(package), so Android does not open the app")] }
        let served = targets.flatMap { $0["sha256_cert_fingerprints"].map { Array($0.elements) } ?? [] }
            .compactMap(\.string)
        var findings: [Self] = []
        for certificate in app.androidCertificates where !served.contains(certificate) {
            findings.append(
                served.contains { $0.uppercased() == certificate }
                    ? .wrong("has the fingerprint \(certificate) in lower case; Android wants upper case")
                    : .wrong("lacks the certificate \(certificate) of \(package)")
            )
        }
        for certificate in served where !app.androidCertificates.contains(certificate.uppercased()) {
            findings.append(.note("also has the certificate \(certificate), which the settings do not"))
        }
        return findings
    }

    /// Whether an entry leads a path to its app: the first component that fits decides; of older files, `paths`.
    private static func opens(_ path: String, _ detail: JSONNode) -> Bool {
        let rules: [(pattern: String, isExcluded: Bool)]
        if let components = detail["components"] {
            // A component that asks for a query or a fragment fits no path without them.
            rules = components.elements.filter { $0["?"] == nil && $0["#"] == nil }.map { component in
                (component["/"]?.string ?? "*", component["exclude"]?.bool ?? false)
            }
        } else {
            rules = (detail["paths"].map { Array($0.elements) } ?? []).compactMap(\.string).map { text in
                text.hasPrefix("NOT ") ? (String(text.dropFirst(4)), true) : (text, false)
            }
        }
        return rules.first { fits(Array(path.utf8)[...], Array($0.pattern.utf8)[...]) }.map { !$0.isExcluded } ?? false
    }

    /// `*` stands for any characters, `?` for one.
    private static func fits(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        guard let sign = pattern.first else { return text.isEmpty }
        switch sign {
        case UInt8(ascii: "*"):
            let rest = pattern.drop { $0 == sign }
            return rest.isEmpty || text.indices.contains { fits(text[$0...], rest) }
        case UInt8(ascii: "?"): return !text.isEmpty && fits(text.dropFirst(), pattern.dropFirst())
        default: return text.first == sign && fits(text.dropFirst(), pattern.dropFirst())
        }
    }
}
