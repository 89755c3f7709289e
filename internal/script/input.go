package script

// A RunInput asks for a file to be run: Lua, or checks in YAML.
type RunInput struct {
	File   string   `json:"file" arg:"1" help:"FILE.lua, FILE.yaml or FILE.yml"`
	Args   []string `json:"args,omitempty" arg:"rest" help:"arguments of the script, its ..."`
	JUnit  string   `json:"junit,omitempty" flag:"junit" out:"report" help:"checks: also write a JUnit report to this file"`
	TAP    bool     `json:"tap,omitempty" flag:"tap" help:"checks: print TAP instead of JSON"`
	Strict bool     `json:"strict,omitempty" flag:"strict" help:"checks: unknown keys and missing fields are errors"`
	Only   []string `json:"only,omitempty" flag:"only" help:"checks: run only the check of this name"`
	HTML   string   `json:"html,omitempty" flag:"html" out:"report" help:"checks: also write an HTML report to this file"`
	Watch  bool     `json:"watch,omitempty" flag:"watch" help:"checks: run them again when a file that they use changes, until interrupted"`
	Load
	Memory string `json:"memory,omitempty" flag:"memory" help:"memory limit of a script, such as 64M or 1G (default: 256M, or the setting lua.memory)"`
	Requests

	uses func(path string) // told of each file before it is read; may be nil
}

// Load says with what values checks run, how often, and by how many users at once.
type Load struct {
	Var      []string `json:"var,omitempty" flag:"var" help:"checks: NAME=VALUE for ${NAME}"`
	Secrets  string   `json:"secrets,omitempty" flag:"secrets" help:"checks: a file of NAME=VALUE lines, never shown"`
	Data     string   `json:"data,omitempty" flag:"data" help:"checks: run them for each row of this .csv, .json or .jsonl file"`
	Repeat   int      `json:"repeat,omitempty" flag:"repeat" min:"0" max:"100000" help:"checks: run them this many times"`
	VUs      int      `json:"vus,omitempty" flag:"vus" min:"0" max:"10000" help:"checks: load test with this many concurrent users"`
	Duration string   `json:"duration,omitempty" flag:"duration" help:"checks: duration of the load test, such as 30s or 5m"`
}

// An ExecInput asks for Lua to be run.
type ExecInput struct {
	File    string   `json:"file,omitempty" arg:"1" help:"a Lua file, or requests (.http, .rest); - reads standard input"`
	Args    []string `json:"args,omitempty" arg:"rest" help:"arguments of the script, its ...; of requests: NAME=VALUE, and names of those to send"`
	Eval    string   `json:"eval,omitempty" flag:"eval,e" stdin:"true" help:"Lua to run instead of a file"`
	Timeout float64  `json:"timeout,omitempty" flag:"timeout" value:"SECONDS" min:"0" max:"86400" help:"time limit in seconds (default: none)"`
	Memory  string   `json:"memory,omitempty" flag:"memory" help:"memory limit, such as 64M or 1G (default: 256M, or the setting lua.memory)"`
	Requests
	Capture bool   `json:"capture,omitempty" flag:"capture" help:"include its output, logs and errors in the answer"`
	Resume  string `json:"resume,omitempty" flag:"resume" value:"TOKEN" help:"approve the request that an earlier run ended with, and run its script"`
	// Confined is for tools: the script has a time, a room for its answer, and no more rights than the feature's policy gives.
	Confined bool `json:"confined,omitempty"`

	resumed *suspension
}

// ExecArgs are the arguments of the tool exec.
type ExecArgs struct {
	Code   string `json:"code" min:"1" max:"100000" help:"Lua; its return value is the result"`
	Memory string `json:"memory,omitempty" max:"20" help:"lower its memory limit, e.g. 16M"`
}

// Input returns what the arguments ask for.
func (a ExecArgs) Input() ExecInput {
	return ExecInput{Eval: a.Code, Memory: a.Memory, Capture: true, Confined: true}
}

// A ContextInput asks which modules help with something.
type ContextInput struct {
	Query   string   `json:"query,omitempty" arg:"1" stdin:"true" help:"the task; empty lists all modules"`
	Words   []string `json:"words,omitempty" flag:"words" help:"names and words that the module probably has, guessed: wrong ones do little harm"`
	More    []string `json:"more,omitempty" arg:"rest" help:"more words of the query"`
	Limit   int      `json:"limit,omitempty" flag:"limit,l" min:"1" max:"1000" help:"maximum modules (default 5)"`
	Explain bool     `json:"explain,omitempty" flag:"explain" help:"show each module's score breakdown and the engine that found it"`
}

// ContextArgs are the arguments of the tool context.
type ContextArgs struct {
	Query string   `json:"query,omitempty" max:"500" help:"the task, e.g. silence an alert; empty: all modules"`
	Words []string `json:"words,omitempty" help:"guess words the module has, e.g. [\"alertmanager\",\"mute\"]"`
	Limit int      `json:"limit,omitempty" min:"1" max:"20" default:"3" help:"maximum modules"`
}

// Input returns what the arguments ask for. An empty query lists all modules, however many there are.
func (a ContextArgs) Input() ContextInput {
	in := ContextInput{Query: a.Query, Words: a.Words, Limit: a.Limit}
	if a.Query == "" {
		in.Limit = mostListed
	}
	return in
}

// mostListed bounds what a tool lists of all modules.
const mostListed = 100

// A ModulesInput asks for the list of modules.
type ModulesInput struct {
	Source string `json:"source,omitempty" flag:"source" enum:"project|global|built-in|library" help:"only those of project, global, built-in or library"`
}

// A LintInput asks for modules to be checked.
type LintInput struct {
	Modules []string `json:"modules,omitempty" arg:"rest" help:"names or files (default: all modules)"`
}

// A NewInput asks for a module to be begun.
type NewInput struct {
	Name    string `json:"name" arg:"1" out:"file:modules/*.lua,unless=global" help:"name of the service: letters, digits and _"`
	From    string `json:"from,omitempty" flag:"from" value:"FILE" help:"requests to generate the functions from: .http, .rest or .har; or OpenAPI"`
	OpenAPI string `json:"openapi,omitempty" flag:"openapi" help:"an OpenAPI 3 or Swagger 2 file to generate the operations from"`
	Global  bool   `json:"global,omitempty" flag:"global" help:"in the user's folder instead of the project's"`
}

// A MockInput asks for a fixture to be served.
type MockInput struct {
	Fixture string `json:"fixture" arg:"1" help:"a JSON file of routes and responses"`
	Port    int    `json:"port,omitempty" flag:"port" min:"0" max:"65535" help:"port on loopback (default: any free port)"`
	Log     bool   `json:"log,omitempty" flag:"log" help:"print each request"`
}
