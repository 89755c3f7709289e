package vault

import "testing"

// TestReferences holds that a note which says where a secret is keeps what it says, and
// one that says the secret does not.
func TestReferences(t *testing.T) {
	for _, line := range []string{"password = os.environ['DB_PASSWORD']", "password=process.env.DB_PASSWORD", "secret = settings.SECRET_KEY"} {
		if got, _ := Clean([]byte(line)); string(got) != line {
			t.Errorf("Clean(%q) = %q", line, got)
		}
	}
	for _, line := range []string{"password = hunter2secret", "secret: Tr0ub4dor&3x"} {
		if got, n := Clean([]byte(line)); string(got) == line || n == 0 {
			t.Errorf("Clean(%q) keeps it", line)
		}
	}
}
