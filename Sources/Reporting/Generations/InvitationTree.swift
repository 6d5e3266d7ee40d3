/// Who invited whom, and how many invitations lie between a person and the first one of the chain.
///
/// People are numbers from 0.
struct InvitationTree {
    /// By person: who invited them; −1 if nobody is known to have, and for whom a circle begins with.
    private(set) var inviters: [Int32]
    /// By person: 0 without an inviter, else one more than the inviter.
    private(set) var generations: [Int32]
    /// By person: the first of the chain, who has generation 0.
    private(set) var roots: [Int32]

    /// - Parameters:
    ///   - inviters: by person; −1 for nobody. Somebody may have invited themselves, or be invited by somebody whom
    ///     they invited: such a circle begins with the earliest of its people.
    ///   - isEarlier: whether the first of two people of a circle installed before the other.
    init(inviters: [Int32], isEarlier: (Int, Int) -> Bool) {
        let (unknown, onPath): (Int32, Int32) = (-1, -2)
        self.inviters = inviters
        generations = Array(repeating: unknown, count: inviters.count)
        roots = Array(repeating: -1, count: inviters.count)
        /// From a person up to the first one whose generation is known.
        var path: [Int] = []
        for person in inviters.indices where generations[person] == unknown {
            path.removeAll(keepingCapacity: true)
            var next = person
            while generations[next] == unknown {
                generations[next] = onPath
                path.append(next)
                if self.inviters[next] < 0 { begin(with: next) } else { next = Int(self.inviters[next]) }
            }
            if generations[next] == onPath { begin(with: earliest(ofCircle: next, isEarlier)) }
            // In a circle, those from its beginning down to where the path came in are known only after the first pass.
            for _ in 0..<2 {
                for person in path.reversed() where generations[person] == onPath {
                    let inviter = Int(self.inviters[person])
                    guard generations[inviter] >= 0 else { continue }
                    generations[person] = generations[inviter] + 1
                    roots[person] = roots[inviter]
                }
            }
        }
    }

    private mutating func begin(with person: Int) {
        inviters[person] = -1
        generations[person] = 0
        roots[person] = Int32(person)
    }

    private func earliest(ofCircle member: Int, _ isEarlier: (Int, Int) -> Bool) -> Int {
        var earliest = member
        var next = Int(inviters[member])
        while next != member {
            if isEarlier(next, earliest) { earliest = next }
            next = Int(inviters[next])
        }
        return earliest
    }
}
