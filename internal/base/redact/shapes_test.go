package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func hexNoise(n int) string {
	r := rand.New(rand.NewPCG(5, 6))
	b := make([]byte, n)
	for i := range b {
		b[i] = "0123456789abcdef"[r.IntN(16)]
	}
	return string(b)
}

// TestShapes holds that each common shape of a secret leaves no trace of its own
// in what is kept, alone and in the middle of a sentence, in a list of settings
// and in JSON.
func TestShapes(t *testing.T) {
	tests := []struct {
		name   string
		secret string // what must be gone
		in     string // a text with it; the secret itself where empty
	}{
		{"aws_access_key", "AKIA" + upperNoise(16), ""},
		{"aws_secret_key", noise(40), "aws_secret_access_key = " + noise(40)},
		{"github", "ghp_" + noise(36), ""},
		{"github_fine_grained", "github_pat_" + noise(22) + "_" + noise(59), ""},
		{"gitlab", "glpat-" + noise(20), ""},
		{"slack", "xoxb-123456789012-" + noise(24), ""},
		{"slack_webhook", "hooks.slack.com/services/T0ABCDEFG/B0ABCDEFG/" + noise(24), ""},
		{"stripe", "sk_live_" + noise(24), ""},
		{"openai", "sk-proj-" + noise(48), ""},
		{"anthropic", "sk-ant-api03-" + noise(80), ""},
		{"google_api", "AIza" + noise(35), ""},
		{"google_oauth", "ya29." + noise(60), ""},
		{"npm", "npm_" + noise(36), ""},
		{"pypi", "pypi-AgE" + noise(100), ""},
		{"jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + noise(43), ""},
		{"pem", strings.Split(key("RSA PRIVATE KEY", 1190), "\n")[3], key("RSA PRIVATE KEY", 1190)},
		{"url", "s3cr3tpw", "postgres://ann:s3cr3tpw@db.example.com:5432/queue"},
		{"connection_string", "Abc123!x", "Server=tcp:db;User ID=ann;Password=Abc123!x;Encrypt=True"},
		{"azure_storage", noise(86) + "==", "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=" + noise(86) + "==;EndpointSuffix=core.windows.net"},
		{"azure_bus", noise(43) + "=", "Endpoint=sb://acme.example.com/;SharedAccessKeyName=Root;SharedAccessKey=" + noise(43) + "="},
		{"azure_signed_url", noise(43), "https://acme.blob.example.com/x?sv=2024-01-01&se=2030-01-01&sr=b&sig=" + noise(43) + "%3D"},
		{"azure_client_secret", "abc8Q~" + noise(34), ""},
		{"aws_signed_url", hexNoise(64), "https://acme.s3.example.com/x?X-Amz-Expires=900&X-Amz-Signature=" + hexNoise(64)},
		{"telegram", "123456789:AA" + noise(33), ""},
		{"telegram_url", "123456789:AA" + noise(33), "https://api.telegram.org/bot123456789:AA" + noise(33) + "/getMe"},
		{"sendgrid", "SG." + noise(22) + "." + noise(43), ""},
		{"twilio", "SK" + hexNoise(32), ""},
		{"twilio_token", hexNoise(32), "TWILIO_AUTH_TOKEN=" + hexNoise(32)},
		{"bearer", noise(40), "curl -H 'Authorization: Bearer " + noise(40) + "' https://example.com"},
		{"basic", "YW5uOnMzY3JldA==", "Authorization: Basic YW5uOnMzY3JldA=="},
		{"export", noise(32), "export ACME_THING=" + noise(32)},
		{"url_at", "ss@w0rd!9", "postgres://ann:p@ss@w0rd!9@db.example.com:5432/queue"},
		{"url_mail", "s3cr3tpw", "https://ann@example.com:s3cr3tpw@git.example.com/x"},
		{"slack_browser", noise(30), "xoxd-" + noise(30) + "%2B" + noise(10)},
		{"discord_webhook", noise(68), "https://discord.com/api/webhooks/123456789012345678/" + noise(68)},
		{"curl_user", "s3cr3tpw", "curl -s -u ann:s3cr3tpw https://example.com"},
		{"curl_user_quoted", "s3cr3t:pw", "$ /usr/bin/curl --user 'ann:s3cr3t:pw' https://example.com"},
		{"mysql", "s3cr3tpw", "mysql -h db -u ann -ps3cr3tpw queue"},
		{"sshpass", "s3cr3tpw", "sshpass -p s3cr3tpw ssh ann@db"},
		{"redis_cli", "s3cr3tpw", "redis-cli -h db -a s3cr3tpw ping"},
		{"docker_login", "s3cr3tpw", "docker login -u ann -p s3cr3tpw registry.example.com"},
		{"export_named", "Tr0ub4dor&3x", "export DB_PASSWORD='Tr0ub4dor&3x'"},
		{"prose_api_key", noise(32), "The API key is " + noise(32) + ", keep it."},
		{"prose_api_key_for", noise(32), "the API key for the staging cluster is `" + noise(32) + "`"},
		{"prose_api_key_colon", noise(32), "API key: " + noise(32)},
		{"prose_api_key_bare", noise(32), "use my API key " + noise(32) + " for this"},
		{"prose_password", "hunter22", "my password is hunter22."},
		{"prose_password_for", "Sommer2024!", "Password for the VPN: Sommer2024!"},
		{"prose_password_quoted", "corr3ct-h0rse", "The passphrase was \"corr3ct-h0rse\""},
		{"prose_token", noise(24), "the token is: " + noise(24)},
		{"prose_secret_key", noise(30), "Secret key is " + noise(30)},
		{"private", "my sister's address", "before <private>my sister's address</private> after"},
		{"private_lines", "second", "<private>\nfirst\nsecond\n</private>"},
		{"private_open", "never closed", "before <private>never closed\nand on"},
		{"private_case", "hidden", "<PRIVATE why=\"x\">hidden</Private>"},
		{"private_nested", "outer", "<private>a<private>b</private>outer</private> after"},
		{"private_in_doubt", "outer", "<private>a<private>b</private>outer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := tt.in
			if in == "" {
				in = tt.secret
			}
			texts := []string{in, "We talked. " + in, in + "\nand went on.\n", "{\n  \"text\": \"" + strings.ReplaceAll(strings.ReplaceAll(in, `"`, `\"`), "\n", `\n`) + "\"\n}"}
			if tt.in == "" {
				texts = append(texts, "use "+in+" here", "("+in+")", "`"+in+"`", "key="+in, "x: "+in+",", `{"a":"`+in+`"}`)
			}
			for _, text := range texts {
				got, n := Text([]byte(text))
				if n == 0 || strings.Contains(string(got), tt.secret) {
					t.Errorf("Text(%q)\n = %q, %d: the secret is still there", text, got, n)
				}
			}
		})
	}
}

