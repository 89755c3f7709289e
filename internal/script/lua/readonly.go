package lua

import (
	"cmp"
	_ "embed" // redisreads.txt
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// howToWrite ends the refusal of a write to a database. Reading is what naming a host grants.
const howToWrite = "databases are read-only unless the policy names writing (assay serve --exec-write db)"

// permitsDBWrites reports whether scripts may change what a database server keeps.
func (p *Policy) permitsDBWrites() bool {
	f := p.file()
	switch {
	case p == nil || p.ReadOnly:
		return p == nil
	case f != nil:
		return f.Databases.Write && (p.WriteDB || !p.WriteWS)
	}
	return p.Own || p.WriteDB
}

// permitWS returns why a web socket may not be opened, or nil: a message on one may do anything.
func (p *Policy) permitWS(u *url.URL) error {
	f := p.file()
	switch {
	case !p.limits():
		return nil
	case p.ReadOnly || !p.WriteWS && (f == nil || p.WriteDB):
		return errors.New("the policy permits no web socket unless it names them (assay serve --exec-write ws)")
	case f != nil && !hostAmong(u, f.WebSockets):
		return fmt.Errorf("the policy does not permit the host %s for web sockets", u.Host)
	}
	return cmp.Or(p.permitHost(u), p.permitPath(u))
}

// permitDB returns why the policy forbids a database server, or nil.
func (p *Policy) permitDB(scheme, host string) error {
	u := &url.URL{Scheme: scheme, Host: host}
	if f := p.file(); f != nil && !hostAmong(u, f.Databases.Hosts) {
		return fmt.Errorf("the policy does not permit the host %s for databases", host)
	}
	return p.permitHost(u)
}

// permitOptions admits the URL of a database with one host and only the named options: another one could read files, or promise a
// security that the driver does not look for.
func (p *Policy) permitOptions(dsn string, names ...string) error {
	if !p.confines() {
		return nil
	}
	u, err := url.Parse(dsn)
	if err != nil || u.Hostname() == "" {
		return errors.New("the policy wants a URL with one host")
	}
	for name := range u.Query() {
		if !slices.Contains(names, name) {
			return fmt.Errorf("the policy does not permit the option %s: it permits %s", name, cmp.Or(strings.Join(names, ", "), "none here"))
		}
	}
	// Control characters in a name could make a request of the first message, to a server of another protocol.
	if strings.ContainsFunc(u.User.Username()+u.Path+u.Query().Get("application_name"), unicode.IsControl) {
		return errors.New("the policy permits no control characters in the URL")
	}
	return nil
}

// permitProxy returns why a script may not have its requests pass a proxy, or nil.
func (p *Policy) permitProxy(u *url.URL) error {
	if p.file() != nil {
		return errors.New("the policy permits a script no proxy of its own")
	}
	return p.permitHost(u)
}

//go:embed redisreads.txt
var redisReads string

// readCommands are those of Redis that change nothing, as its category @read has them, without
// those that another argument makes write (SORT, GEORADIUS), and those of a connection. A command
// that is not here is refused, because a module or a later version may give it any meaning.
var readCommands = strings.Fields(redisReads)

// readSubcommands are those of commands of which others write.
var readSubcommands = map[string][]string{
	"OBJECT": {"ENCODING", "FREQ", "IDLETIME", "REFCOUNT"},
	"MEMORY": {"USAGE", "STATS"},
	"PUBSUB": {"CHANNELS", "NUMSUB", "NUMPAT", "SHARDCHANNELS", "SHARDNUMSUB"},
}

// permitRedis refuses what reaches the files of a server or turns it over to another one, and all
// but reading where the policy does not name writing.
func (p *Policy) permitRedis(command []string) error {
	if !p.limits() {
		return nil
	}
	verb := strings.ToUpper(command[0])
	switch verb {
	case "ACL", "BGREWRITEAOF", "BGSAVE", "CLUSTER", "CONFIG", "DEBUG", "FAILOVER", "MIGRATE", "MODULE", "REPLICAOF", "SAVE", "SHUTDOWN", "SLAVEOF",
		"EVAL", "EVALSHA", "FCALL", "FUNCTION", "SCRIPT": // a script of Redis can call MIGRATE
		return fmt.Errorf("the policy permits no %s", verb)
	}
	if p.permitsDBWrites() || slices.Contains(readCommands, verb) {
		return nil
	}
	if len(command) > 1 && slices.Contains(readSubcommands[verb], strings.ToUpper(command[1])) {
		return nil
	}
	return fmt.Errorf("the policy permits no %s: %s", verb, howToWrite)
}
