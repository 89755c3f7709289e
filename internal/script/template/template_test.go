package template

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

var vars = map[string]any{
	"n": int64(5), "f": 1.5, "s": "hello world", "t": true, "none": nil, "html": "<a href='x'>&</a>",
	"l": []any{int64(3), int64(1), int64(2)}, "e": []any{}, "m": map[string]any{"b": int64(1), "a": "x", "c": map[string]any{"d": []any{"deep"}}},
	"users": []any{
		map[string]any{"name": "bob", "age": int64(30), "on": true}, map[string]any{"name": "Al", "age": int64(25), "on": false}, map[string]any{"name": "cy", "age": int64(30)},
	},
	"tree": []any{map[string]any{"v": int64(1), "kids": []any{map[string]any{"v": int64(2), "kids": []any{}}}}},
}

var renders = []struct{ src, want string }{
	// values
	{"{{ n }} {{ f }} {{ s }} {{ t }} {{ none }} {{ l }} {{ m }}", `5 1.5 hello world true none [3, 1, 2] {"a": "x", "b": 1, "c": {"d": ["deep"]}}`},
	{"[{{ missing }}] [{{ m.missing }}] [{{ m['a'] }}] [{{ l[0] }}] [{{ l[-1] }}] [{{ l[9] }}] [{{ m.c.d[0] }}] [{{ l.0 }}]", "[] [] [x] [3] [2] [] [deep] [3]"},
	{"{{ html }}", "<a href='x'>&</a>"}, {"{{ 'a' 'b' }}{{ \"c\\n\\u0041\" }}", "abc\nA"}, {"{{ true }}{{ False }}{{ None }}", "truefalsenone"}, {"{{ 1_000 }} {{ 1e3 }} {{ 1.5e-3 }}", "1000 1000.0 0.0015"}, {"{{ [1, 'a', [2.0, none], {'k': true}] }}{{ () }}{{ (1,) }}", `[1, "a", [2.0, none], {"k": true}][][1]`},
	// operators
	{"{{ 1 + 2 * 3 }} {{ (1 + 2) * 3 }} {{ 7 / 2 }} {{ 4 / 2 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ 7 % 3 }} {{ -7 % 3 }} {{ 2 ** 10 }} {{ 2 ** -1 }} {{ -n }} {{ 7.5 // 2 }} {{ 1.5 + 1 }}", "7 9 3.5 2.0 3 -4 1 2 1024 0.5 -5 3.0 2.5"},
	{"{{ 'a' ~ 1 ~ none }} {{ 'a' + 'b' }} {{ 'ab' * 3 }} {{ [1] + [2] }} {{ [1] * 2 }} {{ 3 * 'x' }}", "a1none ab ababab [1, 2] [1, 1] xxx"},
	{"{{ 1 == 1.0 }} {{ 1 != 2 }} {{ 'a' < 'b' }} {{ 2 >= 2 }} {{ [1, 2] == [1, 2] }} {{ {'a': 1} == {'a': 1} }} {{ none == missing }} {{ true == 1 }}", "true true true true true true false true"},
	{"{{ 1 in [1, 2] }} {{ 'ell' in s }} {{ 'a' in m }} {{ 5 not in l }} {{ not 1 in l }} {{ 'x' in missing }}", "true true true true false false"},
	{"{{ t and n }} {{ none or 'd' }} {{ not t }} {{ e or m.zz or 0 }} {{ 'y' if t else 'n' }} {{ 'y' if none }}|{{ 1 if e else 2 if none else 3 }}", "5 d false 0 y |3"},
	{"{{ s[0] }} {{ s[1:4] }} {{ s[-5:] }} {{ s[::-1] }} {{ l[1:] }} {{ l[:-1] }} {{ l[::2] }} {{ 'äöü'[1:] }} {{ l[5:] }}", "h ell world dlrow olleh [1, 2] [3, 1] [3, 2] öü []"},
	// statements
	{"{% if n > 3 %}big{% elif n > 1 %}mid{% else %}small{% endif %}{% if missing %}x{% endif %}", "big"},
	{"{% for x in l %}{{ loop.index }}/{{ loop.length }}:{{ x }}{% if not loop.last %},{% endif %}{% endfor %}", "1/3:3,2/3:1,3/3:2"},
	{"{% for x in e %}x{% else %}empty{% endfor %}{% for x in missing %}{% else %}none{% endfor %}", "emptynone"}, {"{% for k in m %}{{ k }}{% endfor %} {% for k, v in m|items %}{{ k }};{% endfor %} {% for c in 'ab' %}<{{ c }}>{% endfor %}", "abc a;b;c; <a><b>"},
	{"{% for u in users if u.age == 30 %}{{ u.name }} {{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }} {% endfor %}", "bob 021true cy 110false "},
	{"{% for x in l %}{{ loop.cycle('a', 'b') }}{{ loop.previtem }}{{ loop.nextitem }}{{ loop.changed(x > 2) }} {% endfor %}", "a1true b32true a1false "},
	{"{% for x in tree recursive %}{{ x.v }}{{ loop.depth }}({{ loop(x.kids) }}){% endfor %}", "11(22())"}, {"{% for a, b in [[1, 2], [3, 4]] %}{{ a }}{{ b }}{% if a == 1 %}{% continue %}{% endif %}!{% break %}{% endfor %}", "1234!"},
	{"{% set x = 1 %}{% for i in l %}{% set x = i %}{% endfor %}{{ x }} {% set a, b = 1, 2 %}{{ a }}{{ b }} {% set t2 = 1, 2 %}{{ t2 }}", "1 12 [1, 2]"}, {"{% set ns = namespace(c=0) %}{% for i in l %}{% set ns.c = ns.c + i %}{% endfor %}{{ ns.c }}", "6"}, {"{% set b %}hi {{ n }}{% endset %}[{{ b }}]{% set c | upper %}x{% endset %}{{ c }}", "[hi 5]X"},
	{"{% macro m1(a, b='d', c=a) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m1(1) }} {{ m1(1, 2, 3) }} {{ m1(b=5, a=6) }} {{ m1() }}", "1d1 123 656 d"},
	{"{% macro box(x) %}[{{ caller(x) }}]{% endmacro %}{% call(v) box(7) %}v={{ v }}{% endcall %}{% call box(1) %}p{% endcall %}", "[v=7]"},
	{"{% filter upper %}abc{% endfilter %}{% filter replace('a', 'b')|upper %}aa{% endfilter %}", "ABCBB"}, {"{% with x = 1, y = x + 1 %}{{ x }}{{ y }}{% endwith %}{{ x }}", "12"}, {"{% do [1] %}{% autoescape true %}<{% endautoescape %}{% raw %}{{ x }}{% if %}{% endraw %}{# {{ c }} #}.", "<{{ x }}{% if %}."},
	// white space
	{"a\n", "a"}, {"a\n\n", "a\n"}, {" {{- n -}} ", "5"}, {"a {%- if t %} b {%- endif -%}\n c", "a bc"}, {"a {#- x -#} b", "ab"}, {"a {%+ if t %} b {%+ endif %} c", "a  b  c"}, {"{% for x in l -%}\n  {{ x }}\n{%- endfor %}", "312"}, {"{%- raw -%} x {%- endraw -%} y", "xy"}, {"a\r\nb", "a\nb"},
	// filters
	{"{{ s|upper }} {{ s|title }} {{ s|capitalize }} {{ 'ABC'|lower }} {{ ' x '|trim }} {{ 'xxaxx'|trim('x') }}", "HELLO WORLD Hello World Hello world abc x a"}, {"{{ missing|default('d') }} {{ none|default('d') }} {{ ''|d('e', true) }} {{ n|default(1) }}", "d none e 5"}, {"{{ l|join(',') }} {{ l|sort|join }} {{ l|sort(reverse=true) }} {{ users|sort(attribute='name')|map(attribute='name')|join(' ') }} {{ users|map(attribute='age')|list }}", "3,1,2 123 [3, 2, 1] Al bob cy [30, 25, 30]"},
	{"{{ l|first }} {{ l|last }} {{ e|first }}| {{ l|length }} {{ s|count }} {{ m|length }} {{ l|sum }} {{ users|sum('age') }} {{ l|min }} {{ l|max }}", "3 2 | 3 11 3 6 85 1 3"}, {"{{ l|reverse|list }} {{ 'abc'|reverse }} {{ [1, 1, 2, 'A', 'a']|unique|list }} {{ 'a b c'|split }} {{ 'a,b'|split(',') }} {{ 'a\nb'|lines }}", `[2, 1, 3] cba [1, 2, "A"] ["a", "b", "c"] ["a", "b"] ["a", "b"]`},
	{"{{ users|selectattr('on')|map(attribute='name')|join }} {{ users|rejectattr('age', 'eq', 30)|map(attribute='name')|join }} {{ l|select('odd')|list }} {{ l|reject('gt', 2)|list }} {{ l|map('string')|list }}", `bob Al [3, 1] [1, 2] ["3", "1", "2"]`}, {"{% for k, g in users|groupby('age') %}{{ k }}:{{ g|map(attribute='name')|join(',') }};{% endfor %}", "25:Al;30:bob,cy;"},
	{"{{ l|batch(2)|list }} {{ l|batch(2, 0) }} {{ [1,2,3,4,5]|slice(2) }} {{ [1, 2]|zip([3, 4]) }} {{ [1]|chain([2]) }} {{ m|dictsort|first }} {{ {'a': 2, 'b': 1}|dictsort(by='value')|first }}", `[[3, 1], [2]] [[3, 1], [2, 0]] [[1, 2, 3], [4, 5]] [[1, 3], [2, 4]] [1, 2] ["a", "x"] ["b", 1]`},
	{"{{ m|tojson }} {{ '<&>'|tojson }} {{ l|tojson(2) }}", "{\"a\":\"x\",\"b\":1,\"c\":{\"d\":[\"deep\"]}} \"\\u003c\\u0026\\u003e\" [\n  3,\n  1,\n  2\n]"}, {"{{ html|e }} {{ html|striptags }} {{ 'a b/c&d'|urlencode }} {{ {'a b': 1, 'c': 'd&'}|urlencode }}", "&lt;a href=&#x27;x&#x27;&gt;&amp;&lt;/a&gt; & a%20b/c%26d a%20b=1&c=d%26"}, {"{{ '42'|int + 1 }} {{ 'x'|int }} {{ 'x'|int(7) }} {{ 3.9|int }} {{ '1.5'|float }} {{ '0x'|float(2.0) }} {{ -3|abs }} {{ 2.567|round(1) }} {{ 2.5|round }} {{ 2.1|round(0, 'ceil') }} {{ 'ff'|int(0, 16) }}", "43 0 7 3 1.5 2.0 3 2.6 3.0 3.0 255"},
	{"{{ 'a\nb'|indent(2) }} {{ 'a\nb'|indent(2, true) }} {{ 'x'|center(5) }}| {{ 'hello big world'|truncate(9, leeway=0) }} {{ s|wordcount }} {{ 'a b c d'|wordwrap(3) }} {{ 'aXb'|replace('X', '-') }} {{ '%s=%d %.1f%%'|format('a', 5, 1.25) }} {{ 1500|filesizeformat }}", "a\n  b   a\n  b   x  | hello... 2 a b\nc d a-b a=5 1.2% 1.5 kB"},
	// tests
	{"{{ n is defined }} {{ x is undefined }} {{ none is none }} {{ n is number }} {{ f is float }} {{ n is integer }} {{ s is string }} {{ l is sequence }} {{ m is mapping }} {{ l is iterable }} {{ t is boolean }} {{ t is true }}", "true true true true true true true true true true true true"}, {"{{ 3 is odd }} {{ 3 is even }} {{ 6 is divisibleby 3 }} {{ 6 is divisibleby(4) }} {{ n is eq 5 }} {{ n is not eq 5 }} {{ 1 is in l }} {{ 'ab' is startingwith('a') }} {{ 'AB' is upper }} {{ n is lt 6 and n is gt 4 }} {{ n == 5 is true }}", "true false true false true false true true true true false"},
	// functions and methods
	{"{{ range(3)|list }} {{ range(1, 4) }} {{ range(5, 0, -2) }} {{ dict(a=1, b=2) }} {% set j = joiner('|') %}{% for x in l %}{{ j() }}{{ x }}{% endfor %} {% set c = cycler('o', 'e') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}", `[0, 1, 2] [1, 2, 3] [5, 3, 1] {"a": 1, "b": 2} 3|1|2 oeo`}, {"{{ s.upper() }} {{ s.split(' ')[1] }} {{ s.startswith('hell') }} {{ ','.join(['a', 'b']) }} {{ m.get('a') }} {{ m.get('z', 'd') }} {{ m.keys() }} {% for k, v in m.items() %}{{ k }}{% endfor %} {{ ' x '.strip() }} {{ s.replace('o', '0') }}", `HELLO WORLD world true a,b x d ["a", "b", "c"] abc x hell0 w0rld`},
}

