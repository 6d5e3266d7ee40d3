/// Why a database cannot be brought to this program's schema.
package enum MigrationError: Error, CustomStringConvertible {
    case changed(name: String)
    case unknown(name: String)
    /// The role may not make or alter the tables.
    case notPermitted(name: String)

    package var description: String {
        switch self {
        case .changed(let name):
            "migration \(name) was applied to this database with another text; restore the original file"
        case .unknown(let name):
            "migration \(name) was applied by a newer version of Tributary; upgrade this program"
        case .notPermitted(let name):
            "the database lacks migration \(name), which this role may not apply; "
                + "run `tributary migrate` as the owner of the schema"
        }
    }
}
