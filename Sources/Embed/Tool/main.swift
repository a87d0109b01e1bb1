// Generates Swift source with string literals from files. Literals compile a hundred times faster than the byte arrays
// of `.embedInCode`. Arguments: `statements`, `queries`, `contract`, `pages` or `packages`, the file to write, then
// the files to read.
import Foundation

do {
    let arguments = CommandLine.arguments.dropFirst()
    guard let kind = arguments.first, let output = arguments.dropFirst().first else {
        throw Refused(description: "EmbedTool: say what to embed, name the file to write, then the files to read")
    }
    let files = arguments.dropFirst(2)
    switch (kind, files.first) {
    case ("statements", _): try embedStatements(files, into: output)
    case ("queries", _): try embedQueries(files, into: output)
    case ("contract", let file?): try embedContract(file, into: output)
    case ("pages", _): try embedPages(files, into: output)
    case ("packages", let file): try embedPackages(file, into: output)
    default: throw Refused(description: "EmbedTool: there is nothing to embed")
    }
} catch {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(1)
}