// TestWholePassword holds that no sign of a password is left that closes a sentence or a
// bracket too, and that what closes what is open stays.
func TestWholePassword(t *testing.T) {
	for in, want := range map[string]string{
		"password: hunter2!":               "password: X",
		"password=hunter2!\n":              "password=X\n",
		"the password is hunter22!?":       "the password is X",
		"Password: hunter22!! Keep it.":    "Password: X Keep it.",
		"the password is Abc123)!":         "the password is X",
		"(the password is Abc123)":         "(the password is X)",
		"(password: hunter22!)":            "(password: X)",
		"{password: hunter22}":             "{password: X}",
		"password: hunter22]":              "password: X",
		"the password is Sommer2024*":      "the password is X",
		"**Password:** hunter22!":          "**Password:** X",
		"**Password**: hunter22!":          "**Password**: X",
		"- **Password: hunter22!**":        "- **Password: X**",
		"my password is *hunter22*":        "my password is X",
		"the password is hunter22.":        "the password is X.",
		"the password is Sommer2024).":     "the password is X.",
		"the passphrase is hunter22: no":   "the passphrase is X: no",
		"password: pässwörd9!":             "password: X",
		"PASSWORD=Sommer2024§":             "PASSWORD=X",
		"password: “hunter22”":             "password: “hunter22”",
		"password: \u00a0hunter22":         "password: \u00a0hunter22",
		"password: grün oder blau, größer": "password: grün oder blau, größer",
		"login ann password s3cr3tpw!":     "login ann password X",
	} {
		got, _ := Text([]byte(in))
		if got := strings.ReplaceAll(string(got), "[redacted:password]", "X"); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

// What stands beside a private region stays, and a project file's element of that
// name is none.
func TestPrivateLeaves(t *testing.T) {
	for in, want := range map[string]string{
		"before <private>x</private> after":             "before [redacted:private] after",
		"a\n<private>\nb\n</private>\nc":                "a\n[redacted:private]\n\n\nc",
		"a <private>x</private> b <private>y</private>": "a [redacted:private] b [redacted:private]",
		"a <private>x":                                   "a [redacted:private]",
		"<Private>True</Private>":                        "<Private>True</Private>",
		"<Private>\n  false\n</Private> <private>x":      "<Private>\n  false\n</Private> [redacted:private]",
		"a </private> b":                                 "a </private> b",
		"a private <privateer> is </privateers>":         "a private <privateer> is </privateers>",
		"<private x\ny>z":                                "[redacted:private]\n",
		"if a <private && b > c":                         "if a <private && b > c",
		"<private>password = \"hunter2\"</private> b\nc": "[redacted:private] b\nc",
	} {
		if got, _ := Text([]byte(in)); string(got) != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

// What people and programs write about secrets, without one, stays.
func TestSpokenLeaves(t *testing.T) {
	for _, in := range []string{
		"The API key is required.", "an API key is stored in the keychain", "The password is hashed with sha256-hmac.", "the password is base64-encoded",
		"password is at least 8-characters long", "the token is 32-byte", "the secret is rotated every 30d", "The token is a JWT.", "API key: see below",
		"the key is da39a3ee5e6b4b0d3255bfef95601890afd80709", "the primary key is user_id2", "the foreign key for orders is order_id_1234567890",
		"if token is None:", "while token is not self.last_token2:", "secret is os.environ['SECRET2']", "for password in passwords: check(password)",
		"the token for the loop is generated_token_value", "password for the user is prompted", "the passphrase is in /etc/secret2/file1",
		"The password is ${DB_PASSWORD1}", "my API key is <your-key-1>", "the API key is YOUR_API_KEY_12345", "token is the first word of the line",
		"token to use is context_token_reader_name", "secret sauce", "key value pairs", "access key rotation", "the secret key is derived with PBKDF2-HMAC",
		"the password was changed", "password is case-sensitive", "the password is v2.1", "key for key in keys",
		"commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "session 550e8400-e29b-41d4-a716-446655440000", "msg_1fe6fb9e8001ZOvjrnuQtWOrIr", "ses_e01904671ffeHItWZTf4a6VsmN",
		"export PATH=/usr/local/bin:$PATH", "export COMMIT=da39a3ee5e6b4b0d3255bfef95601890afd80709", "export JAVA_HOME=/usr/lib/jvm/java-21-openjdk-amd64",
		"export ID=550e8400-e29b-41d4-a716-446655440000", "export const handleRequestWithTimeout2=async", "export GOFLAGS=-mod=vendor", "export NODE_OPTIONS=--max-old-space-size=4096",
		"https://example.com/?signature=none&sig=short", "12:30:45:AAbc", "10.0.0.1:8080", "at 1795270097:AAAA", "approx ~5Q~x", "SKIP LOCKED", "SKU1234", "SK8",
	} {
		if got, n := Text([]byte(in)); n != 0 || string(got) != in {
			t.Errorf("Text(%q) = %q, %d", in, got, n)
		}
	}
}
