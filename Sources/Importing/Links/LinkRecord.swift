import Redirects

/// What a line or row of a file says: links, or a fault.
struct LinkRecord {
    /// The line of the file, from 1; in a JSON array, the number of the element.
    var line: Int
    var links: Result<ReadLinks, LinkFault>
}

/// Links that were read, usually one.
struct ReadLinks {
    var links: [Link]
    /// What a link of another service says about its app.
    var settings: [LinkAppSetting] = []
    /// Whether a time of creation is in a form that is not read.
    var hasUnreadTime = false
}

/// A setting of an app that links of another service name, and this app does not have.
package struct LinkAppSetting: Hashable, Sendable {
    /// The name of the option of `tributary app update`, without `--`.
    package var option: String
    package var value: String
}
