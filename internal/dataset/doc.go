// Package dataset reads data that people bring for a recipe: CSV, TSV, JSON, NDJSON,
// YAML and Markdown, as programs export it and as people write it, and recordings of
// terminals.
//
// [Read] turns a file into a [Set]: a table with columns and rows, or a list of texts, and
// the members of a JSON or YAML object. A changelog becomes a table of its items. The Set
// says which shapes it has, which choose a recipe, and [Set.Fill] gives the values of the
// recipe's parameters. A column is found by its name, else by what it holds.
//
// Cells stay as they are written until Fill knows what they are for, so that an error
// names the line of the file. Every mistake is USAGE with a hint. The package reads no
// files, and its functions are pure.
package dataset
