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
	{"keytool", "-storepass", apart}, {"keytool", "-keypass", apart}, {"jarsigner", "-storepass", apart}, {"openssl", "-passin", paired}, {"openssl", "-passout", paired}, {"htpasswd", "-b", last},
	{"mysql", "-p", joined}, {"mysqldump", "-p", joined}, {"mysqladmin", "-p", joined}, {"mariadb", "-p", joined}, {"sshpass", "-p", joined},
	{"sqlcmd", "-P", apart}, {"mongosh", "-p", apart}, {"mongodump", "-p", apart}, {"zip", "-P", apart}, {"unzip", "-P", apart}, {"7z", "-p", joined},
	{"helm registry login", "-p", apart}, {"az login", "-p", apart}, {"http", "-a", paired},
}

// How a password stands behind its option.
const (
	apart  = iota // -p PASSWORD
	joined        // -pPASSWORD
	paired        // -u NAME:PASSWORD
	last          // -b FILE NAME PASSWORD
)

// maxLine is how far before an option its command is looked for.
const maxLine = 512

// passwordOption returns the password in the option at i of a command on the same line.
func passwordOption(s []byte, i int) secret {
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
		end, quoted := valueEnd(s, at, ' ')
		if quoted {
			at++
		}
		if l.how == last {
			for range 2 {
				at = run(s, at, func(c byte) bool { return c > ' ' })
				at = run(s, at, blank)
			}
			if at >= len(s) {
				continue
			}
			end, _ = valueEnd(s, at, ' ')
		}
		if l.how == paired {
			if l.command == "openssl" && !bytes.HasPrefix(s[at:], []byte("pass:")) { // env: and file: name none
				continue
			}
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

// secretBefore returns the secret that ends before the option or sign at i: a password piped into sudo, or a key before the name of
// its server.
func secretBefore(s []byte, i, floor int) secret {
	if bytes.HasPrefix(s[i:], []byte("-us")) { // Mailchimp's: 32 hex digits, -us14
		end := run(s, i+3, digit)
		at := i - 32
		if at < floor || end <= i+3 || end >= i+6 || !standsAlone(s, at, end) {
			return secret{}
		}
		if run(s[:i], at, hex) != i || !isVaried(s[at:i]) {
			return secret{}
		}
		return secret{at, end, "mailchimp-key"}
	}
	if !bytes.HasPrefix(s[i:], []byte("-S")) {
		return secret{}
	}
	from := max(floor, i-maxLine)
	line := s[from:i]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	from = i - len(line)
	pipe := bytes.LastIndex(line, []byte("| sudo "))
	echo := bytes.LastIndex(line[:max(0, pipe)], []byte("echo "))
	if pipe < 0 || echo < 0 || len(bytes.TrimSpace(line[pipe+len("| sudo "):])) > 0 {
		return secret{}
	}
	at := from + echo + len("echo ")
	end, quoted := valueEnd(s[:from+pipe], at, ' ')
	if quoted {
		at++
	}
	if v := s[at:max(at, end)]; len(v) < 4 || template(v) || placeholder(v) || bytes.Contains(v, []byte(mark)) || token(s, at).end > 0 {
		return secret{}
	}
	return secret{at, end, "password"}
}

// standsAlone reports whether no byte of a word touches s[at:end].
func standsAlone(s []byte, at, end int) bool {
	return (at == 0 || !word(s[at-1])) && (end == len(s) || !word(s[end]))
}
