// The module `Statements` is this folder: `EmbedSQL` turns SQL/*/*.sql into `enum SQL`, one constant a statement, and
// `enum Migrations`.
