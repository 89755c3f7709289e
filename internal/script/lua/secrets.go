package lua

import (
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/sorting"
)

// secrets are the values of variables that are called secret: what a script prints, logs or raises does not show them.
type secrets struct {
	mu     sync.Mutex
	values []string
}

// secretName reports whether a variable of that name holds what nobody should see.
func secretName(name string) bool {
	name = strings.ToLower(name)
	for _, w := range [...]string{"secret", "token", "passw", "passphrase", "credential", "private", "api_key", "apikey", "access_key", "auth", "cookie", "dsn"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return strings.HasSuffix(name, "_key") || strings.HasSuffix(name, "_pass") || strings.HasSuffix(name, "_pwd") || name == "key"
}

// MinSecret is how many bytes a value has to have to be hidden: to take every "1" out of a message would help nobody.
const MinSecret = 4

// hide remembers a value that has a name, or tells that it is too short.
func (vm *VM) hide(name, v string) {
	if v != "" && len(v) < MinSecret && vm.o.Short != nil {
		vm.o.Short(name)
	}
	vm.secrets.note(v)
}

// note remembers a value, unless it is too short.
func (s *secrets) note(v string) {
	if len(v) < MinSecret {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range Forms(v) {
		if len(s.values) < maxSecrets && !slices.Contains(s.values, v) {
			s.values = append(s.values, v)
		}
	}
	// The longest first: one that is a part of another must not break it up.
	sorting.Stable(s.values, func(a, b string) int { return len(b) - len(a) })
}

// maxSecrets bounds what each line that is written is searched for.
const maxSecrets = 4000

// all returns the values.
func (s *secrets) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.values)
}

func (s *secrets) redact(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.values {
		text = strings.ReplaceAll(text, v, "[redacted]")
	}
	return text
}
