--- @module http
--- @description HTTP requests, clients with their own certificates and timeouts, and a small server.
--- @keywords http, https, request, rest, api, url, web, fetch, call, server, tls, retry, pagination, download, upload, multipart, form, cookies, proxy, certificate, sse, stream, digest, sigv4, unix, docker, webdav, mtls, pages, listing, graphql
--- @asked send a GraphQL query or mutation and read its errors; show a client certificate (mTLS, mutual TLS), trust a self-signed certificate or an authority of our own; read every page of a listing, walk through all pages, follow the next link, a cursor; try again when the server answers 503 or 429, set a timeout; download a large file to disk; send a header, a bearer token, basic or digest authentication; a webhook, a PATCH, a session with cookies, through a proxy; server-sent events; the Docker engine by its socket; sign a request for AWS
--- @quickref http.get(url, opts?) -> {status, body, headers} | GET; opts: headers, query, auth ({username, password, scheme = "digest"}, {bearer} or {sigv4 = {access_key, secret_key, region, service}}), timeout, retry, redirects (how many; false: a 3xx is the reply), to_file, on_line, on_chunk(bytes), on_event({event, data, id})
--- @quickref http.head(url, opts?) -> {status, body, headers} | HEAD; the body is empty
--- @quickref http.post(url, body?, opts?) -> {status, body, headers} | POST; a table is sent as JSON; opts besides: form = {name = value}, multipart = {name = value, file = {path = "a.png"}}, body_file, compress
--- @quickref http.put(url, body?, opts?) -> {status, body, headers} | PUT; a table is sent as JSON
--- @quickref http.patch(url, body?, opts?) -> {status, body, headers} | PATCH; a table is sent as JSON
--- @quickref http.delete(url, opts?) -> {status, body, headers} | DELETE
--- @quickref http.request(method, url, body?, opts?) -> {status, body, headers} | Any method: OPTIONS, PROPFIND, PURGE
--- @quickref http.client(opts?) -> client | A client; opts: auth, unix (a socket's path; addresses are http://localhost/…), timeout, connect_timeout, first_byte_timeout, headers, retry, redirects, cookies (true: keep them), compression (true: ask for gzip), http2, proxy, ca_cert, client_cert, client_key (or with _file); client:get, client:request, client:pages and so on
--- @quickref http.pages(url, opts?) -> iterator | The responses of a listing in parts, by Link headers or opts.next(page); whatever their status
--- @quickref http.serve(port, routes, opts?) -> nil | Serve routes.GET["/path"] = function(req) and so on, on loopback; opts: host

--- @module json
--- @description Read and write JSON.
--- @keywords json, parse, encode, decode
--- @asked turn a table into JSON and back; read a field of a response; keep null; pretty-print or decode a document; big integers without losing digits, 64-bit ids; an empty object
--- @quickref json.parse(str, opts?) -> table | Read JSON; null is json.null, which counts as false; opts: null ("nil" drops it), big ("text": integers beyond 64 bits as strings, else their last digits are lost)
--- @quickref json.encode(tbl) -> str | Write JSON with sorted keys, json.null as null; an empty table is [], one that was read from {} is {}: json.parse("{}") makes one

--- @module yaml
--- @description Read and write YAML 1.2.
--- @keywords yaml, yml, parse, encode, manifest
--- @asked read a manifest with several documents; read and write a configuration file such as docker-compose, values.yaml, a pipeline
--- @quickref yaml.parse(str, opts?) -> table | Read one YAML document; null as json.parse has it
--- @quickref yaml.parse_all(str, opts?) -> [table] | Read all documents of a stream
--- @quickref yaml.encode(tbl) -> str | Write YAML

--- @module toml
--- @description Read and write TOML.
--- @keywords toml, parse, encode, configuration
--- @asked read pyproject.toml or Cargo.toml; change a value of a configuration file
--- @quickref toml.parse(str) -> table | Read TOML; dates are strings
--- @quickref toml.encode(tbl) -> str | Write TOML

--- @module fs
--- @description Read and write files.
--- @keywords fs, file, files, disk, read, write, filesystem
--- @asked write a report to a file; read a file line by line; save a result to disk; load a local configuration
--- @quickref fs.read(path) -> str | Read a file, its bytes as they are
--- @quickref fs.write(path, str) -> nil | Write a file and the folders it needs

--- @module gzip
--- @description Compress and decompress with gzip.
--- @keywords gzip, gz, compress, decompress, zip
--- @asked compress a string; decompress a .gz file or a body
--- @quickref gzip.compress(str) -> str | Compress
--- @quickref gzip.decompress(str) -> str | Decompress

--- @module crypto
--- @description Hashes, HMAC, random strings and signed JSON web tokens.
--- @keywords crypto, hash, sha256, hmac, jwt, sign, verify, random, digest, checksum
--- @asked verify the signature of a webhook with HMAC; sign or decode a JWT (JSON web token) for a service account; hash of a file; make a random password
--- @quickref crypto.hash(str, alg?) -> hex | SHA-2 or SHA-3, sha256 by default
--- @quickref crypto.hmac(key, data, alg?, raw?) -> hex | HMAC, sha256 by default (sha384, sha512, sha3-256 …); key and data are bytes; raw = true gives bytes
--- @quickref crypto.random(len?) -> str | Random letters and digits, 32 by default
--- @quickref crypto.jwt_sign(claims, key, alg?, opts?) -> token | A JSON web token signed with a private key in PEM (RS256, PS256, ES256, EdDSA) or a secret (HS256); opts: kid
--- @quickref crypto.jwt_verify(token, key, opts?) -> claims | The claims of a valid token, or nil and why not; PEM, JWKS, or a secret with opts.alg; opts.issuer, audience, leeway, require_exp

--- @module base64
--- @description Write and read base64.
--- @keywords base64, encode, decode
--- @asked encode a password for a header; decode a value that somebody encoded
--- @quickref base64.encode(str) -> str | Write base64
--- @quickref base64.decode(str) -> str | Read base64 with its padding; of base64url first str:gsub("-", "+"):gsub("_", "/")

--- @module regex
--- @description Regular expressions (RE2).
--- @keywords regex, regexp, pattern, match, replace
--- @asked extract a number from text with a pattern; replace all occurrences
--- @quickref regex.match(text, pattern) -> bool | Whether the pattern matches
--- @quickref regex.find(text, pattern) -> {match, groups} | The first match, or nil
--- @quickref regex.find_all(text, pattern) -> [str] | All matches
--- @quickref regex.replace(text, pattern, repl) -> str | Replace all matches; $1, ${name}

--- @module db
--- @description SQL databases: PostgreSQL, MySQL and SQLite.
--- @keywords db, sql, database, postgres, postgresql, mysql, sqlite, query
--- @asked query a SQLite file; insert rows into a table of MySQL; run a SQL statement with parameters in a transaction; select from Postgres
--- @quickref db.connect(url, opts?) -> conn | postgres://, mysql:// or sqlite:path; opts: auth (a credential)
--- @quickref db.query(conn, sql, params?) -> [row] | Rows as tables; bytea and BLOB are bytes, NULL is nil
--- @quickref db.execute(conn, sql, params?) -> {rows_affected} | Run a statement
--- @quickref db.close(conn) -> nil | Close the connection

--- @module redis
--- @description Redis and what speaks its protocol; assay.redis has a function for each common command.
--- @keywords redis, valkey, cache, key, command, resp
--- @asked run any command of Redis; read a cached key; increment a counter
--- @quickref redis.connect(url, opts?) -> conn | redis:// or, with TLS, rediss://; opts: auth (a credential)
--- @quickref redis.call(conn, command, ...) -> reply | Any command; nothing within a list is false
--- @quickref redis.close(conn) -> nil | Close the connection

--- @module ws
--- @description WebSocket client.
--- @keywords ws, wss, websocket, socket, stream
--- @asked subscribe to messages over a websocket; send a message and wait for the reply; a live feed
--- @quickref ws.connect(url, opts?) -> conn, subprotocol | ws:// or wss://; opts: auth, headers, subprotocols, timeout
--- @quickref ws.send(conn, str, opts?) -> nil | Send a text message, or with binary = true a binary one
--- @quickref ws.recv(conn, opts?) -> str | Wait for a message, of at most 16 MiB; raises if the connection ends; opts: kind (true: a second result, text or binary)
--- @quickref ws.close(conn) -> nil | Close the connection with status 1000

--- @module template
--- @description Render Jinja2 templates.
--- @keywords template, jinja, jinja2, render
--- @asked fill in a template for a mail or a configuration with values; loop over a list in a text
--- @quickref template.render(path, vars?) -> str | Render a file
--- @quickref template.render_string(tmpl, vars?) -> str | Render a string

--- @module async
--- @description Run functions at the same time, or again and again.
--- @keywords async, parallel, concurrent, task, spawn, interval, await
--- @asked run several requests in parallel and wait for all; poll every ten seconds; call a function again and again
--- @quickref async.spawn(fn, ...) -> h | Start a task with these arguments
--- @quickref h.await() -> [result] | Wait for the task; its error is raised here
--- @quickref async.spawn_interval(seconds, fn) -> {cancel} | Call fn every so often

--- @module assert
--- @description Checks that raise an error when they fail.
--- @keywords assert, test, check, expect, equal
--- @asked fail the script when two values differ or a condition does not hold; test a response
--- @quickref assert.eq(a, b, msg?) -> nil | Equal
--- @quickref assert.ne(a, b, msg?) -> nil | Not equal
--- @quickref assert.gt(a, b, msg?) -> nil | a > b
--- @quickref assert.lt(a, b, msg?) -> nil | a < b
--- @quickref assert.contains(str, sub, msg?) -> nil | sub is in str
--- @quickref assert.not_nil(v, msg?) -> nil | Not nil
--- @quickref assert.matches(str, pattern, msg?) -> nil | A Lua pattern matches
--- @quickref assert.options(tbl, names, who?) -> tbl | No name but those in the string names, which blanks separate; nil gives {}

--- @module log
--- @description Log lines on standard error.
--- @keywords log, logging, print, debug
--- @asked print a warning to stderr; write a message for debugging
--- @quickref log.info(msg) -> nil | Log a line
--- @quickref log.warn(msg) -> nil | Log a warning
--- @quickref log.error(msg) -> nil | Log an error

--- @module env
--- @description Environment variables.
--- @keywords env, environment, variable
--- @asked read a variable of the process; a token or an address from it
--- @quickref env.get(key) -> str | The variable's value, or nil

--- @module cred
--- @description Credentials that a policy file names and a script cannot read.
--- @keywords cred, credential, credentials, handle, policy
--- @asked authenticate without reading the token; use a credential of the policy; call a service under a policy file
--- @quickref cred(name) -> credential | For the option auth of a request, a client, a module's client, db.connect, redis.connect and ws.connect

--- @module sleep
--- @description Wait.
--- @keywords sleep, wait, delay, pause
--- @asked wait some seconds; pause between two tries; poll with a delay
--- @quickref sleep(seconds) -> nil | Wait; other tasks go on

--- @module time
--- @description The time in seconds; dates are read and written by assay.date.
--- @keywords time, clock, now, timestamp, epoch
--- @asked seconds since the epoch; measure how long something takes; a deadline
--- @quickref time() -> seconds | Seconds since 1970, with fractions
