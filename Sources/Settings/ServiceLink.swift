/// Variables that Kubernetes sets in every pod beside a Service named `tributary`: `TRIBUTARY_SERVICE_HOST`,
/// `TRIBUTARY_PORT=tcp://10.0.0.1:8080`, `TRIBUTARY_PORT_8080_TCP` and others. They are no settings.
package enum ServiceLink {
    package static func isOne(_ name: String, _ value: String) -> Bool {
        name.hasPrefix("TRIBUTARY_SERVICE_") || name.hasPrefix("TRIBUTARY_PORT_")
            || name == "TRIBUTARY_PORT" && value.contains("://")
    }
}
