package import Foundation

extension URLComponents {
    /// Whether the port, if there is one, is from 1 to 65535. The HTTP client ends the program with any other one.
    package var hasUsablePort: Bool { rangeOfPort == nil || port.map { (1...65_535).contains($0) } ?? false }
}
