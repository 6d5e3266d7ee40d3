import JSONReading

/// The two files by which a host says that an app may open its links. The systems of phones read them.
package enum AssociationFiles {
    /// `/.well-known/apple-app-site-association`; nil if the app is not associated.
    package static func apple(_ app: LinkApp) -> String? {
        guard app.deepLinking, app.isAssociated(on: .ios), let team = app.appleTeamID else { return nil }
        var json = JSONWriter()
        json.object { json in
            json.key("applinks")
            json.object { json in
                json.key("details")
                json.array { json in
                    json.object { json in
                        json.member("appIDs", app.bundleIDs.map { "\(team).\($0)" })
                        json.key("components")
                        json.array { json in
                            // The daemon's own paths are no links.
                            for path in Slug.reserved.sorted() {
                                component("/\(path)", isExcluded: true, to: &json)
                                component("/\(path)/*", isExcluded: true, to: &json)
                            }
                            component("/?*", isExcluded: false, to: &json)
                        }
                    }
                }
            }
        }
        return json.text
    }

    /// `/.well-known/assetlinks.json`; nil if the app is not associated.
    package static func android(_ app: LinkApp) -> String? {
        guard app.deepLinking, app.isAssociated(on: .android), let package = app.androidPackage else { return nil }
        var json = JSONWriter()
        json.array { json in
            json.object { json in
                json.member("relation", ["delegate_permission/common.handle_all_urls"])
                json.key("target")
                json.object { json in
                    json.member("namespace", "android_app")
                    json.member("package_name", package)
                    json.member("sha256_cert_fingerprints", app.androidCertificates)
                }
            }
        }
        return json.text
    }

    private static func component(_ path: String, isExcluded: Bool, to json: inout JSONWriter) {
        json.object { json in
            json.member("/", path)
            if isExcluded { json.member("exclude", true) }
        }
    }
}
