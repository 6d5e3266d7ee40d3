/// What the rows of `generations` are made of.
struct GenerationSums {
    var total: GenerationCounts
    /// Of chains that begin with an install without a touch.
    var direct: GenerationCounts
    var groups: LimitedGroups<GenerationCounts>

    init(depth: Int, _ fold: GenerationsFold) {
        total = GenerationCounts(depth: depth)
        direct = total
        groups = LimitedGroups(
            total,
            size: total.rows.count * MemoryLayout<GenerationCounts.Row>.stride,
            countsLimit: LimitedGroups<GenerationCounts>.defaultCountsLimit,
            showsAll: !fold.finder.isOpen,
            fold.run.file
        )
        for key in fold.finder.fixedKeys { groups.position(of: key) }
    }
}
