/// The command that installs PostgreSQL's server on this system.
package enum InstallHint {
    package static var current: String {
        #if os(macOS)
            return "brew install postgresql@17"
        #else
            return command(osRelease: (try? SystemFile.read("/etc/os-release")) ?? "")
        #endif
    }

    /// The command that installs one major version beside others.
    static func current(version: Int) -> String {
        #if os(macOS)
            return "brew install postgresql@\(version)"
        #else
            return command(osRelease: (try? SystemFile.read("/etc/os-release")) ?? "", version: version)
        #endif
    }

    /// - Parameter osRelease: the content of `/etc/os-release`.
    static func command(osRelease: String, version: Int) -> String {
        switch command(osRelease: osRelease) {
        case let general where general.hasPrefix("apt-get"): "apt-get install postgresql-\(version)"
        case let general where general.hasPrefix("dnf"): "dnf install postgresql\(version)-server"
        case let general where general.hasPrefix("apk"): "apk add postgresql\(version)"
        case let general where general.hasPrefix("zypper"): "zypper install postgresql\(version)-server"
        default: "the package of PostgreSQL \(version), from your system or from postgresql.org/download"
        }
    }

    /// - Parameter osRelease: the content of `/etc/os-release` (freedesktop.org, os-release(5)).
    static func command(osRelease: String) -> String {
        var families: [Substring] = []
        for line in osRelease.split(separator: "\n") where line.hasPrefix("ID=") || line.hasPrefix("ID_LIKE=") {
            let value = line.drop { $0 != "=" }.dropFirst().filter { $0 != "\"" && $0 != "'" }
            families += value.split(separator: " ").map { Substring($0) }
        }
        for family in families {
            switch family {
            case "debian", "ubuntu": return "apt-get install postgresql"
            case "fedora", "rhel", "centos": return "dnf install postgresql-server"
            case "alpine": return "apk add postgresql"
            case "arch": return "pacman -S postgresql"
            case "suse", "opensuse": return "zypper install postgresql-server"
            default: continue
            }
        }
        return
            "Debian: apt-get install postgresql; Fedora: dnf install postgresql-server; Homebrew: brew install postgresql@17"
    }
}
