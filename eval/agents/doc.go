// Agents is a study that anyone can repeat: coding agents answer 24 questions about six projects, with assay and with
// text search, and their answers, calls, bytes and time are compared.
//
//	go run ./eval/agents score                      # the published run again, without an agent
//	go run ./eval/agents trees -dir DIR             # the six trees from github.com, about 250 MB; -from: local bare repositories
//	go run ./eval/agents look -dir DIR -out RUN -arm text -task niri-1 rg -n 'fn min_size'
//	go run ./eval/agents run -dir DIR -out RUN -assay ./assay -agent 'COMMAND {prompt}' [-mcp] [-repeat N]
//	go run ./eval/agents score -out RUN [-json]
//
// # Tasks
//
// The projects are navidrome (Go), niri (Rust), conan (Python), typeorm (TypeScript), Sonarr (C#) and traccar (Java); no rule
// or weight of assay was tuned on them. LOCALIZE asks which files and functions a real fix changed, from a report in other
// words (9 tasks). UNDERSTAND asks how something works, and needs statements with their places (4). IMPACT asks for every
// line to change if a declaration changes that has namesakes (11). testdata/tasks.jsonl has the questions, truth.jsonl the
// answers and how they were checked, repos.jsonl the commits.
//
// # Arms
//
// Both arms look into a tree only through look, which checks and records each command: text allows rg, ls, find, sed -n and
// cat; assay allows assay's questions and sed -n. A task has 15 calls, and a call shows 30,000 bytes. Help costs no call, but
// its bytes count. The programs find no settings of the user. look is a rule and no wall: an agent that has other tools must
// be told, or forced by its own permissions, to leave them.
//
// # With an agent of your own
//
// run starts the agent for each task and arm in an empty folder that has only the script look, or, in the arm assay with -mcp,
// the script relay, which is assay's MCP server with its calls counted. It replaces {prompt}, {mcp} (a file of MCP servers, of
// which the arm text has none) and {relay}, splits the command at spaces and asks no shell. The agent must end with its answer
// as a line of JSON. A run that is ended goes on where it stopped; what agents printed is kept beside their answers. These
// commands follow what their makers document; none was run for the published figures:
//
//	claude -p {prompt} --output-format json --strict-mcp-config --mcp-config {mcp} --allowedTools Bash(./look:*),mcp__assay
//	codex exec --skip-git-repo-check --sandbox danger-full-access -c mcp_servers.assay.command={relay} {prompt}
//	opencode run {prompt}
//	gemini -p {prompt} --output-format json --yolo
//
// The last three may let the agent run any command, so use a container. Tokens are read only from the JSON of Claude Code.
// The scripts need a Unix shell.
//
// # The published run
//
// testdata/2026-11-29 has the answers as they were written, and the calls summed by task. It was made with another wrapper of
// the same limits, and the agents were started by hand. It shows less than its table looks like:
//
//   - Each task was answered once in each arm. Four agents, all of one model, took an arm and half of the tasks each. The
//     intervals are over tasks and say nothing about another agent, or the same one asked twice.
//   - The author of the tasks had not used assay. Nearly half of the tasks are of a kind that assay is made for (IMPACT with
//     namesakes).
//   - Each task's line has hints, words guessed for other measurements. Those of IMPACT were written after the code had been
//     read. The answerers saw the line; the words that they passed to assay are their own. run does not show hints.
//   - Nearly all answers are right in both arms, so it says little about what agents find, only about what it costs them.
//   - A fact counts if its place is named; whether the statement is right was not judged. Files named for UNDERSTAND beyond the
//     listed ones count as wrong, though some are useful.
//   - Bytes are what the tools showed, no tokens: what the model itself wrote, and its instructions, are not counted.
//   - There was no MCP, no editing, no running of tests, and no project of millions of lines. Indexing was done before.
package main
