/// Whom people invited who installed in the range, by number.
struct GenerationDeeds {
    var invited: [UInt32]
    /// When the first of those installed.
    var firstInvited: [Int64]

    init(of fold: GenerationsFold, _ tree: InvitationTree) {
        invited = Array(repeating: 0, count: tree.inviters.count)
        firstInvited = Array(repeating: .max, count: tree.inviters.count)
        for (number, inviter) in tree.inviters.enumerated() where inviter >= 0 {
            let member = fold.members[number]
            guard member.isCounted else { continue }
            invited[Int(inviter)] += 1
            firstInvited[Int(inviter)] = min(firstInvited[Int(inviter)], member.install)
        }
    }
}
