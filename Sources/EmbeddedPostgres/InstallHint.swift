/// The command that installs PostgreSQL's server on this system.
package enum InstallHint {
    package static var current: String { current(version: nil) }

    /// - Parameter version: a major version, to be installed beside others; nil: the usual one.
    static func current(version: Int?) -> String {
        #if os(macOS)
            return "brew install postgresql@\(version ?? 17)"
        #else
            return command(osRelease: SystemFile.read("/etc/os-release") ?? "", version: version)
        #endif
    }

    /// - Parameter osRelease: the content of `/etc/os-release` (freedesktop.org, os-release(5)).
    static func command(osRelease: String, version: Int? = nil) -> String {
        let number = version.map(String.init) ?? ""
        for line in osRelease.split(separator: "\n") where line.hasPrefix("ID=") || line.hasPrefix("ID_LIKE=") {
            let value = line.drop { $0 != "=" }.dropFirst().filter { $0 != "\"" && $0 != "'" }
            for family in value.split(separator: " ") {
                switch family {
                case "debian", "ubuntu": return "apt-get install postgresql" + (version == nil ? "" : "-\(number)")
                case "fedora", "rhel", "centos": return "dnf install postgresql\(number)-server"
                case "alpine": return "apk add postgresql\(number)"
                case "arch" where version == nil: return "pacman -S postgresql"
                case "suse", "opensuse": return "zypper install postgresql\(number)-server"
                default: continue
                }
            }
        }
        guard version == nil else {
            return "the package of PostgreSQL \(number), from your system or from postgresql.org/download"
        }
        return
            "Debian: apt-get install postgresql; Fedora: dnf install postgresql-server; Homebrew: brew install postgresql@17"
    }
}
