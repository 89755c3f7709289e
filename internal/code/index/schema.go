package index

import (
	_ "embed" // schema.sql

	"github.com/assay-dev/assay/internal/base/store"
)

//go:embed schema.sql
var schemaSQL string

// schema is the history of index.db.
func schema() store.Schema {
	return store.Schema{Name: "assay index", Steps: store.Steps(schemaSQL), Sound: sound, Layout: "650566067fbbb35233cac38b420f8b379bdab4c426d908ce28f306f99a2aaa52"}
}
