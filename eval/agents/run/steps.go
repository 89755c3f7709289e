package main

import (
	"fmt"
	"path/filepath"
)

// The prompts of the scenario. Each agent is asked all of them in one session.
const (
	askDatabase = "Which database should the job queue use? The candidates are in NOTES.md."
	askPort     = "We use port 5433 for it. Remember that."
	askHelper   = "Have a helper count the Go files."
	askTests    = "Please run the tests."
	askBranch   = "And check that the branch is clean."
	askLeft     = "What is left to do?"
)

func opencode() agent {
	say := func(args ...string) turn { return turn{args: append([]string{"run"}, args...)} }
	return agent{
		name:    "opencode",
		program: func(prefix string) string { return filepath.Join(prefix, "node_modules/.bin/opencode") },
		files: func(url string) map[string]string {
			return map[string]string{".config/opencode/opencode.json": fmt.Sprintf(`{
  "provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "name": "Scripted", "options": {"baseURL": "%s/v1", "apiKey": "none"},
    "models": {"scripted": {"name": "Scripted", "limit": {"context": 200000, "output": 8000}}}}},
  "model": "scripted/scripted", "small_model": "scripted/scripted", "autoupdate": false, "share": "disabled"
}`, url)}
		},
		env: func(_, _ string) []string {
			return []string{"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1"}
		},
		steps: []turn{say(askDatabase), say("--continue", askPort), say("--continue", askHelper), say("--continue", askLeft)},
	}
}

func claude() agent {
	say := func(args ...string) turn {
		return turn{args: append([]string{"-p", "--model", "scripted", "--allowedTools=Bash(cat:*),Bash(sleep:*),Agent"}, args...)}
	}
	// The second is said while the agent is at work on the first.
	two := say("--continue", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
	for _, text := range []string{askTests, askBranch} {
		two.feed = append(two.feed, fmt.Sprintf(`{"type": "user", "message": {"role": "user", "content": %q}}`, text))
	}
	return agent{
		name:    "claude",
		program: func(prefix string) string { return filepath.Join(prefix, "node_modules/.bin/claude") },
		files: func(string) map[string]string {
			// What the hook adds is what a memory tool of ours would.
			return map[string]string{".claude/settings.json": `{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "printf '%s' '<assay-memory>an old note</assay-memory>'"}]}]}}`}
		},
		env: func(_, url string) []string {
			return []string{"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=none", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
		},
		steps: []turn{say(askDatabase), say("--continue", askPort), say("--continue", askHelper), say("--continue", "/compact"), two, say("--continue", askLeft)},
	}
}

func codex() agent {
	say := func(args ...string) turn {
		return turn{args: append([]string{"exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "--sandbox", "danger-full-access"}, args...)}
	}
	return agent{
		name:    "codex",
		program: func(prefix string) string { return filepath.Join(prefix, "node_modules/.bin/codex") },
		files: func(url string) map[string]string {
			return map[string]string{
				".codex/config.toml": fmt.Sprintf(`model = "scripted"
model_provider = "scripted"
model_auto_compact_token_limit = 150000
model_context_window = 200000

[model_providers.scripted]
name = "Scripted"
base_url = "%s/v1"
wire_api = "responses"
`, url),
				".codex/hooks.json": `{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "printf '%s' '<assay-memory>an old note</assay-memory>'"}]}]}}`,
			}
		},
		env:   func(_, _ string) []string { return nil },
		steps: []turn{say(askDatabase), say("resume", session, askPort), say("resume", session, askHelper), say("resume", session, askLeft)},
	}
}
