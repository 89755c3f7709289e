package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/pem"
	"math/rand/v2"
	"strings"
	"testing"
)

// noise returns n bytes that look like a secret's, the same each time.
func noise(n int) string {
	const set = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = set[r.IntN(len(set))]
	}
	return string(b)
}

func upperNoise(n int) string { return strings.ToUpper(noise(n)) }

func key(kind string, n int) string {
	r := rand.New(rand.NewPCG(3, 4))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}))
}

func TestText(t *testing.T) {
	rsa := key("RSA PRIVATE KEY", 1190)
	gap := strings.Repeat("\n", strings.Count(rsa, "\n"))
	lines := strings.SplitAfter(rsa, "\n")
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + noise(43)
	tests := []struct{ name, in, want string }{
		{"nothing", "package a\n", "package a\n"},
		{"empty", "", ""},
		{"a private key", "before\n" + rsa + "after\n", "before\n[redacted:private-key]" + gap + "after\n"},
		{"an OpenSSH key", key("OPENSSH PRIVATE KEY", 60), "[redacted:private-key]\n\n\n\n"},
		{"a key in JSON", `{"private_key": "` + strings.ReplaceAll(rsa, "\n", `\n`) + `"}`, `{"private_key": "[redacted:private-key]\n"}`},
		{"a key in Go", "const k = `" + rsa + "`\n", "const k = `[redacted:private-key]" + gap + "`\n"},
		{"a key's first lines", strings.Join(lines[:5], ""), "[redacted:private-key]\n\n\n\n\n"},
		{"a key's last lines", strings.Join(lines[20:], ""), "[redacted:private-key]" + gap[20:]},
		{"a key's end", strings.Join(lines[len(lines)-4:], ""), "[redacted:private-key]\n\n\n"},
		{"a key's middle", strings.Join(lines[5:15], ""), "[redacted:base64]" + strings.Repeat("\n", 10)},
		{"AWS", "id AKIA" + upperNoise(16) + ".", "id [redacted:aws-key]."},
		{"AWS secret", "aws_secret_access_key = " + noise(40) + "\n", "aws_secret_access_key = [redacted:key]\n"},
		{"GitHub", "x ghp_" + noise(36) + " y", "x [redacted:github-token] y"},
		{"GitHub, fine", "github_pat_" + noise(22) + "_" + noise(59), "[redacted:github-token]"},
		{"GitLab", "glpat-" + noise(20), "[redacted:gitlab-token]"},
		{"Slack", "xoxb-123456789012-" + noise(24), "[redacted:slack-token]"},
		{"Slack webhook", "https://hooks.slack.com/services/T0ABCDEFG/B0ABCDEFG/" + noise(24), "https://[redacted:slack-webhook]"},
		{"Stripe", "sk_live_" + noise(24), "[redacted:stripe-key]"},
		{"OpenAI", "OPENAI_API_KEY=sk-proj-" + noise(48), "OPENAI_API_KEY=[redacted:openai-key]"},
		{"OpenAI, old", "sk-" + noise(48), "[redacted:openai-key]"},
		{"Anthropic", "key: 'sk-ant-api03-" + noise(80) + "'", "key: '[redacted:anthropic-key]'"},
		{"Google", "AIza" + noise(35), "[redacted:google-key]"},
		{"npm", "//registry.npmjs.org/:_authToken=npm_" + noise(36), "//registry.npmjs.org/:_authToken=[redacted:npm-token]"},
		{"JWT", "cookie " + jwt + ";", "cookie [redacted:jwt];"},
		{"bearer", "Authorization: Bearer " + noise(32), "Authorization: Bearer [redacted:bearer]"},
		{"bearer JWT", "authorization: bearer " + jwt, "authorization: bearer [redacted:jwt]"},
		{"basic", "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("ann:s3cret")), "Authorization: Basic [redacted:basic]"},
		{"URL", "postgres://ann:s3cr3t@db.local:5432/x", "postgres://ann:[redacted:url]@db.local:5432/x"},
		{"URL, no name", "redis://:h0pe@localhost", "redis://:[redacted:url]@localhost"},
		{"URL, token", "https://ghp_" + noise(36) + "@github.com/a/b", "https://[redacted:github-token]@github.com/a/b"},
		{"URL, some token", "https://" + noise(40) + "@git.local/a", "https://[redacted:url]@git.local/a"},
		{"quoted", `password = "hunter2"`, `password = "[redacted:password]"`},
		{"single quotes", `'db_password' => 'S3cr!t'`, `'db_password' => '[redacted:password]'`},
		{"Go", `apiKey := "` + noise(24) + `"`, `apiKey := "[redacted:key]"`},
		{"JSON", `{"clientSecret": "` + noise(24) + `"}`, `{"clientSecret": "[redacted:secret]"}`},
		{"Python", `os.environ["API_TOKEN"] = '` + noise(24) + `'`, `os.environ["API_TOKEN"] = '[redacted:token]'`},
		{"YAML", "db:\n  password: Tr0ub4dor&3\n", "db:\n  password: [redacted:password]\n"},
		{"environment", "export SECRET_KEY=" + noise(32) + " # x\n", "export SECRET_KEY=[redacted:key] # x\n"},
		{"XML", "<password>" + noise(16) + "</password>", "<password>[redacted:password]</password>"},
		{"option", "mysql --password " + noise(16) + " -u x", "mysql --password [redacted:password] -u x"},
		{"option with =", "curl --token=" + noise(20), "curl --token=[redacted:token]"},
		{"connection string", `"Server=x;User Id=y;Password=Abc123!x;"`, `"Server=x;User Id=y;Password=[redacted:password];"`},
		{"a token before a key's end", "AKIA" + upperNoise(16) + "\n" + noise(40) + "\n-----END RSA PRIVATE KEY-----", "[redacted:aws-key]\n[redacted:private-key]\n"},
		{"two on a line", "AKIA" + upperNoise(16) + " ghp_" + noise(36), "[redacted:aws-key] [redacted:github-token]"},
		{"carriage returns", "a\r\npassword = \"hunter2\"\r\nb\r\n", "a\r\npassword = \"[redacted:password]\"\r\nb\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := []byte(tt.in)
			got, n := Text(in)
			if string(got) != tt.want {
				t.Errorf("Text(%q)\n = %q\nwant %q", tt.in, got, tt.want)
			}
			if want := strings.Count(tt.want, mark); n != want {
				t.Errorf("n = %d, want %d", n, want)
			}
			if string(in) != tt.in {
				t.Error("the text that was given is changed")
			}
		})
	}
}

