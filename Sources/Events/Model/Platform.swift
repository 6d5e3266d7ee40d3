/// Where an event happened. Raw values are the spelling on the wire.
package enum Platform: String, CaseIterable, Sendable {
    case ios, android, web, desktop
}
