extension EventInsert {
    /// What a distributed database needs in place of ``opening``:
    ///
    /// - A lock of a distributed table would reach every worker, and make each commit one of two phases on all of them.
    /// - Citus plans no statement with the parameters of a generic plan.
    static let distributedOpening = [
        "lock table only event in row exclusive mode": "lock table distribution in row exclusive mode",
        "set local plan_cache_mode = force_generic_plan": "set local plan_cache_mode = auto",
    ]
}
