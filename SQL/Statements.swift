// The module `Statements` is this folder: `EmbedSQL` turns SQL/*/*.sql into `enum SQL`, one constant a statement, and
// SQL/schema and SQL/migrations/NAME.sql into `enum Migrations`.
