import Events
import Timelines

/// Who invited whom, as far as rows count it.
struct CountedInvitations {
    var tree: InvitationTree
    /// Nil if no condition and no row is about them.
    var doubts: DoubtfulInstalls?
    /// The people below whom all are counted; nil: all are. A user, a device and a click may have one id.
    var roots: Set<Int32>?
}

/// Who invited whom.
extension GenerationsFold {
    /// By member and stranger (``Posters/inviters(of:_:)``).
    func inviters() -> [Int32] {
        posters.inviters(of: members.count) { member in
            let post = members[member].post
            return post.isNone ? nil : dictionary.storyPosts.event(of: post)
        }
    }

    /// Whoever has a number.
    func member(_ number: Int32) -> GenerationMember {
        if number < members.count { return members[Int(number)] }
        return GenerationMember(group: keepsNothing ? GenerationMember.nothing : GenerationMember.leftOut)
    }

    func invitations(_ known: [Int32], withDoubts: Bool) -> CountedInvitations {
        var inviters = known
        let doubts = withDoubts ? doubts(inviters) : nil
        let roots = report.below.map { id in
            Set(members.indices.filter { inviters[$0] >= 0 && isInvited($0, by: id) }.map { inviters[$0] })
        }
        for root in roots ?? [] { inviters[Int(root)] = -1 }
        return CountedInvitations(tree: tree(inviters), doubts: doubts, roots: roots)
    }

    private func isInvited(_ member: Int, by id: String) -> Bool {
        guard !members[member].post.isNone, let detail = dictionary.storyPosts.detail(of: members[member].post),
            !detail.poster.isNone, let details = dictionary.storyPosts.details
        else { return false }
        // The first byte says whether it is a user, a device or a click.
        return details.posters.bytes(of: detail.poster).dropFirst().elementsEqual(id.utf8)
    }

    private func tree(_ inviters: [Int32]) -> InvitationTree {
        InvitationTree(inviters: inviters) { one, other in
            let (first, second) = (members[one], members[other])
            if first.install != second.install { return first.install < second.install }
            let posts = dictionary.storyPosts
            return posts.event(of: first.post) < posts.event(of: second.post)
        }
    }

    func counts(_ member: Int, _ invitations: CountedInvitations) -> Bool {
        guard members[member].isCounted else { return false }
        let root = invitations.tree.roots[member]
        if self.member(root).group == GenerationMember.leftOut { return false }
        if let roots = invitations.roots, !roots.contains(root) || Int(root) == member { return false }
        guard let keepsDoubt, let doubts = invitations.doubts else { return true }
        return keepsDoubt[Int(doubts.reasons[member].rawValue)]
    }

    private func doubts(_ inviters: [Int32]) -> DoubtfulInstalls {
        DoubtfulInstalls(inviters: inviters, fast: fast, shared: shared) { members[$0].install }
    }
}
