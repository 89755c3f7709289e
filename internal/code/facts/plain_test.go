package facts_test

import (
	"testing"

	"github.com/assay-dev/assay/internal/code/facts"
)

func TestPlain(t *testing.T) {
	for name, want := range map[string]struct {
		plain string
		arity int
	}{
		"Name":                                  {"Name", -1},
		"src/":                                  {"src/", -1},
		"a$":                                    {"a$", -1},
		"a`":                                    {"a`", -1},
		"Scope.Name":                            {"Scope.Name", -1},
		"old/engine.go:Open":                    {"old/engine.go:Open", -1},
		"src/a.rs:A::b":                         {"src/a.rs:A.b", -1},
		"(*Engine).Run":                         {"Engine.Run", -1},
		"example.com/a/runner.(*Engine).Run":    {"runner.Engine.Run", -1},
		"main.(*Engine).Run.func1":              {"main.Engine.Run", -1},
		"main.main.func2.1":                     {"main.main", -1},
		"crate::recipe::Recipe::run":            {"recipe.Recipe.run", -1},
		`\GuzzleHttp\Cookie\SetCookie::matches`: {"GuzzleHttp.Cookie.SetCookie.matches", -1},
		`GuzzleHttp\Client->send()`:             {"GuzzleHttp.Client.send", -1},
		"Plug.Conn.halt/1":                      {"Plug.Conn.halt", 1},
		"halt/10":                               {"halt", 10},
		"Hono.prototype.fetch":                  {"Hono.fetch", -1},
		"com.shop.Reader#peek(int, String)":     {"com.shop.Reader.peek", -1},
		"::Faraday::Utils.escape":               {"Faraday.Utils.escape", -1},
		"global::App.Clock.Tick":                {"App.Clock.Tick", -1},
		"Stateless.StateMachine`2.FireOne":      {"Stateless.StateMachine.FireOne", -1},
		"StateMachine<TState,TTrigger>.FireOne": {"StateMachine.FireOne", -1},
		"Map<K, List<V>>.get":                   {"Map.get", -1},
		"com.github.result.FactoryKt.catching":  {"com.github.result.catching", -1},
		"fastparse.internal.Util$.literalize":   {"fastparse.internal.Util.literalize", -1},
		"a::operator<<":                         {"a.operator<<", -1},
		"Version#<=>":                           {"Version.<=>", -1},
		"Data.Foo.<|>":                          {"Data.Foo.<|>", -1},
		"a < b":                                 {"a < b", -1},
		"spdlog::logger::flush":                 {"spdlog.logger.flush", -1},
	} {
		if plain, arity := facts.Plain(name); plain != want.plain || arity != want.arity {
			t.Errorf("%s is %s/%d, want %s/%d", name, plain, arity, want.plain, want.arity)
		}
	}
}
