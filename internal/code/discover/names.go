package discover

import (
	"bytes"
	"strings"
)

// skipDir reports whether a folder of that name is never read.
func skipDir(name []byte) bool {
	if ownDir(name) {
		return true
	}
	switch string(name) {
	case "node_modules", "bower_components", "__pycache__", ".tox", ".nox", ".mypy_cache", ".pytest_cache",
		".ruff_cache", ".gradle", ".terraform", ".eggs":
		return true
	}
	return false
}

// ownDir reports whether a folder holds what programs like this one or version
// control keep for themselves. It is not counted as ignored: nobody misses it.
func ownDir(name []byte) bool {
	switch string(name) {
	case ".git", ".hg", ".svn", ".jj", ".bzr", "_darcs", "CVS", ".assay", ".ck":
		return true
	}
	return false
}

// OwnPath reports whether a path is of a file in such a folder: no change of a project is one of these.
func OwnPath(path string) bool {
	for dir := range strings.SplitSeq(path, "/") {
		if ownDir([]byte(dir)) {
			return true
		}
	}
	return false
}

// secretName reports whether the file at path, by its name, holds a secret:
// environments, private keys, credentials.
func secretName(path []byte) bool {
	at := bytes.LastIndexByte(path, '/') + 1
	name, dir := path[at:], path[:max(at-1, 0)]
	var room [64]byte
	if len(name) > len(room) {
		name = name[len(name)-len(room):] // ends count only; no whole name below is that long
	}
	low := room[:0]
	for _, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		low = append(low, c)
	}
	switch string(low) {
	case ".env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".htpasswd", ".pgpass", ".my.cnf",
		".dockercfg", ".boto", ".s3cfg", ".vault-token", "kubeconfig", "credentials.json", "client_secret.json",
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "master.key", ".terraformrc", "terraform.rc":
		return true
	case "credentials":
		return under(dir, ".aws")
	case "config.json":
		return under(dir, ".docker")
	case "config":
		return under(dir, ".kube")
	}
	if rest, ok := bytes.CutPrefix(low, []byte(".env.")); ok {
		switch string(rest[bytes.LastIndexByte(rest, '.')+1:]) {
		case "example", "sample", "template", "dist", "schema", "defaults", "tpl":
			return false
		}
		return true
	}
	if bytes.HasPrefix(low, []byte("service-account")) || bytes.HasPrefix(low, []byte("service_account")) {
		return bytes.HasSuffix(low, []byte(".json"))
	}
	switch string(low[max(bytes.LastIndexByte(low, '.'), 0):]) {
	case ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".ppk", ".kdbx", ".tfstate":
		return true
	}
	return false
}

func under(dir []byte, name string) bool {
	return string(dir[bytes.LastIndexByte(dir, '/')+1:]) == name
}
