/// What links need to know of their app (docs/redirects.md, *The app's settings*).
package struct LinkApp: Codable, Equatable, Sendable {
    /// The platforms whose system can open an app by a web address.
    package enum System: Sendable {
        case ios, android
    }

    package var id: String
    package var name: String
    /// App Store ids. Nil: none given; `0`: not listed for this device.
    package var iPhoneStoreID: String?
    package var iPadStoreID: String?
    /// The app's package at Google Play. Nil or `0`: not listed.
    package var androidPackage: String?
    /// SHA-256 fingerprints of the app's signing certificates: upper-case hexadecimal bytes with colons.
    package var androidCertificates: [String] = []
    package var appleTeamID: String?
    package var bundleIDs: [String] = []
    /// `pt` of App Store campaign links.
    package var appleProviderToken: String?
    package var deepLinking = true
    package var iosCarry = IOSCarry.off
    package var pageWords = PageWords()
    /// The colour of buttons on pages, `#` and six hexadecimal digits; nil: Tributary's.
    package var pageColor: String?
    /// The address of the picture on pages; nil: none.
    package var pageLogo: String?

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// Whether the system opens the app before it asks for the link, because the host names the app
    /// (``AssociationFiles``).
    package func isAssociated(on system: System) -> Bool {
        switch system {
        case .ios: appleTeamID != nil && !bundleIDs.isEmpty
        case .android: Self.listed(androidPackage) != nil && !androidCertificates.isEmpty
        }
    }

    /// The app's store on a device; nil if it is in none.
    package func store(for device: Device) -> Store? {
        switch device {
        case .iPhone:
            Self.listed(iPhoneStoreID).map { .iPhone($0) }
        case .iPad:
            // A universal app has one id. An iPad id of `0` says that there is no app for iPads.
            iPadStoreID == nil
                ? Self.listed(iPhoneStoreID).map { .iPhone($0) } : Self.listed(iPadStoreID).map { .iPad($0) }
        case .android:
            Self.listed(androidPackage).map { .android($0) }
        case .otherPhone, .macSafari, .desktop:
            nil
        }
    }

    /// Whether the app is in any store.
    package var isListed: Bool {
        Self.listed(iPhoneStoreID) != nil || Self.listed(iPadStoreID) != nil || Self.listed(androidPackage) != nil
    }

    /// The number of the app at Facebook, if its id is one.
    package var facebookID: String? {
        !id.isEmpty && id.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? id : nil
    }

    private static func listed(_ id: String?) -> String? {
        id.flatMap { $0.isEmpty || $0 == "0" ? nil : $0 }
    }
}

/// What visitors on iPhones and iPads take along to the app that they install (docs/redirects.md, *Carried by the
/// visitor*). The App Store itself passes nothing on.
package enum IOSCarry: String, CaseIterable, Codable, Sendable {
    case off, paste, code, both

    var copies: Bool { self == .paste || self == .both }
    var showsCode: Bool { self == .code || self == .both }
}

/// An entry in a store, named for the id that leads there.
package enum Store: Equatable, Sendable {
    case iPhone(String)
    case iPad(String)
    case android(String)

    var isApples: Bool {
        switch self {
        case .iPhone, .iPad: true
        case .android: false
        }
    }
}
