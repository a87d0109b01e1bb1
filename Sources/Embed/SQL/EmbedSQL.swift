import PackagePlugin

/// Generates one Swift file of string literals from the statements of the target it is applied to, `SQL/*/*.sql`,
/// before that target is compiled.
@main struct EmbedSQL: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let statements = target.sourceFiles(withSuffix: "sql").map(\.url).sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "SQL.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(statements.count) SQL statements",
                executable: try context.tool(named: "EmbedTool").url,
                arguments: ["statements", output.path] + statements.map(\.path), inputFiles: statements,
                outputFiles: [output])
        ]
    }
}
