import Text

/// What an app's settings for links must fulfil (docs/redirects.md, *The app's settings*).
package enum AppRules {
    /// Everything that is wrong with an app's settings, by field.
    package static func faults(of app: LinkApp) -> [LinkFault] {
        var faults: [LinkFault] = []
        func require(_ isValid: Bool, _ field: String, _ expectation: String) {
            if !isValid { faults.append(LinkFault(.invalidValue, field, "\(field) must be \(expectation)")) }
        }
        let number = "a number of up to 20 digits"
        for (field, id) in [("iphone_store_id", app.iPhoneStoreID), ("ipad_store_id", app.iPadStoreID)] {
            if let id { require(isNumber(id), field, number + ", or 0 if the app is not listed") }
        }
        if let token = app.appleProviderToken { require(isNumber(token), "apple_provider_token", number) }
        if let name = app.androidPackage {
            require(name == "0" || isPackage(name), "android_package", "a package such as com.example.app")
        }
        for certificate in app.androidCertificates {
            require(
                fingerprint(certificate) == certificate,
                "android_cert",
                "a SHA-256 fingerprint: 32 bytes in hexadecimal, with colons between them"
            )
        }
        if let team = app.appleTeamID {
            let isTeam =
                team.utf8.count == 10 && team.utf8.allSatisfy { $0.isASCIIDigit || 0x41...0x5A ~= $0 }
            require(isTeam, "apple_team_id", "10 capital letters and digits")
        }
        for bundle in app.bundleIDs {
            let isBundle =
                !bundle.isEmpty && bundle.utf8.count <= 155
                && bundle.utf8.allSatisfy {
                    $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                }
            require(isBundle, "bundle_id", "letters, digits, '-' and '.', such as com.example.app")
        }
        if let color = app.pageColor {
            require(PageColor(color) != nil, "page_color", "a colour such as #0f766e")
        }
        if let logo = app.pageLogo {
            require(PageLogo.isValid(logo), "page_logo", "the https address of a picture, without a query")
        }
        return faults
    }

    /// A certificate's fingerprint as Android compares it, in upper case; nil if the text is none.
    package static func fingerprint(_ text: String) -> String? {
        let bytes = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard bytes.count == 32, bytes.allSatisfy({ $0.count == 2 && $0.allSatisfy { $0.hexadecimalValue != nil } })
        else { return nil }
        return text.uppercased()
    }

    private static func isNumber(_ text: String) -> Bool {
        1...20 ~= text.utf8.count && text.utf8.allSatisfy(\.isASCIIDigit)
    }

    private static func isPackage(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return name.utf8.count <= 255 && parts.count > 1
            && parts.allSatisfy { part in
                guard let first = part.first, first.isASCIILetter else { return false }
                return part.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
            }
    }
}
