// Package examples is scripts that run against a mock server, so that nothing else is needed to try one.
package examples

import "embed"

// Files are the scripts that need no module beside those of the program, the fixture that the mock server answers
// from, and the variables that they find it by.
//
//go:embed dashboards.lua healthy.lua report.lua rotate.lua silence.lua toggle.lua mock.json env.sh
var Files embed.FS
