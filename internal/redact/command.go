package redact

import "bytes"

// logins are the commands whose passwords stand behind an option that other programs
// have for something else.
var logins = [...]struct {
	command, option string
	how             int
}{
	{"curl", "-u", paired}, {"curl", "--user", paired}, {"curl", "--proxy-user", paired}, {"wget", "--user", paired},
	{"sshpass", "-p", apart}, {"redis-cli", "-a", apart}, {"docker login", "-p", apart}, {"podman login", "-p", apart}, {"ldapsearch", "-w", apart},
	{"mysql", "-p", joined}, {"mysqldump", "-p", joined}, {"mysqladmin", "-p", joined}, {"mariadb", "-p", joined}, {"sshpass", "-p", joined},
}

// How a password stands behind its option.
const (
	apart  = iota // -p PASSWORD
	joined        // -pPASSWORD
	paired        // -u NAME:PASSWORD
)

// maxLine is how far before an option its command is looked for.
const maxLine = 512

// passed returns the password that the option at i gives to a command of its line.
func passed(s []byte, i int) secret {
	if i == 0 || s[i-1] != ' ' {
		return secret{}
	}
	line := s[max(0, i-maxLine):i]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	for _, l := range logins {
		if !bytes.HasPrefix(s[i:], []byte(l.option)) || !runs(line, l.command) {
			continue
		}
		at := i + len(l.option)
		if l.how != joined {
			if at >= len(s) || s[at] != ' ' && s[at] != '=' {
				continue
			}
			at++
		}
		if at >= len(s) || s[at] <= ' ' {
			continue
		}
		end, quoted := value(s, at, ' ')
		if quoted {
			at++
		}
		if l.how == paired {
			colon := bytes.IndexByte(s[at:max(at, end)], ':')
			if colon < 0 {
				continue
			}
			at += colon + 1
		}
		if v := s[at:max(at, end)]; len(v) >= 4 && len(v) <= maxValue && !bytes.Contains(v, []byte(mark)) && !template(v) && !placeholder(v) && !standIn(v) && token(s, at).end == 0 {
			return secret{at, end, "password"}
		}
	}
	return secret{}
}

// runs reports whether a line has a command as words of their own, behind a path or
// not.
func runs(line []byte, command string) bool {
	for at := 0; ; {
		n := bytes.Index(line[at:], []byte(command))
		if n < 0 {
			return false
		}
		from, to := at+n, at+n+len(command)
		if (from == 0 || !word(line[from-1]) && line[from-1] != '-') && (to == len(line) || line[to] == ' ') {
			return true
		}
		at = to
	}
}
