/// The requests and bytes in flight, and whether more are admitted. A value: ``AdmissionGate`` guards it with a lock.
///
/// One app has at most its share, so that its senders, slow or silent, leave room for those of other apps.
struct Admission: Sendable {
    enum Decision: Equatable, Sendable {
        case admitted
        /// There is no room, and nothing was counted.
        case full(Cause)
    }

    /// Which limit leaves no room.
    enum Cause: String, CaseIterable, Sendable {
        case requests
        case bytes
        case requestsOfApp = "app_requests"
        case bytesOfApp = "app_bytes"
    }

    /// Requests and their bytes.
    struct Usage: Equatable, Sendable {
        var requests = 0
        var bytes = 0
    }

    /// What all apps have at most.
    let limit: Usage
    /// What one app has at most. Its only request may have more bytes, because a body may be larger than a share.
    let share: Usage
    private(set) var total = Usage()
    private(set) var apps: [Int32: Usage] = [:]

    /// - Parameter shares: how many apps must use their shares to leave nothing for others.
    init(requestLimit: Int, byteLimit: Int, shares: Int = 1) {
        limit = Usage(requests: requestLimit, bytes: byteLimit)
        share = Usage(requests: max(1, requestLimit / shares), bytes: byteLimit / shares)
    }

    /// Admits a request if it can have the bytes that it announces. It takes them only by ``extend(of:by:)``.
    mutating func admit(of app: Int32, announcing count: Int) -> Decision {
        var usage = apps[app] ?? Usage()
        if total.requests >= limit.requests { return .full(.requests) }
        if usage.requests >= share.requests { return .full(.requestsOfApp) }
        usage.requests += 1
        if let cause = cause(against: count, more: usage) { return .full(cause) }
        total.requests += 1
        apps[app] = usage
        return .admitted
    }

    /// Takes room for bytes of an admitted request.
    mutating func extend(of app: Int32, by count: Int) -> Decision {
        var usage = apps[app] ?? Usage()
        if let cause = cause(against: count, more: usage) { return .full(cause) }
        usage.bytes += count
        total.bytes += count
        apps[app] = usage
        return .admitted
    }

    /// Ends an admitted request, which has taken so many bytes.
    mutating func release(of app: Int32, bytes count: Int) {
        total.requests -= 1
        total.bytes -= count
        guard var usage = apps[app] else { return }
        usage.requests -= 1
        usage.bytes -= count
        apps[app] = usage.requests > 0 ? usage : nil
    }

    private func cause(against count: Int, more usage: Usage) -> Cause? {
        if count > limit.bytes - total.bytes { return .bytes }
        return usage.requests > 1 && count > share.bytes - usage.bytes ? .bytesOfApp : nil
    }
}
