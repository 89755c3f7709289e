package claims

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// What a document says beside a name may tell that it is of another program.

var (
	placeholder   = lazy.Regexp(`^--(?:no-)?(?:flag|option|opt|short|long|arg|xyz|foo|bar|baz|some|my|your|example|help|version)(?:$|[-_])|^--(?:bash|zsh|fish)-completion(?:-script|-index|-word)?$|^--(?:quiet|verbose|ansi|no-ansi|no-interaction)$`)
	would         = lazy.Regexp(`(?i)\b(would|create|add|edit\w*|generate[sd]?|written|output)\b`)
	environment   = lazy.Regexp(`(?i)\b(environment|env|variables?|envars?|exports?)\b`)
	foreignFamily = lazy.Regexp(`^_?(GITHUB|GITLAB|AWS|AZURE|GCP|GOOGLE|DOCKER|NODE|NPM|HTTP|HTTPS|XDG|LC|SSH|GIT|JAVA|PYTHON|PIP|RUST|CARGO|RUBY|GEM|CI|HOME|PATH|LD|DYLD|CMAKE|CC|UTF|ISO|SIG|MIT|BSD|APACHE|O|E|S|POSTGRES|MYSQL|SSL|OPENSSL|VIM|EMACS|TERM|NO|COLORTERM|PHP|DB|MY|FOO|YOUR|SOME|FZF|LESS|SESSION|SECRET|API|DATABASE)_`)
	service       = lazy.Regexp(`(?i)\b(github\w*|gitlab\w*|bitbucket|travis\w*|circleci|jenkins|docker|kubernetes|k8s|compose|systemd|launchd|nginx|apache|heroku|aws|azure|webpack|vite|babel|vs ?code|pre-commit|actions|vim|emacs|sublime|homebrew|terraform|ansible|supervisor\w*|runit|upstart|monit|circus)\b`)
	forge         = lazy.Regexp(`(?i)github|gitlab|travis`)
	// alsoWord are programs whose names are words of prose too.
	alsoWord = lazy.Regexp(`(?i)^(?:go|find|make|sort|parallel|man|less|more|head|tail|tree|cat|kill|diff|node|fish|nix|helm|conda|bundle|rake|tox|poetry|uv|du|df|jest|mocha|electron|deno|find)$`)
	// derived are methods that languages give to what declares none.
	derived   = lazy.Regexp(`^(?:default|clone|new|from|into|iter|eq|cmp|hash|fmt|drop|unwrap|expect|to_owned|toString|to_string|to_s|valueOf|values|keys|entries|equals|hashCode|getClass|ordinal|name|compareTo|then|catch|finally|call|apply|bind|length|size|class|inspect|freeze|dup|tap|send|instance_eval|GetType|ToString|Equals|constructor|prototype)$`)
	made      = lazy.Regexp(`\b(?:foo|bar|baz|qux)\b`)
	otherTool = lazy.Regexp("(?i)(?:`|\\b)(git|docker|gem|winget|choco|scoop|pacman|dnf|yum|zypper|emerge|guix|apk|snap|flatpak|gradlew|mvnw|stackprof|mix|npm|npx|yarn|pnpm|pip|pipx|cargo|rustc|brew|apt|apt-get|make|cmake|curl|wget|fzf|rofi|find|grep|sed|awk|xargs|swift|xcodebuild|xcrun|dart|flutter|zig|sbt|cabal|ghc|luarocks|rustup|pod|parallel|tar|ssh|kubectl|helm|terraform|ansible|systemd|systemctl|vim|emacs|tmux|node|python|ruby|java|javac|go|php|perl|bash|zsh|fish|gcc|clang|maven|mvn|gradle|webpack|babel|eslint|prettier|jest|mocha|pytest|tox|uv|poetry|conda|nix|bundler?|rake|rspec|composer|dotnet|nuget|msbuild|flock|sort|diff|strace|gdb|ffmpeg|chrome|firefox|electron|deno|bun|rm|cp|mv|ls|cat|du|df|sudo|nproc|man|less|more|head|tail|tree|pkill|kill|nohup)(?:`|\\b)")
)

// toolsOf returns the other programs that a sentence names, which many names may be in.
func (k *known) toolsOf(s string) []string {
	got, ok := k.tools[s]
	if !ok {
		for _, m := range otherTool.FindAllStringSubmatch(s, -1) {
			got = append(got, m[1])
		}
		k.tools[s] = got
	}
	return got
}

// elsewhere reports whether a sentence speaks of another program or of what the project
// depends on.
func (k *known) elsewhere(n *named) bool {
	if slices.ContainsFunc(n.section()[max(0, len(n.section())-2):], service.MatchString) || n.sort == codeName && forge.MatchString(n.text) || made.MatchString(n.text) {
		return true
	}
	for _, tool := range k.toolsOf(n.text) {
		if !k.own[strings.ToLower(tool)] && (n.sort == flagName && !alsoWord.MatchString(tool) || strings.Contains(n.text, "`"+tool)) {
			return true
		}
	}
	for _, w := range nameRE.FindAllString(n.text, -1) {
		if k.others[w] && len(w) > 2 && !k.own[fold2(w)] && !k.declared(w) && strings.Contains(n.name, w+".") {
			return true
		}
	}
	return false
}
