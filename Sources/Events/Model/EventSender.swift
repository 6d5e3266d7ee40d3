/// Who sent an event (docs/sending-events.md, *From the app itself*). Raw values are the spelling in the database.
package enum EventSender: String, CaseIterable, Sendable {
    /// Somebody who keeps a secret: a backend with a write key, an import, or the daemon that counts a click.
    case server
    /// An app or a web page, with a key that anyone can read in it. What it may say is limited.
    case app
}
