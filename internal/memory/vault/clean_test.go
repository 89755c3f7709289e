package vault

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func TestCleanPrivate(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain", "plain"},
		{"a <private>b</private> c", "a [private] c"},
		{"a <PRIVATE>b\nc</Private >\nd", "a [private]\n\nd"},
		{"a <private>b <private>c</private> d</private> e", "a [private] e"},
		{"a <private>b\nc", "a [private]\n"},
		{"a <private\nb", "a [private]\n"},
		{"a <private x='1'>b</private>c", "a [private]c"},
		{"a </private> b", "a </private> b"},
		{"a <private>b</private", "a [private]"},
		{"<privateer>", "<privateer>"},
		{"a <private>b</private> c <private>d</private>", "a [private] c [private]"},
	} {
		out, _ := Clean([]byte(c.in))
		if string(out) != c.want {
			t.Errorf("Clean(%q) = %q, want %q", c.in, out, c.want)
		}
	}
}

// Nothing of a secret is left, whatever shape it has; the names say which.
func TestCleanSecrets(t *testing.T) {
	for _, c := range []struct{ name, text, secret string }{
		{"AWS access key", "key AKIAIOSFODNN7RQX4ZPL in use", "AKIAIOSFODNN7RQX4ZPL"},
		{"AWS secret key", "aws_secret_access_key = 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", "wJalrXUtnFEMIK7MDENGbPxRfiCYzK83hTqW9vLd"},
		{"GitHub token", "use ghp_16C7e42F292c6912E7710c838347Ae178B4a", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"},
		{"GitHub fine-grained token", "github_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuVwXyZ0123456789abcdefghijklmnopqrstuvwxyz01234567", "11ABCDEFG0aBcDeFgHiJkL"},
		{"GitLab token", "glpat-x7Kq2mZpW9vL4nRt8sYb", "glpat-x7Kq2mZpW9vL4nRt8sYb"},
		{"Slack token", "xoxb-2847562910-4827561930482-aBcDeFgHiJkLmNoPqRsTuVwX", "aBcDeFgHiJkLmNoPqRsTuVwX"},
		{"OpenAI key", "sk-proj-4fJ8kLm2Nq9Rs7Tv1Wx3Yz5Ab6Cd8Ef0Gh2Ij4Kl", "4fJ8kLm2Nq9Rs7Tv1Wx3Yz5Ab6Cd8Ef0Gh2Ij4Kl"},
		{"Anthropic key", "sk-ant-api03-Xk29fLqPzR7mTv4WyB8nCd1EgH6jKs3UoI5aQe0ZxYbMcNtV-AbCdEf", "Xk29fLqPzR7mTv4WyB8nCd1EgH6jKs3UoI5aQe0ZxYbMcNtV"},
		{"Stripe key", "sk_live_51HqLyjWDarjtT1zdp7dcXyZ9", "51HqLyjWDarjtT1zdp7dcXyZ9"},
		{"Google API key", "AIzaSyD9tSrke72PouQMnMX-a7eZSW0jkFMBWYz", "AIzaSyD9tSrke72PouQMnMX"},
		{"npm token", "npm_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5", "npm_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"},
		{"JSON web token", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U", "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"},
		{"bearer header", "Authorization: Bearer 9f8e7d6c5b4a39281706f5e4d3c2b1a0ffee", "9f8e7d6c5b4a39281706f5e4d3c2b1a0ffee"},
		{"basic header", "Authorization: Basic dXNlcjpodW50ZXIyc3VwZXJzZWNyZXQ=", "dXNlcjpodW50ZXIyc3VwZXJzZWNyZXQ="},
		{"URL with credentials", "postgres://app:Tr0ub4dor3x@db.internal:5432/app", "Tr0ub4dor3x"},
		{"PEM block", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\nVJTUt9Us8cKj\n-----END PRIVATE KEY-----", "VJTUt9Us8cKj"},
		{"OpenSSH block", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n-----END OPENSSH PRIVATE KEY-----", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU"},
		{"exported variable", "run export DEPLOY_TOKEN=plainword first", "plainword"},
		{"exported in csh", "setenv API_TOKEN plainword", "plainword"},
		{"set in small letters", "set api_key=plainword", "plainword"},
		{"exported password", "export DB_PASSWORD='tuesday'", "tuesday"},
		{"assignment", "password = \"c0rrect-h0rse\"", "c0rrect-h0rse"},
		{"YAML key", "api_key: 8f14e45fceea167a5a36dedd4bea2543", "8f14e45fceea167a5a36dedd4bea2543"},
		{"command option", "mysql --password Xk29fLqPzR7m db", "Xk29fLqPzR7m"},
		{"told API key", "Our API key is 7c4a8d09ca3762af61e5 for the staging account.", "7c4a8d09ca3762af61e5"},
		{"told API key with a purpose", "the API key for Mailgun is k3y9f8e7d6c5b4", "k3y9f8e7d6c5b4"},
		{"told password", "The password for the wiki is hunter2x!", "hunter2x!"},
		{"told in German", "Das Passwort lautet Sommer2024x", "Sommer2024x"},
		{"told in German, of something", "Das Passwort vom alten Wiki lautet Sommer2024x", "Sommer2024x"},
		{"token alone", "use token 9f8e7d6c5b4a39281706 here", "9f8e7d6c5b4a39281706"},
		{"secret half", "AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI"},
		{"told in Japanese", "パスワードは kX82mPq9 です", "kX82mPq9"},
		{"told PIN", "access token 4827561930", "4827561930"},
	} {
		out, n := Clean([]byte("note\n" + c.text + "\nend"))
		if n == 0 || bytes.Contains(out, []byte(c.secret)) {
			t.Errorf("%s: %q is left of %q", c.name, out, c.text)
		}
	}
}

// What only looks like it stays.
func TestCleanKeeps(t *testing.T) {
	for _, text := range []string{
		"the token was rotated in March", "API key rotation happens every 90 days", "password manager: 1Password is fine", "we keep secrets in Vault",
		"export PATH=$PATH:/usr/local/go/bin", "export EDITOR=nvim", "the access token endpoint is /oauth/token", "secret sauce is documentation",
		"Use the key `deploy_key` from the vault", "token budget of 2000", "cl100k tokens per chunk: 400", "password is stored in ${DB_PASSWORD}",
		"commit 4f2a9c1d8e7b6a5c4d3e2f1a0b9c8d7e6f5a4b3c", "see https://example.com/docs/tokens?page=2", "primary key: user_id",
		"Token T-4711 is revoked", "Token ticket4711 identifies the gate", "token refresh2", "existingSecret: my-app-postgresql", "token: ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxx", "use ghp_xxxxxxxx…", "SENTRY_DSN=https://a1b2c3d4e5f60718293a4b5c6d7e8f90@o42.ingest.sentry.io/7", "secret santa2024 is on Friday", "the token is rotated",
		"We set keyboard layout to German", "please set author names first", "set passing grade of the key exam", "env authors list",
	} {
		if out, n := Clean([]byte(text)); n != 0 {
			t.Errorf("Clean(%q) = %q", text, out)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"a <private>b</private>\nc", "API key is 7c4a8d09ca3762af61e5", "export X_TOKEN=abcd1234\n", "<private><private></private>", "\xff\xfe password is a1b2c3d4"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		given := string(in)
		out, _ := Clean(in)
		if string(in) != given {
			t.Fatal("the text given was changed")
		}
		if strings.Count(string(out), "\n") != strings.Count(given, "\n") {
			t.Fatalf("%q has other lines than %q", out, given)
		}
		if again, n := Clean(out); n != 0 || !bytes.Equal(again, out) {
			t.Fatalf("cleaned again %q becomes %q", out, again)
		}
	})
}

// Where a pattern is tried makes no difference to what it finds: the same expression at every
// byte finds no more.
func FuzzSaid(f *testing.F) {
	for _, s := range []string{
		"token abcdef1", "xtoken abcdef1 atoken=abcdef1", "secret key word12345 secret keyword12345", "API access-key: a1b2c3d4e5", "accessaccess key a1b2c3d4",
		"Passwort für den Wiki ist a1b2c3d4 passpassword x9y8z7w6", "set api_key a1b2 export A_TOKEN=abcd1234 reset KEY=abcd1234", "declare -x DB_PWD='abcd'",
		"パスワードは kX82mPq9 シークレット: kX82mPq9 秘密鍵→kX82mPq9", "the license token of the team was [redacted:secret] password a1b2c3d4", "KENNWORT: abc123xyz", "secret secret secret a1b2c3d4",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		in = bytes.ToValidUTF8(in, nil)
		if bytes.ContainsAny(in, "ſK") {
			return // folding makes letters of them, which nobody writes a name with
		}
		want, n := slowlyHidden(in)
		if got, k := hideSaid(in); !bytes.Equal(got, want) || k != n {
			t.Errorf("hideSaid(%q) = %q, %d, want %q, %d", in, got, k, want, n)
		}
	})
}

// slowlyHidden is hideSaid that tries the patterns everywhere.
func slowlyHidden(text []byte) ([]byte, int) {
	n := 0
	for _, s := range []*secret{&said, &exported} {
		everywhere := regexp.MustCompile(strings.Replace(s.pattern.Get().String(), `\A(?s:.)`, "", 1))
		var out []byte
		kept := 0
		for _, m := range everywhere.FindAllSubmatchIndex(text, -1) {
			v := bytes.TrimRight(text[m[2]:m[3]], "\"'`.,;:!?)]}>")
			if bytes.Contains(text[m[0]:m[3]], []byte(marked)) || !s.is(text[m[0]:m[2]], v) {
				continue
			}
			out = append(append(out, text[kept:m[2]]...), marked+"secret]"...)
			kept = m[2] + len(v)
			n++
		}
		text = append(out, text[kept:]...)
	}
	return text, n
}
