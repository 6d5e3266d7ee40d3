import Time
import Timelines

/// Finds installs that look made up (docs/reports.md, *Doubtful installs*). They count as any other.
///
/// People are numbers from 0, times microseconds since 1970.
struct DoubtfulInstalls {
    /// Why an install is doubtful.
    struct Reasons: OptionSet {
        let rawValue: UInt8

        /// `self`: the inviter is the person, or installed from a device that the person installed from.
        static let own = Reasons(rawValue: 1 << 0)
        /// Another person had installed from the device shortly before.
        static let device = Reasons(rawValue: 1 << 1)
        /// The install came too soon after the tap.
        static let speed = Reasons(rawValue: 1 << 2)
        /// Too many people installed through one person's posts within a short time.
        static let burst = Reasons(rawValue: 1 << 3)

        /// In the order of their bits.
        static let names = ["self", "device", "speed", "burst"]

        /// All sets of reasons, by raw value.
        static let allSets = (0..<UInt8(1 << names.count)).map(Reasons.init)

        /// In the order of ``names``.
        var names: [String] {
            Self.names.enumerated().filter { rawValue & 1 << $0.offset != 0 }.map(\.element)
        }

        /// The place in ``names`` of the first of them, under which a report counts an install; nil without a reason.
        var first: Int? { isEmpty ? nil : rawValue.trailingZeroBitCount }
    }

    /// An install, counted or not, from a device that several people installed from.
    struct OnSharedDevice {
        var time: Int64
        var device: Int32
        var person: Int32
        /// Whether it is the person's first.
        var isFirst: Bool
    }

    /// A tap and the download of an app take longer.
    private static let shortestMicroseconds: Int64 = 10 * 1_000_000
    private static let deviceMicroseconds: Int64 = 90 * 86_400 * 1_000_000
    private static let burstMicroseconds: Int64 = 3_600 * 1_000_000
    /// So many installs within the time are no burst yet.
    private static let burstLimit = 20

    /// Whether an install came too soon after the touch that gets its credit, if that was a tap at a known time.
    static func isFast(_ touch: TimelineTouch, installedAt time: Timestamp) -> Bool {
        (touch.isClick || touch.isDeferred) && !touch.isTimeInferred
            && time.microseconds - touch.time.microseconds < shortestMicroseconds
    }

    /// By person.
    private(set) var reasons: [Reasons]

    /// - Parameters:
    ///   - inviters: by person, those of circles too; −1 for nobody.
    ///   - fast: the people who installed too soon after the tap.
    ///   - shared: in any order.
    ///   - install: the time of a person's first install, of those who have an inviter.
    init(
        inviters: [Int32],
        fast: PagedArray<Int32>,
        shared: PagedArray<OnSharedDevice>,
        install: (Int) -> Int64
    ) {
        reasons = Array(repeating: [], count: inviters.count)
        for person in fast { reasons[Int(person)].insert(.speed) }
        markSharedDevices(shared)
        markOwn(inviters, shared)
        markBursts(inviters, install)
    }

    private mutating func markSharedDevices(_ shared: PagedArray<OnSharedDevice>) {
        let installs = shared.sorted { $0.device == $1.device ? $0.time < $1.time : $0.device < $1.device }
        /// The latest installs of two different people from the device.
        var (last, other): (OnSharedDevice?, OnSharedDevice?)
        var begin = 0
        while begin < installs.count {
            // What happened at one instant is not before it.
            var end = begin + 1
            while end < installs.count, installs[end].device == installs[begin].device,
                installs[end].time == installs[begin].time
            {
                end += 1
            }
            if last?.device != installs[begin].device { (last, other) = (nil, nil) }
            for install in installs[begin..<end] where install.isFirst {
                guard let before = last?.person == install.person ? other : last,
                    install.time - before.time <= Self.deviceMicroseconds
                else { continue }
                reasons[Int(install.person)].insert(.device)
            }
            for install in installs[begin..<end] {
                if last?.person != install.person { other = last }
                last = install
            }
            begin = end
        }
    }

    private mutating func markOwn(_ inviters: [Int32], _ shared: PagedArray<OnSharedDevice>) {
        var devices: [Int32: Set<Int32>] = [:]
        for install in shared { devices[install.person, default: []].insert(install.device) }
        for (person, inviter) in inviters.enumerated() where inviter >= 0 {
            if inviter == person {
                reasons[person].insert(.own)
            } else if let own = devices[Int32(person)], let others = devices[inviter], !own.isDisjoint(with: others) {
                reasons[person].insert(.own)
            }
        }
    }

    private mutating func markBursts(_ inviters: [Int32], _ install: (Int) -> Int64) {
        var invited: [Int32] = []
        for (person, inviter) in inviters.enumerated() where inviter >= 0 { invited.append(Int32(person)) }
        guard invited.count > Self.burstLimit else { return }
        invited.sort { one, other in
            let (first, second) = (inviters[Int(one)], inviters[Int(other)])
            return first == second ? install(Int(one)) < install(Int(other)) : first < second
        }
        /// Up to where they are marked.
        var marked = 0
        for begin in 0..<invited.count - Self.burstLimit {
            let (first, last) = (Int(invited[begin]), Int(invited[begin + Self.burstLimit]))
            guard inviters[first] == inviters[last],
                install(last) - install(first) <= Self.burstMicroseconds
            else { continue }
            for position in max(begin, marked)...begin + Self.burstLimit {
                reasons[Int(invited[position])].insert(.burst)
            }
            marked = begin + Self.burstLimit + 1
        }
    }
}