func TestRender(t *testing.T) {
	for _, c := range renders {
		got, err := Render("t", c.src, vars, Options{})
		if strings.Contains(c.src, "call box(1)") {
			if err == nil || !strings.Contains(err.Error(), "takes 0 arguments, not 1") {
				t.Errorf("%s: %q, %v", c.src, got, err)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s\n got %q, %v\nwant %q", c.src, got, err, c.want)
		}
	}
}

func TestRenderErrors(t *testing.T) {
	for src, want := range map[string]string{
		"a\n{{": "t:2: unclosed tag", "{{ x": "t:1: unclosed tag", "{% if x %}": "t:1: unclosed block: expected endif", "{# x": "t:1: unclosed comment", "{% raw %}": "expected endraw", "{{ 'x }}": "unclosed string", "{% nope %}": "unknown statement nope", "{{ }}": `unexpected ""`, "{{ 1 2 }}": `unexpected "2"`, "{{ @ }}": "unexpected character '@'",
		"{% endif %}": "unknown statement endif", "{% break %}": "break outside a loop", "{{ 1|nope }}": "unknown filter nope", "{{ 1 is nope }}": "unknown test nope", "{{ x.y.z }}": `undefined value: it has no attribute "y"`, "{{ 1 / 0 }}": "division by zero", "{{ 1 // 0 }}": "division by zero", "{{ 1 < 'a' }}": "cannot compare number with string", "{{ 1 + 'a' }}": "cannot compute number + string", "{{ n() }}": "a number cannot be called", "{{ s.nope() }}": "a string has no method nope", "{% for x in 5 %}{% endfor %}": "a number cannot be iterated",
		"{{ 9223372036854775807 + 1 }}": "overflow", "{{ 'x' * 99999999999 }}": "a value of more than", "{{ 'x'|center(999999999) }}": "a value of more than", "{{ [0] * 999999999 }}": "a value of more than", "{{ range(10000000) }}": "range of more than", "{% for i in range(99999) %}{{ 'x' * 1000 }}{% endfor %}": "bytes of output",
		"{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}": "calls nested too deep", "{% block a %}{{ super() }}{% endblock %}": "super() needs", "{% include 'self' %}": "calls nested too deep", "{% extends 'kid' %}": "too deep", "{% include 'gone' %}": "gone: no such", "{{ " + strings.Repeat("(", 500) + "1" + strings.Repeat(")", 500) + " }}": "nested too deep", strings.Repeat("{% if 1 %}", 500): "nested too deep",
		"{% set x.y = 1 %}": "only the attributes of a namespace", "{% for a, b in [1] %}{% endfor %}": "cannot be iterated", "{% block a %}{% endblock %}{% block a %}{% endblock %}": "block a is defined twice", "{{ {{ }}": "unclosed tag", "{{ 1 if }}": `unexpected ""`, "{{ loop(1) }}": "a undefined cannot be called",
	} {
		o := Options{Load: func(name string) (string, error) {
			switch name {
			case "self":
				return "{% include 'self' %}", nil
			case "kid":
				return "{% extends 'kid' %}", nil
			}
			return "", errors.New("no such template")
		}}
		got, err := Render("t", src, vars, o)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %.60q, %v, want %s", src, got, err, want)
		}
	}
}

