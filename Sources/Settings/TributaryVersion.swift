/// The version of both programs and of the packages made from them (deploy/debian).
package enum TributaryVersion {
    package static let current = "0.1.0"
}
