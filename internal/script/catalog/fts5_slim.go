//go:build slim

package catalog

import "errors"

// HasFTS5 says that this build has SQLite.
const HasFTS5 = false

// NewFTS5 returns an error: this build has no SQLite.
func NewFTS5() (SearchEngine, error) { return nil, errors.New("this build has no FTS5") }
