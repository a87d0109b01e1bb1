import PackagePlugin

/// Generates one Swift file with the queries that the headers of `SQL/*/*.sql` describe, before its target is compiled.
@main struct EmbedQueries: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folders = context.package.targets.compactMap { $0 as? any SourceModuleTarget }
        guard let folder = folders.first(where: { $0.name == "Statements" }) else { return [] }
        let statements = folder.sourceFiles(withSuffix: "sql").map(\.url).sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "Queries.swift")
        return [
            .buildCommand(
                displayName: "Embedding the queries of \(statements.count) SQL statements",
                executable: try context.tool(named: "EmbedTool").url,
                arguments: ["queries", output.path] + statements.map(\.path), inputFiles: statements,
                outputFiles: [output])
        ]
    }
}
