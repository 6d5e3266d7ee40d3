extension PostgresConnection {
    /// What somebody remembers of this session, one object of each type. It goes with the session.
    ///
    /// - Parameter make: makes it when it is first asked for.
    package func memory<Memory: AnyObject>(_ make: () -> Memory) -> Memory {
        let type = ObjectIdentifier(Memory.self)
        if let known = memories[type] as? Memory { return known }
        let new = make()
        memories[type] = new
        return new
    }
}
