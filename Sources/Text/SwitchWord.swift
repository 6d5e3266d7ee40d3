/// What the words of a switch mean, wherever one is given as text: in commands, forms, routes and CSV.
package enum SwitchWord {
    package static let meanings = ["on": true, "true": true, "off": false, "false": false]
}
