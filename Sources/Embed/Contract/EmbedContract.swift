import PackagePlugin

/// Generates a Swift string literal from the OpenAPI document of the target it is applied to, `Contract/openapi.yaml`,
/// before that target is compiled. The literal has the document in its long form.
@main struct EmbedContract: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget,
            let file = target.sourceFiles(withSuffix: "yaml").first?.url
        else { return [] }
        let output = context.pluginWorkDirectoryURL.appending(path: "Contract.swift")
        return [
            .buildCommand(
                displayName: "Embedding the OpenAPI document", executable: try context.tool(named: "EmbedTool").url,
                arguments: ["contract", output.path, file.path], inputFiles: [file], outputFiles: [output])
        ]
    }
}