// TestLeaves holds that what only looks like a secret stays: a text with holes
// in it is found by nothing.
func TestLeaves(t *testing.T) {
	for _, in := range []string{
		// code
		`password = getPassword()`, `if password == "hunter2" {`, `token := r.Header.Get("Authorization")`, `secret = os.environ["SECRET2"]`,
		`const tokenType = "Bearer4All"`, `func (t *Tokenizer) Token() token.Token { return t.tok }`, `password: string;`, `apiKey: process.env.API_KEY,`,
		`token = config.auth2.Token`, `Password string `, `key = "h264Decoder"`, `api_key = settings.API_KEY_V2`, `secretKey := newKey2048(rand.Reader)`,
		`token: Uint8Array`, `access_token = "access_token"`, `PASSWORD_FIELD = "password1field"`, `password_hash = "$2b$12$abcdefghijklmnopqrstuv"`,
		`grant_type=refresh_token&token=refresh_token`, `kind: token.IDENT, token: token.STRING2`, `case token == '=':`, `x["password"] = password2`,
		`secretName: my-app-credentials-v2`, `--password-file /run/secrets/db1`, `--token-ttl 24h0m0s`, `label for="password">Password</label>`,
		`i18n: { password: "Passwort eingeben" }`, `sk-spinner-three-bounce-wave sk-circle-fade-dot`, `class="sk-fading-circle sk-folding-cube-2"`,
		`basic authentication`, `Basic YWJj`, `bearer of bad news from somewhere`, `Bearer authentication-is-required-here`, `the token is: something`,
		`map[string]string{"token": "identifier", "secret": "boolean"}`, `eyJ is how they start`, `a :=b`, `x::y::token<T>`, `key=value`,
		`--- PASS: TestPrefixString2 (0.00s)`, `"secret": "\u3299\ufe0f",`, `sk-ecdsa-sha2-nistp256-cert-v01@openssh.com`,
		`PrivateKey:  testP256PrivateKey,`, "postgres://user:xxxxxx@host/db", "Token: `urn:uuid:150852e2-3847-42d5-8cbe-0f4f296f26cf`,", `Cookie: __utma=1.1978842379.1323102373.1323102373.1323102373.1; _ga=GA1.2.1978842379.1323102373`,
		"0g+FCQMAAESLBTRlDQBmDx+EAAAAAAAPHwBEOQUlZQ0AD4fpAgAAgz04XQ0AAH4F6EUMAABIgz19", "password = os.environ['DB_PASSWORD']",
		// hashes and identifiers
		`commit da39a3ee5e6b4b0d3255bfef95601890afd80709`, `"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="`,
		`id: 550e8400-e29b-41d4-a716-446655440000`, `github.com/x/y v1.2.3 h1:z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5=`, `sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`,
		`AKIA in a sentence`, `AKIAABC`, `FAKIAIOSFODNN7ABCDEFG`, `AKIAIOSFODNN7ABCDEFG_X`, `ghp_short`,
		// placeholders
		`https://token@host:8080/a@b`, `docker run -u 1000:1000 -p 8080:8080 x`, `curl -u "$USER:$PASS" https://x`, `mysql -u root -p queue`, `curl -u ann https://x`,
		`mkdir -p curl/x1y2z3`, `curl -p x1y2z3q9`, `curl -u name:password https://x`, `docker run -p s3cr3tpw`,
		`password = "changeme123!"`, `api_key = "your-api-key-1234"`, `token: "xxxxxxxxxxxx1"`, `ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`, `secret = "<insert 1 here>"`,
		`password: ${DB_PASSWORD1}`, `password: "{{ vault_password_1 }}"`, `token = "%s1%s2%s3"`, `TOKEN=$GITHUB_TOKEN1`, `api_key=EXAMPLE1234567890KEY`,
		`https://user:password@example.com`, `postgres://user:${PASS}@host`, `http://localhost:8080/@scope/x`, `https://example.com:443/a@b`, `mailto:ann@example.com`, `git@github.com:a/b.git`,
		`"-----BEGIN RSA PRIVATE KEY-----"`, "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0B\n-----END PUBLIC KEY-----",
		"if strings.HasPrefix(s, \"-----BEGIN PRIVATE KEY-----\") {\n\tfor i := range lines {\n\t\tuse(lines[i], other)\n\t}\n}\nend := \"-----END PRIVATE KEY-----\"\n",
		"x := \"-----BEGIN PRIVATE KEY-----\"\nfor a, b := range c(d, e) {\n\tcontinue\n}\ny := \"-----END PRIVATE KEY-----\"\n",
		"-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END CERTIFICATE-----\n",
	} {
		if got, n := Text([]byte(in)); n != 0 || string(got) != in {
			t.Errorf("Text(%q) = %q, %d", in, got, n)
		}
	}
}

