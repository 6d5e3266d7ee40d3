/// Why a database cannot get this program's schema.
package enum MigrationError: Error, CustomStringConvertible {
    /// The migration was applied with another text.
    case changed(name: String)
    /// The migration is of another version of this program.
    case unknown(name: String)
    /// The role may not create or alter tables.
    case notPermitted(name: String)
    /// The database is not in UTF-8, so that it has no place for some letters.
    case encoding(String)
    /// Another program has made a table of a name that this program needs, or something else. The text says which.
    case ofAnotherProgram(String)

    package var description: String {
        switch self {
        case .changed(let name):
            "migration \(name) was applied to this database with another text; restore the original file"
        case .unknown(let name):
            "the database has migration \(name), which this program does not know: upgrade the program if a newer "
                + "version made the database, and create another database if it was made before version 0.1.0"
        case .notPermitted(let name):
            "the database lacks migration \(name), which this role may not apply; "
                + "run `tributary migrate` as the owner of the schema"
        case .encoding(let name):
            "the database is in \(name), and Tributary needs UTF8: create another with "
                + "'createdb --encoding=UTF8 --template=template0'"
        case .ofAnotherProgram(let found):
            "the database has tables of another program (\(found)): create an empty one for Tributary, and name it"
        }
    }
}
