package catalog

import (
	_ "embed"
	"slices"
	"strings"
)

// A builtinModule is a table of functions, or a function, that every script has without
// require.
type builtinModule struct {
	Name        string
	Description string
	Keywords    string
	Functions   []Quickref
}

// Builtins returns what scripts have without require, in the order of `context`.
func Builtins() []builtinModule { return slices.Concat(outside(), inside()) }

// asked returns the tasks that a table is for, in the words of people who have them.
func (b *builtinModule) asked() string {
	_, rest, _ := strings.Cut("\n"+askedOfBuiltins, "\n"+b.Name+":")
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// askedOfBuiltins has a line for each of them: its name, a colon, and questions.
//
//go:embed asked.txt
var askedOfBuiltins string

// outside returns what reaches out of a script, and what it reads and writes there.
func outside() []builtinModule {
	return []builtinModule{
		{"http", "HTTP requests, clients with their own certificates and timeouts, and a small server.", "http, https, request, rest, api, url, web, fetch, call, server, tls, retry, pagination, download, upload, multipart, form, cookies, proxy, certificate, sse, stream, digest, sigv4, unix, docker, webdav, mtls, pages, listing, graphql", []Quickref{
			{"http.get(url, opts?)", "{status, body, headers}", "GET; opts: headers, query, auth ({username, password, scheme = \"digest\"}, {bearer} or {sigv4 = {access_key, secret_key, region, service}}), timeout, retry, redirects, to_file, on_line, on_event, on_chunk"},
			{"http.head(url, opts?)", "{status, body, headers}", "HEAD; the body is empty"},
			{"http.post(url, body?, opts?)", "{status, body, headers}", "POST; a table is sent as JSON; opts besides: form = {name = value}, multipart = {name = value, file = {path = \"a.png\"}}, body_file, compress"},
			{"http.put(url, body?, opts?)", "{status, body, headers}", "PUT"},
			{"http.patch(url, body?, opts?)", "{status, body, headers}", "PATCH"},
			{"http.delete(url, opts?)", "{status, body, headers}", "DELETE"},
			{"http.request(method, url, body?, opts?)", "{status, body, headers}", "Any method: OPTIONS, PROPFIND, PURGE"},
			{"http.client(opts?)", "client", "A client; opts: auth, unix (a socket's path), timeout, connect_timeout, first_byte_timeout, headers, retry, redirects, cookies, compression, proxy, ca_cert, client_cert, client_key (or with _file); client:get, client:request, client:pages and so on"},
			{"http.pages(url, opts?)", "iterator", "The responses of a listing in parts, by Link headers or opts.next(page)"},
			{"http.serve(port, routes, opts?)", "nil", "Serve routes.GET[\"/path\"] = function(req) and so on, on loopback; opts: host"},
		}},
		{"json", "Read and write JSON.", "json, parse, encode, decode", []Quickref{
			{"json.parse(str, opts?)", "table", "Read JSON; null is json.null, which counts as false; opts: null (\"nil\" drops it)"},
			{"json.encode(tbl)", "str", "Write JSON with sorted keys, json.null as null; an empty table is [], one that was read from {} is {}"},
		}},
		{"yaml", "Read and write YAML 1.2.", "yaml, yml, parse, encode, manifest", []Quickref{
			{"yaml.parse(str, opts?)", "table", "Read one YAML document; null as json.parse has it"},
			{"yaml.parse_all(str, opts?)", "[table]", "Read all documents of a stream"},
			{"yaml.encode(tbl)", "str", "Write YAML"},
		}},
		{"toml", "Read and write TOML.", "toml, parse, encode, configuration", []Quickref{
			{"toml.parse(str)", "table", "Read TOML; dates are strings"},
			{"toml.encode(tbl)", "str", "Write TOML"},
		}},
		{"fs", "Read and write files.", "fs, file, files, disk, read, write, filesystem", []Quickref{
			{"fs.read(path)", "str", "Read a file as text"},
			{"fs.write(path, str)", "nil", "Write a file and the folders it needs"},
		}},
		{"gzip", "Compress and decompress with gzip.", "gzip, gz, compress, decompress, zip", []Quickref{
			{"gzip.compress(str)", "str", "Compress"},
			{"gzip.decompress(str)", "str", "Decompress"},
		}},
		{"crypto", "Hashes, HMAC, random strings and signed JSON web tokens.", "crypto, hash, sha256, hmac, jwt, sign, verify, random, digest, checksum", []Quickref{
			{"crypto.hash(str, alg?)", "hex", "SHA-2 or SHA-3, sha256 by default"},
			{"crypto.hmac(key, data, alg?, raw?)", "hex", "HMAC; raw = true gives bytes"},
			{"crypto.random(len?)", "str", "Random letters and digits, 32 by default"},
			{"crypto.jwt_sign(claims, key, alg?, opts?)", "token", "A JSON web token signed with a private key in PEM (RS256, PS256, ES256, EdDSA) or a secret (HS256); opts: kid"},
			{"crypto.jwt_verify(token, key, opts?)", "claims", "The claims of a valid token, or nil and why not; PEM, JWKS, or a secret with opts.alg; opts.issuer, audience, leeway, require_exp"},
		}},
		{"base64", "Write and read base64.", "base64, encode, decode", []Quickref{
			{"base64.encode(str)", "str", "Write base64"},
			{"base64.decode(str)", "str", "Read base64"},
		}},
		{"regex", "Regular expressions (RE2).", "regex, regexp, pattern, match, replace", []Quickref{
			{"regex.match(text, pattern)", "bool", "Whether the pattern matches"},
			{"regex.find(text, pattern)", "{match, groups}", "The first match, or nil"},
			{"regex.find_all(text, pattern)", "[str]", "All matches"},
			{"regex.replace(text, pattern, repl)", "str", "Replace all matches; $1, ${name}"},
		}},
		{"db", "SQL databases: PostgreSQL, MySQL and SQLite.", "db, sql, database, postgres, postgresql, mysql, sqlite, query", []Quickref{
			{"db.connect(url)", "conn", "postgres://, mysql:// or sqlite:path"},
			{"db.query(conn, sql, params?)", "[row]", "Rows as tables; bytea and BLOB are bytes, NULL is nil"},
			{"db.execute(conn, sql, params?)", "{rows_affected}", "Run a statement"},
			{"db.close(conn)", "nil", "Close the connection"},
		}},
		{"redis", "Redis and what speaks its protocol; assay.redis has a function for each common command.", "redis, valkey, cache, key, command, resp", []Quickref{
			{"redis.connect(url)", "conn", "redis:// or, with TLS, rediss://"},
			{"redis.call(conn, command, ...)", "reply", "Any command; nothing within a list is false"},
			{"redis.close(conn)", "nil", "Close the connection"},
		}},
		{"ws", "WebSocket client.", "ws, wss, websocket, socket, stream", []Quickref{
			{"ws.connect(url, opts?)", "conn, subprotocol", "ws:// or wss://; opts: headers, subprotocols, timeout"},
			{"ws.send(conn, str, opts?)", "nil", "Send a text message, or with binary = true a binary one"},
			{"ws.recv(conn, opts?)", "str", "Wait for a message; opts: kind (true: a second result, text or binary)"},
			{"ws.close(conn)", "nil", "Close the connection"},
		}},
	}
}

// inside returns the rest.
func inside() []builtinModule {
	return []builtinModule{
		{"template", "Render Jinja2 templates.", "template, jinja, jinja2, render", []Quickref{
			{"template.render(path, vars?)", "str", "Render a file"},
			{"template.render_string(tmpl, vars?)", "str", "Render a string"},
		}},
		{"async", "Run functions at the same time, or again and again.", "async, parallel, concurrent, task, spawn, interval, await", []Quickref{
			{"async.spawn(fn, ...)", "h", "Start a task with these arguments"},
			{"h.await()", "[result]", "Wait for the task; its error is raised here"},
			{"async.spawn_interval(seconds, fn)", "{cancel}", "Call fn every so often"},
		}},
		{"assert", "Checks that raise an error when they fail.", "assert, test, check, expect, equal", []Quickref{
			{"assert.eq(a, b, msg?)", "nil", "Equal"},
			{"assert.ne(a, b, msg?)", "nil", "Not equal"},
			{"assert.gt(a, b, msg?)", "nil", "a > b"},
			{"assert.lt(a, b, msg?)", "nil", "a < b"},
			{"assert.contains(str, sub, msg?)", "nil", "sub is in str"},
			{"assert.not_nil(v, msg?)", "nil", "Not nil"},
			{"assert.matches(str, pattern, msg?)", "nil", "A Lua pattern matches"},
			{"assert.options(tbl, names, who?)", "tbl", "No name but those in the string names, which blanks separate; nil gives {}"},
		}},
		{"log", "Log lines on standard error.", "log, logging, print, debug", []Quickref{
			{"log.info(msg)", "nil", "Log a line"},
			{"log.warn(msg)", "nil", "Log a warning"},
			{"log.error(msg)", "nil", "Log an error"},
		}},
		{"env", "Environment variables.", "env, environment, variable", []Quickref{
			{"env.get(key)", "str", "The variable's value, or nil"},
		}},
		{"sleep", "Wait.", "sleep, wait, delay, pause", []Quickref{{"sleep(seconds)", "nil", "Wait; other tasks go on"}}},
		{"time", "The time.", "time, clock, now, timestamp, epoch", []Quickref{{"time()", "seconds", "Seconds since 1970, with fractions"}}},
	}
}
