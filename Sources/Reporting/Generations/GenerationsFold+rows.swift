import Timelines

/// What the rows show, from the tree of everybody.
extension GenerationsFold {
    consuming func finish(beside other: [[ReportCell]]?) throws -> [[ReportCell]] {
        let inviters = inviters()
        // They are needed no more, and the tree takes as much.
        posters = Posters()
        return try rows(invitations(inviters, withDoubts: true), beside: other)
    }

    private func rows(_ invitations: CountedInvitations, beside other: [[ReportCell]]?) throws -> [[ReportCell]] {
        let tree = invitations.tree
        let deeds = GenerationDeeds(of: self, tree)
        let deepest = members.indices.reduce(0) { counts($1, invitations) ? max($0, Int(tree.generations[$1])) : $0 }
        let depth = min(report.depth, deepest)
        var sums = GenerationSums(depth: depth, self)
        for (group, people) in alone {
            for _ in 0..<people { count(GenerationCounts.Share(row: 0), chainsOf: group, doubt: nil, in: &sums) }
        }
        var worth = 0
        for member in members.indices where counts(member, invitations) {
            var share = GenerationCounts.Share(row: min(Int(tree.generations[member]), depth + 1))
            share.posts = members[member].posts
            share.invited = deeds.invited[member]
            if share.invited > 0 { share.wait = max(0, deeds.firstInvited[member] - members[member].install) }
            let reasons = invitations.doubts?.reasons[member] ?? []
            share.isDoubtful = !reasons.isEmpty
            while worth < worths.count, worths[worth].member <= member {
                let own = worths[worth]
                if own.member == member, own.currency == currency { share.value += Int128(own.value) }
                worth += 1
            }
            let root = self.member(tree.roots[member])
            count(share, chainsOf: root.group, doubt: reasons.first, in: &sums)
        }
        return try rows(sums, beside: other)
    }

    /// - Parameters:
    ///   - group: of the first person of the chain.
    ///   - doubt: the person's own.
    private func count(
        _ share: GenerationCounts.Share,
        chainsOf group: Int32,
        doubt: Int?,
        in sums: inout GenerationSums
    ) {
        sums.total.add(share)
        guard report.grouping != .none else { return }
        if report.grouping.isOfInvitations {
            sums.groups.update(GroupKey(number: doubt), from: share) { _ in }
        } else if group == GenerationMember.direct {
            return sums.direct.add(share)
        } else {
            forEachKey(of: group) { key in sums.groups.update(key, from: share) { _ in } }
        }
        sums.groups.endPerson()
    }

    private func rows(_ sums: GenerationSums, beside other: [[ReportCell]]?) throws -> [[ReportCell]] {
        let (total, groups) = (sums.total, sums.groups)
        let first = report.below == nil ? 0 : 1
        guard report.grouping != .none else {
            return total.named(from: first).map { [.text($0.name)] + $0.row.cells }
        }
        let keys = groups.keys(beside: other?.lazy.map { $0[1] }, report.limit, finder)
        try run.size.check(rows: (keys.count + 3) * total.named(from: first).count)
        let (named, others) = try groups.counts(of: keys)
        let fixed = Set(finder.fixedKeys)
        var parts = finder.ordered(named.filter { fixed.contains($0.0) || $0.1.people > 0 }) { $0.people }
        if let others, others.people > 0 { parts.append((ReportNames.others, others)) }
        if !report.grouping.isOfCohort, !report.grouping.isOfInvitations {
            parts.append((ReportNames.direct, sums.direct))
        }
        parts.append((ReportNames.total, total))
        return parts.flatMap { part in
            part.counts.named(from: first).map { [.text($0.name), .text(part.name)] + $0.row.cells }
        }
    }
}
