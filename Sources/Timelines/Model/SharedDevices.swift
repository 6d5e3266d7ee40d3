package import Events

/// The installs from devices that had installs of several people: 24 bytes for each.
package struct SharedDevices: Sendable {
    /// The number of a device stands for nothing outside of one value.
    package typealias Install = (event: EventID, device: Int32)

    /// Ordered by event.
    private var installs: [Install]

    /// - Parameter installs: in any order.
    package init(_ installs: consuming [Install] = []) {
        self.installs = installs
        self.installs.sort { $0.event < $1.event }
    }

    /// The device of an install; nil if only one person installed from it.
    package func device(ofInstall event: EventID) -> Int32? {
        let position = installs.firstPosition { $0.event >= event }
        return position < installs.count && installs[position].event == event ? installs[position].device : nil
    }
}