func TestInheritance(t *testing.T) {
	files := map[string]string{
		"base":   "<{% block head %}base{{ n }}{% endblock %}|{% block body %}{% endblock %}>",
		"mid":    "{% extends 'base' %}{% block head %}mid[{{ super() }}]{% endblock %}",
		"page":   "{% extends 'mid' %}{% set n = 7 %}{% block head %}page[{{ super() }}]{% endblock %}{% block body %}{% include 'part' %}{% endblock %}ignored",
		"part":   "part {{ n }}",
		"macros": "{% macro a(x) %}a{{ x }}{% endmacro %}{% set v = 5 %}",
	}
	o := Options{Load: func(name string) (string, error) {
		if s, ok := files[name]; ok {
			return s, nil
		}
		return "", errors.New("no such template")
	}}
	for src, want := range map[string]string{
		files["page"]: "<page[mid[base7]]|part 7>",
		"{% import 'macros' as m %}{{ m.a(1) }}{{ m.v }}":                        "a15",
		"{% from 'macros' import a as b, v %}{{ b(2) }}{{ v }}":                  "a25",
		"{% include ['none', 'part'] %}{% include 'none' ignore missing %}":      "part 5",
		"{% include 'none' ignore missing with context %}.":                      ".",
		"{% set name = 'part' %}{% include name %}{% extends 'base' if false %}": "part 5",
	} {
		if strings.Contains(src, "if false") {
			continue // what it extends must be a name
		}
		if got, err := Render("t", src, map[string]any{"n": int64(5)}, o); err != nil || got != want {
			t.Errorf("%s = %q, %v, want %q", src, got, err, want)
		}
	}
}

func TestPoll(t *testing.T) {
	stop := errors.New("stop")
	n := 0
	_, err := Render("t", "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}", nil, Options{Poll: func() error {
		if n++; n > 10 {
			return stop
		}
		return nil
	}})
	if !errors.Is(err, stop) {
		t.Error(err)
	}
}

// Whatever the source, rendering ends with text or an *Error.
func FuzzRender(f *testing.F) {
	for _, c := range renders {
		f.Add(c.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		deadline := time.Now().Add(5 * time.Second)
		late := errors.New("late")
		out, err := Render("t", src, vars, Options{Limit: 1 << 16, Poll: func() error {
			if time.Now().After(deadline) {
				return late
			}
			return nil
		}})
		var e *Error
		if err != nil && !errors.As(err, &e) && !errors.Is(err, late) {
			t.Fatal(err)
		}
		if err == nil && len(out) > 1<<16 {
			t.Fatal(fmt.Sprint(len(out), " bytes"))
		}
	})
}
