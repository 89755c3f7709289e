package lua

import (
	"fmt"
	"slices"
	"strings"
)

// howToWrite ends the refusal of a write to a database. Reading is what naming a host grants.
const howToWrite = "databases are read-only unless the policy names writing (assay serve --exec-write db)"

// permitsDBWrites reports whether scripts may change what a database server keeps.
func (p *Policy) permitsDBWrites() bool { return p == nil || p.WriteDB && !p.ReadOnly }

// readCommands are those of Redis that change nothing, as its category @read has them, without
// those that another argument makes write (SORT, GEORADIUS), and those of a connection. A command
// that is not here is refused, because a module or a later version may give it any meaning.
var readCommands = strings.Fields(`
	PING ECHO TIME SELECT DBSIZE INFO LASTSAVE LOLWUT COMMAND RANDOMKEY
	EXISTS TYPE TTL PTTL EXPIRETIME PEXPIRETIME KEYS SCAN DUMP
	GET MGET GETRANGE SUBSTR STRLEN LCS GETBIT BITCOUNT BITPOS BITFIELD_RO
	HGET HMGET HGETALL HKEYS HVALS HLEN HEXISTS HSTRLEN HSCAN HRANDFIELD HTTL HPTTL HEXPIRETIME HPEXPIRETIME
	LLEN LRANGE LINDEX LPOS SORT_RO
	SCARD SISMEMBER SMISMEMBER SMEMBERS SRANDMEMBER SINTER SINTERCARD SUNION SDIFF SSCAN
	ZCARD ZCOUNT ZSCORE ZMSCORE ZRANK ZREVRANK ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE ZRANGEBYLEX ZREVRANGEBYLEX
	ZLEXCOUNT ZSCAN ZRANDMEMBER ZINTER ZINTERCARD ZUNION ZDIFF
	GEOPOS GEODIST GEOHASH GEOSEARCH GEORADIUS_RO GEORADIUSBYMEMBER_RO PFCOUNT
	XLEN XRANGE XREVRANGE XREAD XPENDING XINFO`)

// readSubcommands are those of commands of which others write.
var readSubcommands = map[string][]string{
	"OBJECT": {"ENCODING", "FREQ", "IDLETIME", "REFCOUNT"},
	"MEMORY": {"USAGE", "STATS"},
	"PUBSUB": {"CHANNELS", "NUMSUB", "NUMPAT", "SHARDCHANNELS", "SHARDNUMSUB"},
}

// permitRedis refuses what reaches the files of a server or turns it over to another one, and all
// but reading where the policy does not name writing.
func (p *Policy) permitRedis(command []string) error {
	if p == nil {
		return nil
	}
	verb := strings.ToUpper(command[0])
	switch verb {
	case "ACL", "BGREWRITEAOF", "BGSAVE", "CLUSTER", "CONFIG", "DEBUG", "FAILOVER", "MIGRATE", "MODULE", "REPLICAOF", "SAVE", "SHUTDOWN", "SLAVEOF":
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
