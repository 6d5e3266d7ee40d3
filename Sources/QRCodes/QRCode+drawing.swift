extension QRCode {
    /// An SVG image, one unit a module.
    package var svg: String {
        let side = size + 2 * Self.quietZone
        var path = ""
        for row in 0..<size {
            for column in 0..<size where self[row, column] {
                path += "M\(column + Self.quietZone),\(row + Self.quietZone)h1v1h-1z"
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0,0h\(side)v\(side)h-\(side)z"/><path d="\(path)"/></svg>

            """
    }

    /// Half blocks for a terminal, two rows of modules a line. Light modules are drawn: most terminals are dark.
    package var text: String {
        var text = ""
        for row in stride(from: -Self.quietZone, to: size + Self.quietZone, by: 2) {
            for column in -Self.quietZone..<size + Self.quietZone {
                // The line below the last is the terminal's own.
                let isLowerDark = row + 1 == size + Self.quietZone || self[row + 1, column]
                switch (self[row, column], isLowerDark) {
                case (false, false): text += "█"
                case (false, true): text += "▀"
                case (true, false): text += "▄"
                case (true, true): text += " "
                }
            }
            text += "\n"
        }
        return text
    }
}
