import Foundation
import PackagePlugin

/// Generates the list of packages and their versions, as SwiftPM resolved them for this build, before the target it is
/// applied to is compiled.
@main struct EmbedPackages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let resolved = context.package.directoryURL.appending(path: "Package.resolved")
        let files = FileManager.default.fileExists(atPath: resolved.path) ? [resolved] : []
        let output = context.pluginWorkDirectoryURL.appending(path: "Packages.swift")
        return [
            .buildCommand(
                displayName: "Embedding the list of packages", executable: try context.tool(named: "EmbedTool").url,
                arguments: ["packages", output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
        ]
    }
}
