import PackagePlugin

/// Generates one Swift file of string literals from the templates, assets and languages of the target it is applied to,
/// and from the client that browsers load, before that target is compiled.
@main struct EmbedPages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let files =
            ["mustache", "css", "js", "svg", "lang"].flatMap { target.sourceFiles(withSuffix: $0) }.map(\.url).sorted {
                $0.path < $1.path
            } + [context.package.directoryURL.appending(path: "Clients/causeboard.js")]
        let output = context.pluginWorkDirectoryURL.appending(path: "PageFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files of pages",
                executable: try context.tool(named: "EmbedTool").url,
                arguments: ["pages", output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
        ]
    }
}
