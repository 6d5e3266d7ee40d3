import Addresses
import InboundLinks
import Redirects

/// The origin of a page (RFC 6454), as browsers send it: `https://shop.example`, with a port only if it is not the
/// scheme's own. Apps in a web view and extensions of browsers have schemes of their own, such as
/// `capacitor://localhost`.
enum WebOrigin {
    /// Why a text is no origin that a key may list.
    enum Fault: Error, CustomStringConvertible {
        case noOrigin, pattern, port, plainHTTP

        var description: String {
            switch self {
            case .noOrigin: "takes a scheme and a host without a path, such as https://shop.example"
            case .pattern: "takes no patterns: name each origin, with --origin for each"
            case .port: "takes a port from 1 to 65535"
            case .plainHTTP: "takes http for localhost and private addresses only: others could change such pages"
            }
        }
    }

    /// The origin in this form.
    static func normalised(_ text: String) throws(Fault) -> String {
        guard let mark = text.firstRange(of: "://") else { throw .noOrigin }
        let scheme = text[..<mark.lowerBound].lowercased()
        guard scheme.first?.isLowercaseASCII == true,
            scheme.allSatisfy({ $0.isLowercaseASCII || $0.isASCII && $0.isNumber || "+-.".contains($0) })
        else { throw .noOrigin }
        var rest = text[mark.upperBound...]
        if rest.last == "/" { rest.removeLast() }
        if rest.contains("*") { throw .pattern }
        var port: UInt16?
        if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
            port = UInt16(rest[colon...].dropFirst())
            guard port ?? 0 > 0 else { throw .port }
            rest = rest[..<colon]
        }
        let usual: UInt16? = ["https": 443, "http": 80][scheme]
        let name = String(decoding: HostName.normalised(ArraySlice(rest.utf8)), as: UTF8.self)
        guard let host = LinkHost.normalised(name) else { throw .noOrigin }
        if scheme == "http", !isNear(host) { throw .plainHTTP }
        let end = port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
        // Browsers do not know how hosts of other schemes are spelled, and leave them as they are.
        return "\(scheme)://\(usual == nil ? String(rest) : host)\(end)"
    }

    /// Whether pages of a host come from the machine itself or its network, where no stranger can change them.
    private static func isNear(_ host: String) -> Bool {
        if let address = IPAddress(host) { return !address.isPublic }
        return host == "localhost" || host.hasSuffix(".localhost") || host.hasSuffix(".local")
    }
}

extension Character {
    fileprivate var isLowercaseASCII: Bool { isASCII && isLowercase }
}
