//go:build !slim

package lua

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// permitStatement returns why the policy forbids a statement, or nil.
func (p *Policy) permitStatement(sql string, server bool) error {
	err := p.permitSQL(sql)
	switch {
	case err != nil || !server || !p.limits():
		return err
	case p.permitsDBWrites():
		return permitWriting(sql)
	}
	return permitReading(sql)
}

// permitSQL refuses what reaches files or programs from within a database. A word in a string or a comment is refused too: to tell them apart would need
// each server's own rules, and parameters are the way to pass such a word.
func (p *Policy) permitSQL(sql string) error {
	if !p.confines() {
		return nil
	}
	lower := strings.ToLower(sql)
	for _, w := range [...]string{"attach", "vacuum", "pragma", "load_extension", "copy", "load_file", "outfile", "dumpfile", "pg_read", "pg_ls", "pg_stat_file", "pg_file", "lo_import", "lo_export", "dblink", `u&"`, "u&'", "/*!", "/*m!"} {
		if strings.Contains(lower, w) {
			return fmt.Errorf("the policy permits no %s", strings.ToUpper(w))
		}
	}
	words := sqlWords(lower)
	for _, w := range running {
		if slices.Contains(words, w) {
			return fmt.Errorf("the policy permits no %s", strings.ToUpper(w))
		}
	}
	return nil
}

// running are words by which a server reads a file or runs a text as a statement, so that no word in it was looked at.
var running = strings.Fields(`query_to_xml query_to_xmlschema query_to_xml_and_xmlschema ts_stat ts_rewrite crosstab connectby
	xpath_table infile soname`)

// programs are words that, in one text, let a server run code of the script's own, a text that was put together there, or
// another server's, or keep its data in another place. One alone is the name of a column.
var programs = [...][]string{
	{"execute"}, {"do", "language"}, {"function", "language"}, {"procedure", "language"}, {"alter", "system"},
	{"create", "extension"}, {"alter", "extension"}, {"create", "subscription"}, {"alter", "subscription"}, {"create", "server"},
	{"set", "global"}, {"set", "persist"}, {"install", "plugin"}, {"install", "component"}, {"create", "engine", "federated"},
	{"create", "engine", "connect"},
	{"create", "data", "directory"}, {"alter", "data", "directory"}, {"create", "tablespace"}, {"alter", "tablespace"},
}

// permitWriting refuses a statement by which a script that may write could do more than write.
func permitWriting(sql string) error {
	words := sqlWords(strings.ToLower(sql))
	for _, p := range programs {
		if !slices.ContainsFunc(p, func(w string) bool { return !slices.Contains(words, w) }) {
			return fmt.Errorf("the policy permits no %s", strings.ToUpper(strings.Join(p, " … ")))
		}
	}
	return nil
}

var (
	// reading is what a statement begins with that may read and do no more.
	reading = []string{"select", "with", "values", "table", "show", "explain", "describe", "desc"}
	// writing is what makes such a statement write: in a common table expression, as the target
	// of its result, or as a lock that others wait for.
	writing = []string{"insert", "update", "delete", "merge", "into", "lock", "set_config", "nextval", "setval", "get_lock", "release_lock", "release_all_locks"}
	// acting begins the names of PostgreSQL's functions that act on the server.
	acting = []string{
		"lo_", "pg_advisory", "pg_try_advisory", "pg_backup", "pg_start_backup", "pg_stop_backup", "pg_cancel", "pg_terminate", "pg_create", "pg_drop",
		"pg_copy", "pg_export", "pg_import", "pg_log_", "pg_logical", "pg_notify", "pg_promote", "pg_reload", "pg_replication_origin", "pg_replication_slot_",
		"pg_rotate", "pg_stat_reset", "pg_stat_statements_reset", "pg_switch", "pg_wal_replay",
	}
)

// permitReading refuses a statement that is not plainly one that reads. The server is asked for a
// transaction that only reads as well, because functions of its own can do anything; but such
// transactions let a few things pass, as programs that COPY starts, signals and locks.
func permitReading(sql string) error {
	lower := strings.ToLower(strings.TrimLeft(sql, " \t\r\n("))
	words := sqlWords(lower)
	if len(words) == 0 || !strings.HasPrefix(lower, words[0]) || !slices.Contains(reading, words[0]) {
		return fmt.Errorf("a statement has to begin with %s: %s", strings.ToUpper(strings.Join(reading, ", ")), howToWrite)
	}
	if i := slices.IndexFunc(words, func(w string) bool { return slices.Contains(writing, w) || startsWithAny(w, acting) }); i >= 0 {
		return fmt.Errorf("the policy permits no %s: %s", strings.ToUpper(words[i]), howToWrite)
	}
	if words[0] == "explain" && (slices.Contains(words, "analyze") || slices.Contains(words, "analyse")) {
		return fmt.Errorf("the policy permits no EXPLAIN ANALYZE, which runs the statement: %s", howToWrite)
	}
	return nil
}

// sessionStatements begin statements that change the connection and not what the server keeps, or may: DO runs any others, which are in a string.
var sessionStatements = strings.Fields(`set reset discard use begin start commit end rollback abort savepoint release lock unlock prepare
	deallocate execute declare fetch close listen unlisten xa handler do`)

// sessionFunctions do so wherever they stand in a statement.
var sessionFunctions = strings.Fields(`set_config get_lock release_lock release_all_locks pg_advisory_lock pg_advisory_lock_shared
	pg_try_advisory_lock pg_try_advisory_lock_shared pg_advisory_unlock pg_advisory_unlock_shared pg_advisory_unlock_all`)

// permitApproved returns why a statement cannot be approved, or nil. A resumed run is told the result of an approved statement and
// does not make it again, so that its connection would not be in the state that the next statement relies on.
func permitApproved(sql string, isMySQL bool) error {
	code, err := sqlCode(strings.ToLower(sql), isMySQL)
	if err != nil {
		return fmt.Errorf("the policy has db.execute approved, and %w: pass texts as parameters", err)
	}
	for part := range strings.SplitSeq(code, ";") {
		part = strings.TrimLeft(part, " \t\r\n(")
		words := append(sqlWords(part), "")
		if !strings.HasPrefix(part, words[0]) {
			return errors.New("the policy has db.execute approved: begin each statement with its verb")
		}
		if w := sessionWord(part, words); w != "" {
			return fmt.Errorf("the policy has db.execute approved, and %s changes the connection, which a resumed run opens again: leave it out", strings.ToUpper(w))
		}
	}
	return nil
}

// sessionWord returns the word by which a statement changes the connection, or "". TEMP is one only where it cannot be a name.
func sessionWord(part string, words []string) string {
	if slices.Contains(sessionStatements, words[0]) {
		return words[0]
	}
	assigns := strings.Contains(part, ":=") || strings.Contains(strings.Join(strings.Fields(part), " "), "into @")
	if assigns && strings.Contains(part, "@") {
		return "@"
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "or" || w == "local" || w == "global" })
	for i, w := range words[1:] {
		isTemporary := words[0] == "create" && i == 0
		switch words[i] {
		case "replace":
			isTemporary = words[0] == "create" && i == 1
		case "into":
			isTemporary = !slices.Contains([]string{"insert", "ignore", "merge", "replace"}, words[max(i-1, 0)])
		}
		if isTemporary && (w == "temp" || w == "temporary") || slices.Contains(sessionFunctions, w) {
			return w
		}
	}
	return ""
}

func startsWithAny(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// sqlWords returns the words of a text in lower case, those in strings and comments included.
func sqlWords(lower string) []string {
	return strings.FieldsFunc(lower, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && r < 0x80
	})
}
