/// Says whether events can be stored now, for `/readyz`.
package protocol ReadinessProbe: Sendable {
    func readiness() async -> Readiness
}
