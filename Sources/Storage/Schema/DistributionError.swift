/// Why a database cannot be distributed, or cannot be used as it is. Each message says what to do.
package enum DistributionError: Error, Equatable, CustomStringConvertible {
    case noExtension
    case extensionNotCreated
    case oldExtension(version: String)
    /// Nil: the worker does not know its coordinator's address.
    case isWorker(coordinator: String?)
    case coordinatorUnknown
    case noWorkers
    case silentWorker(name: String, reason: String)
    case setting(node: String, NodeSetting, value: String)
    case notOwner
    case daemonsAreConnected(Int)
    /// Another program has distributed tables of this database.
    case notOurs(table: String)
    /// `tributary migrate --citus` was interrupted.
    case unfinished
    /// A part of the tables is being moved from this worker to another.
    case partsAreMoved(from: String)
    /// A statement would have deleted nothing, although there are rows.
    case nothingDeleted(table: String)

    package var description: String {
        switch self {
        case .noExtension:
            "PostgreSQL does not know the extension citus here; install it on every node, add it to "
                + "shared_preload_libraries, and restart the servers (docs/scaling.md)"
        case .extensionNotCreated:
            "this database has no extension citus; run `create extension citus` in it on every node, then on the "
                + "coordinator `select citus_set_coordinator_host('HOST')` and, for each worker, "
                + "`select citus_add_node('HOST', 5432)`"
        case .oldExtension(let version):
            "the extension citus is \(version) here; Tributary needs 12.0 or later"
        case .isWorker(let coordinator):
            "this server is a worker of a Citus cluster; name its coordinator"
                + (coordinator.map { ", \($0)," } ?? "") + " in the address of the database"
        case .coordinatorUnknown:
            "the cluster does not know its coordinator's address; run `select citus_set_coordinator_host('HOST')` there"
        case .noWorkers:
            "the cluster has no worker that takes data; run `select citus_add_node('HOST', 5432)` on the coordinator "
                + "for each worker"
        case .silentWorker(let name, let reason):
            "the \(name) does not answer: \(reason)"
        case .setting(let node, let setting, let value):
            "on the \(node), \(setting.problem(value)); set it in postgresql.conf and restart the server"
        case .notOwner:
            "this role does not own the tables; run `tributary migrate --citus` as their owner"
        case .daemonsAreConnected(let count):
            "\(count) sessions of tributaryd are connected to this database; stop the daemons until it is distributed"
        case .notOurs(let table):
            "the table \(table) is distributed by Citus, but not by `tributary migrate --citus`: events could not be "
                + "stored; undo it (`select undistribute_table('\(table)')`), then run `tributary migrate --citus`"
        case .unfinished:
            "this database is being distributed, or that was interrupted; run `tributary migrate --citus` to the end"
        case .partsAreMoved(let worker):
            "a part of the tables is being moved away from the \(worker), and meanwhile tables cannot be changed "
                + "or dropped; run this again when it has been moved (`select * from get_rebalance_progress()`)"
        case .nothingDeleted(let table):
            "rows of \(table) should be deleted, but the server finds none of its pages: the table is not stored on "
                + "this server; nothing of it has been deleted"
        }
    }
}