// A text without an end of a line is read no slower than any other: this takes minutes
// where somebody looks back to its beginning.
func TestOneLongLine(t *testing.T) {
	for _, piece := range []string{" curl -u a:", " mysql -p", "https://a:b@@", "api_key=", " --token ", "Cookie: a=b; ", "Authorization: x ", "password is ", "machine a login b password ", "the PIN for a b c ", "seed phrase: walnut ",
		"define('a', ", `"kty":"d":`, `name="a" value=`, "echo a | sudo -S ", "a-", "x_live_", "SG.", "pat.", "-us1", "Private-Lines: 9\n", `"password": "a b `, "oracle:thin:a/", "?secret=", "?code="} {
		in := []byte(strings.Repeat(piece, 1<<19/len(piece)))
		if _, n := Text(in); n != 0 {
			t.Errorf("%q: %d secrets", piece, n)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("password = \"hunter2\"\nAKIAABCDEFGHIJKLMNOP ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5\n"))
	f.Add([]byte(key("RSA PRIVATE KEY", 300)))
	f.Add([]byte("https://a:bcd1@x sk-ant-" + noise(30) + "\ntoken: " + noise(20) + "\nBearer " + noise(30) + " --secret " + noise(14)))
	f.Add([]byte("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + noise(43) + "AKIA" + upperNoise(16)))
	f.Add([]byte("<password>" + noise(16) + "</password>\r\n-----END PRIVATE KEY-----"))
	f.Add([]byte("0 BeArer "))
	f.Add([]byte("the API key for x is " + noise(30) + ". Password: hunter22! <private>a</private>b</private> <private x>c"))
	f.Add([]byte("123456789:AA" + noise(33) + " abc8Q~" + noise(34) + " export A=" + noise(30) + " &sig=" + noise(40)))
	f.Add([]byte("curl -u ann:s3cr3tpw -u bob:s3cr3tpx https://ann:p@s3@x mysql -p -ps3cr3tpw sshpass -p 's3cr3tpw"))
	f.Add([]byte("a://b:\xff@ --password \xff"))
	f.Fuzz(func(t *testing.T, in []byte) {
		was := bytes.Clone(in)
		out, n := Text(in)
		if !bytes.Equal(in, was) {
			t.Fatal("the text that was given is changed")
		}
		if (n == 0) != bytes.Equal(in, out) {
			t.Errorf("%d secrets, changed %v", n, !bytes.Equal(in, out))
		}
		if a, b := bytes.Count(in, []byte("\n")), bytes.Count(out, []byte("\n")); a != b {
			t.Errorf("%d lines became %d", a, b)
		}
		if again, k := Text(out); k != 0 || !bytes.Equal(again, out) {
			t.Errorf("Text(%q) = %q, %d: not the same again", out, again, k)
		}
	})
}

func BenchmarkText(b *testing.B) {
	text := []byte(strings.Repeat("// Find returns the tokens of a password store: key=value.\nfunc (s *Store) Find(name string, key Key) (token, error) {\n\treturn s.tokens[name+\"secret\"], nil\n}\n", 500))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Text(text)
	}
}
