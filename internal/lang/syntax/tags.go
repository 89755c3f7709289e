package syntax

import "strings"

// sessions are tags of blocks that show a prompt, with the language of its commands.
var sessions = map[string]string{
	"pycon": "python", "iex": "elixir", "console": "bash", "terminal": "bash", "shell-session": "bash", "shellsession": "bash", "cmd": "batch",
}

// Tagged returns the language that the tag of a block of code names, "" of a tag that names none.
func Tagged(tag string) string {
	if language, ok := sessions[strings.ToLower(strings.TrimSpace(tag))]; ok {
		return language
	}
	language, _ := Canonical(tag)
	return language
}

// IsShell reports whether the lines of a language are commands that start programs.
func IsShell(language string) bool {
	return language == "bash" || language == "powershell" || language == "batch"
}

// Family is the language whose rules of names a language follows.
func Family(language string) string {
	switch language {
	case "typescript", "javascript":
		return "ecma"
	case "c", "cpp", "objc":
		return "clang"
	case "java", "kotlin", "scala":
		return "jvm"
	}
	return language
}
