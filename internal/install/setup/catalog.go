package setup

import (
	"cmp"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A client is one whose configuration has its servers in one object of a file.
//
// Its paths begin with ~/ for the user's folder, config/ for where programs of Unix keep
// their configuration ($XDG_CONFIG_HOME), and app/ for where those of the system do
// (%APPDATA%, ~/Library/Application Support, $XDG_CONFIG_HOME). NAME in a path is that of
// the server.
type client struct {
	name    string
	title   string
	source  string   // where the vendor documents what is here
	user    []string // the files that it reads; the first is made where there is none
	windows []string // user, on Windows, where that is another
	project []string // below the project's folder; none: it has no configuration of projects
	mark    string   // the folder that is there where the client is; empty: the first file's
	form    form
	key     string // of the object that holds the servers
	strict  bool   // no comments
	rooted  bool   // it fills ${workspaceFolder} in for a project's server
	outside bool   // it starts servers outside of any project
}

// A form is how a client writes the command of a server.
type form int

const (
	plain  form = iota // command, args
	typed              // the same, and type: stdio
	local              // type: local, one list
	tooled             // type: local, command, args and which tools may be used
	custom             // source: custom, command, args
	inYAML             // cmd, args, in YAML
)

const mcpServers = "mcpServers"

// The catalogue of clients besides those that setup knows more of: their hooks, or other
// languages of configuration.
var catalogue = []client{
	{name: "amazonq", title: "Amazon Q Developer", source: "https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/command-line-mcp-configuration.html",
		user: []string{"~/.aws/amazonq/mcp.json"}, project: []string{".amazonq/mcp.json"}, key: mcpServers, strict: true},
	{name: "amp", title: "Amp", source: "https://ampcode.com/manual#mcp",
		user: []string{"config/amp/settings.json", "config/amp/settings.jsonc"}, project: []string{".amp/settings.json", ".amp/settings.jsonc"}, key: "amp.mcpServers"},
	{name: "antigravity", title: "Antigravity", source: "https://antigravity.google/docs/mcp",
		user: []string{"~/.gemini/config/mcp_config.json"}, key: mcpServers, mark: "~/.gemini/config", strict: true},
	{name: "claude-desktop", title: "Claude Desktop", source: "https://modelcontextprotocol.io/quickstart/user",
		user: []string{"app/Claude/claude_desktop_config.json"}, key: mcpServers, strict: true, outside: true},
	{name: "cline", title: "Cline", source: "https://docs.cline.bot/mcp/configuring-mcp-servers",
		user: []string{"app/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", "~/.cline/data/settings/cline_mcp_settings.json"}, key: mcpServers, strict: true},
	{name: "continue", title: "Continue", source: "https://docs.continue.dev/customize/deep-dives/mcp",
		user: []string{"~/.continue/mcpServers/NAME.json"}, project: []string{".continue/mcpServers/NAME.json"}, mark: "~/.continue", key: mcpServers, strict: true},
	{name: "copilot", title: "Copilot CLI", source: "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
		user: []string{"~/.copilot/mcp-config.json"}, project: []string{".github/mcp.json"}, form: tooled, key: mcpServers, strict: true},
	{name: "crush", title: "Crush", source: "https://github.com/charmbracelet/crush#mcps",
		user: []string{"config/crush/crush.json"}, windows: []string{"local/crush/crush.json"}, project: []string{".crush.json", "crush.json"}, form: typed, key: "mcp", strict: true},
	{name: "factory", title: "Factory", source: "https://docs.factory.ai/cli/configuration/mcp",
		user: []string{"~/.factory/mcp.json"}, project: []string{".factory/mcp.json"}, form: typed, key: mcpServers, strict: true},
	{name: "gemini", title: "Gemini CLI", source: "https://google-gemini.github.io/gemini-cli/docs/tools/mcp-server.html",
		user: []string{"~/.gemini/settings.json"}, project: []string{".gemini/settings.json"}, key: mcpServers},
	{name: "goose", title: "Goose", source: "https://block.github.io/goose/docs/guides/config-file",
		user: []string{"config/goose/config.yaml"}, windows: []string{"app/Block/goose/config/config.yaml"}, form: inYAML, key: "extensions"},
	{name: "jetbrains", title: "JetBrains AI Assistant", source: "https://www.jetbrains.com/help/ai-assistant/mcp.html",
		project: []string{".ai/mcp/mcp.json"}, key: mcpServers, strict: true},
	{name: "junie", title: "Junie", source: "https://junie.jetbrains.com/docs/junie-ide-plugin.html",
		user: []string{"~/.junie/mcp/mcp.json"}, project: []string{".junie/mcp/mcp.json"}, mark: "~/.junie", key: mcpServers, strict: true},
	{name: "kilo", title: "Kilo Code", source: "https://kilo.ai/docs/automate/mcp/using-in-kilo-code",
		user: []string{"config/kilo/kilo.jsonc", "config/kilo/kilo.json"}, project: []string{".kilo/kilo.jsonc", ".kilo/kilo.json", "kilo.jsonc", "kilo.json"}, form: local, key: "mcp"},
	{name: "kiro", title: "Kiro", source: "https://kiro.dev/docs/mcp/configuration",
		user: []string{"~/.kiro/settings/mcp.json"}, project: []string{".kiro/settings/mcp.json"}, mark: "~/.kiro", key: mcpServers, strict: true},
	{name: "lmstudio", title: "LM Studio", source: "https://lmstudio.ai/docs/app/plugins/mcp",
		user: []string{"~/.lmstudio/mcp.json"}, key: mcpServers, strict: true},
	{name: "qwen", title: "Qwen Code", source: "https://github.com/QwenLM/qwen-code/blob/main/docs/users/features/mcp.md",
		user: []string{"~/.qwen/settings.json"}, project: []string{".qwen/settings.json"}, key: mcpServers},
	{name: "roo", title: "Roo Code", source: "https://docs.roocode.com/features/mcp/using-mcp-in-roo",
		user: []string{"app/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"}, project: []string{".roo/mcp.json"}, key: mcpServers, strict: true},
	{name: "vscode", title: "Visual Studio Code", source: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
		user: []string{"app/Code/User/mcp.json"}, project: []string{".vscode/mcp.json"}, form: typed, key: "servers", rooted: true},
	{name: "windsurf", title: "Windsurf", source: "https://docs.windsurf.com/windsurf/cascade/mcp",
		user: []string{"~/.codeium/windsurf/mcp_config.json"}, key: mcpServers, strict: true},
	{name: "zed", title: "Zed", source: "https://zed.dev/docs/ai/mcp",
		user: []string{"config/zed/settings.json"}, windows: []string{"app/Zed/settings.json"}, project: []string{".zed/settings.json"}, form: custom, key: "context_servers"},
}

// specialClients are the clients with code of their own, and their titles.
var specialClients = []struct{ name, title string }{{"opencode", "OpenCode"}, {"claude", "Claude Code"}, {"codex", "Codex"}, {"cursor", "Cursor"}}

// clientNames returns the names of all clients, without the framework.
func clientNames() []string {
	var out []string
	for _, k := range specialClients {
		out = append(out, k.name)
	}
	for _, c := range catalogue {
		out = append(out, c.name)
	}
	return out
}

// title returns the display name of a client.
func title(name string) string {
	for _, k := range specialClients {
		if k.name == name {
			return k.title
		}
	}
	c, _ := catalogued(name)
	return c.title
}

func catalogued(name string) (client, bool) {
	i := slices.IndexFunc(catalogue, func(c client) bool { return c.name == name })
	if i < 0 {
		return client{}, false
	}
	return catalogue[i], true
}

// paths returns the files of a client of the catalogue; none if it cannot be configured in that scope.
func (f *Feature) paths(c client, j job) []string {
	files := c.user
	if f.cfg.System == "windows" && len(c.windows) > 0 {
		files = c.windows
	}
	if j.Project {
		files = c.project
	}
	var out []string
	for _, file := range files {
		file = strings.ReplaceAll(file, "NAME", j.Name)
		if j.Project {
			out = append(out, filepath.Join(f.cfg.WorkDir, filepath.FromSlash(file)))
		} else {
			out = append(out, f.place(file))
		}
	}
	return out
}

// place returns the path of a catalogue entry on this system.
func (f *Feature) place(file string) string {
	first, rest, _ := strings.Cut(file, "/")
	dir := f.cfg.Home
	switch first {
	case "config":
		dir = f.cfg.ConfigHome
	case "app", "local":
		dir = f.cfg.ConfigHome
		switch f.cfg.System {
		case "darwin":
			dir = filepath.Join(f.cfg.Home, "Library", "Application Support")
		case "windows":
			variable, usual := "APPDATA", "Roaming"
			if first == "local" {
				variable, usual = "LOCALAPPDATA", "Local"
			}
			dir = filepath.Join(f.cfg.Home, "AppData", usual)
			if named, _ := f.cfg.Lookup(variable); filepath.IsAbs(named) {
				dir = named
			}
		}
	}
	return filepath.Join(dir, filepath.FromSlash(rest))
}

// part returns assay's part in the file of a client of the catalogue.
func (c client) part(j job, exe string) part {
	if c.form == inYAML {
		return yamlServer{key: c.key, name: j.Name, exe: exe}
	}
	return jsonServer{key: c.key, name: j.Name, exe: exe, form: c.form, strict: c.strict}
}

// system returns the name of the operating system, unless one is given.
func system(given string) string {
	return cmp.Or(given, runtime.GOOS)
}
