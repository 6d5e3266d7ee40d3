import ArgumentParser

/// The value of an option that is on or off.
enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on, off
}
