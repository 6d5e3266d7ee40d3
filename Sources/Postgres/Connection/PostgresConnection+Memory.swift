extension PostgresConnection {
    /// An object that callers keep for this session, one of each type. It ends with the session.
    ///
    /// - Parameter make: makes the object at the first call.
    package func memory<Memory: AnyObject>(_ make: () -> Memory) -> Memory {
        let type = ObjectIdentifier(Memory.self)
        if let known = memories[type] as? Memory { return known }
        let new = make()
        memories[type] = new
        return new
    }
}
