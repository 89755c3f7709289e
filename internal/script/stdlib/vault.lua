--- @module assay.vault
--- @description Vault secrets management (HashiCorp Vault, OpenBao). KV secrets, policies, auth, transit, PKI, tokens.
--- @keywords vault, secrets, secret, password, store, kv, policies, tokens, transit, encryption, pki, hashicorp, openbao, credentials, rotate, rotation, unseal
--- @synonyms credential, api-key, key, keys, read, keep, safe, save, revoke, lease, sealed, encrypt, decrypt, certificate, access, who, dynamic, temporary, database, approle, write
--- @asked read, write or store a secret or password in vault; kv get and kv put; which policies has a token; encrypt a value; issue a certificate; unseal the server
--- @env VAULT_ADDR, VAULT_TOKEN, BAO_ADDR, BAO_TOKEN
--- @auth { token = "..." }
--- @quickref M.wait(url, opts) -> true | Wait until the server answers; opts: timeout, interval, health_path
--- @quickref M.authenticated_client(url, opts) -> client | Wait, then log in with the root token in a Kubernetes secret; opts: timeout, interval, secret_namespace, secret_name, secret_key, k8s
--- @quickref M.ensure_credentials(client, path, check_key, generator, opts) -> data | Generate and store credentials if missing; opts: mount (secrets)
--- @quickref M.assert_secret(client, path, expected_keys, opts) -> data | Raise unless a secret has these keys; opts: mount (secrets)
--- @quickref c:read(path) -> data or nil | Read a path
--- @quickref c:write(path, payload) -> data or nil | Write to a path
--- @quickref c:delete(path) -> nil | Delete a path
--- @quickref c:list(path) -> [string] | List the keys under a path
--- @quickref c:kv_get(mount, key) -> {data, metadata} or nil | Read a KV v2 secret
--- @quickref c:kv_put(mount, key, data) -> result | Write a KV v2 secret: a new version, which rotates it
--- @quickref c:kv_delete(mount, key) -> nil | Delete the newest version of a KV v2 secret
--- @quickref c:kv_list(mount, prefix) -> [string] | List KV v2 secrets
--- @quickref c:kv_metadata(mount, key) -> response or nil | Get the versions of a KV v2 secret
--- @quickref c:health() -> {initialized, sealed, version} | Get the health of the server, whatever its status
--- @quickref c:seal_status() -> {sealed, initialized} | Get the seal status
--- @quickref c:is_sealed() -> bool | Is the server sealed
--- @quickref c:is_initialized() -> bool | Is the server initialised
--- @quickref c:policy_get(name) -> {name, policy} or nil | Get an ACL policy
--- @quickref c:policy_put(name, rules) -> nil | Create or replace an ACL policy
--- @quickref c:policy_delete(name) -> nil | Delete an ACL policy
--- @quickref c:policy_list() -> [string] | List ACL policies
--- @quickref c:auth_enable(path, auth_type, opts) -> nil | Enable an auth method; opts: description, config
--- @quickref c:auth_disable(path) -> nil | Disable an auth method
--- @quickref c:auth_list() -> {path = method} | List auth methods
--- @quickref c:auth_config(path, config) -> nil | Configure an auth method
--- @quickref c:auth_create_role(path, role_name, role_config) -> nil | Create a role of an auth method
--- @quickref c:auth_read_role(path, role_name) -> role or nil | Get a role of an auth method
--- @quickref c:auth_list_roles(path) -> [string] | List roles of an auth method
--- @quickref c:engine_enable(path, engine_type, opts) -> nil | Enable a secrets engine; opts: description, config, options
--- @quickref c:engine_disable(path) -> nil | Disable a secrets engine
--- @quickref c:engine_list() -> {path = engine} | List secrets engines
--- @quickref c:engine_tune(path, config) -> nil | Tune a secrets engine
--- @quickref c:token_create(fields) -> {client_token, ...} | Create a token
--- @quickref c:token_lookup(token_value) -> token_info | Look a token up
--- @quickref c:token_lookup_self() -> token_info or nil | Look the client's own token up
--- @quickref c:token_revoke(token_value) -> nil | Revoke a token
--- @quickref c:token_revoke_self() -> nil | Revoke the client's own token
--- @quickref c:transit_encrypt(key_name, plaintext) -> string | Encrypt text with a transit key
--- @quickref c:transit_decrypt(key_name, ciphertext) -> string | Decrypt text with a transit key
--- @quickref c:transit_create_key(key_name, fields) -> nil | Create a transit key
--- @quickref c:transit_list_keys() -> [string] | List transit keys
--- @quickref c:pki_issue(mount, role_name, fields) -> {certificate, private_key, ...} | Issue a certificate
--- @quickref c:pki_ca_cert(mount) -> string | Get the certificate of the authority as PEM (mount pki)
--- @quickref c:pki_create_role(mount, role_name, fields) -> nil | Create a role that may issue certificates

local rest = require("assay._rest")
local elements = rest.elements

local M = {}
local c = {}
c.__index = c

local api = rest.api("vault", function(client)
  return { ["X-Vault-Token"] = client.token }
end)
local public = rest.api("vault") -- requests without the token
local find, path = api.find, api.path

local function address(who, url)
  return rest.base(who, url or env.get("VAULT_ADDR") or env.get("BAO_ADDR"), "VAULT_ADDR")
end

local function send(client, verb, where, body)
  return api.call(client, verb, where, body, "20[04]")
end

local function inner(response)
  return response and response.data
end

local function list(client, where)
  return (inner(find(client, where .. "?list=true")) or {}).keys or {}
end

-- under is a path whose parts may be several elements each, as mounts and keys are.
local function under(...)
  local parts = { ... }
  for i = 1, select("#", ...) do
    parts[i] = rest.still(elements(rest.need(parts[i], "vault: a part of the path is missing")), "vault")
  end
  return "/v1/" .. table.concat(parts, "/")
end

-- raw is a path as the caller writes it, which may have a query.
local function raw(where)
  return "/v1/" .. rest.need(where, "vault: path is required"):gsub("^/+", "")
end

function M.client(url, token)
  if type(token) == "table" then
    token = token.token
  else
    token = token or env.get("VAULT_TOKEN") or env.get("BAO_TOKEN")
  end
  return setmetatable({ url = address("vault.client", url), token = token }, c)
end

function M.wait(url, opts)
  opts = rest.options("vault.wait", opts, "health_path timeout interval")
  local health = "/v1/sys/health?standbyok=true&sealedcode=200&uninitcode=200"
  return rest.reached("vault.wait", address("vault.wait", url), opts.health_path or health, opts)
end

function M.authenticated_client(url, opts)
  opts = rest.options("vault.authenticated_client", opts, "timeout interval secret_namespace secret_ns secret_name secret_key k8s")
  M.wait(url, { timeout = opts.timeout, interval = opts.interval })
  local namespace = opts.secret_namespace or opts.secret_ns or "secrets"
  local name, key = opts.secret_name or "openbao-root-token", opts.secret_key or "root-token"
  local secret = require("assay.k8s").get_secret(namespace, name, opts.k8s)
  rest.need(secret[key], "vault.authenticated_client: secret " .. namespace .. "/" .. name .. " has no key " .. key)
  return M.client(url, secret[key]:match("^%s*(.-)%s*$"))
end

function M.ensure_credentials(client, path, check_key, generator, opts)
  opts = rest.options("vault.ensure_credentials", opts, "mount")
  local mount = opts.mount or "secrets"
  local found = inner(client:kv_get(mount, path))
  local value = found and found[check_key]
  if value or value == false then
    return found
  end
  local generated = generator()
  client:kv_put(mount, path, generated)
  return generated
end

function M.assert_secret(client, path, expected_keys, opts)
  opts = rest.options("vault.assert_secret", opts, "mount")
  local mount = opts.mount or "secrets"
  local who = "vault.assert_secret: " .. mount .. "/" .. path
  local found = inner(client:kv_get(mount, path)) or error(who .. " not found", 0)
  for _, key in ipairs(expected_keys or {}) do
    rest.need(found[key], who .. " has no key " .. key)
  end
  return found
end

function c:read(path)
  return inner(find(self, raw(path)))
end

function c:write(path, payload)
  return inner(send(self, "POST", raw(path), payload))
end

function c:delete(path)
  send(self, "DELETE", raw(path))
end

function c:list(path)
  return list(self, raw(path))
end

function c:kv_get(mount, key)
  return inner(find(self, under(mount, "data", key)))
end

function c:kv_put(mount, key, data)
  local body = next(data) == nil and '{"data":{}}' or { data = data }
  return inner(send(self, "POST", under(mount, "data", key), body))
end

function c:kv_delete(mount, key)
  send(self, "DELETE", under(mount, "data", key))
end

function c:kv_list(mount, prefix)
  return list(self, under(mount, "metadata") .. "/" .. rest.still(elements(prefix or ""), "vault"))
end

function c:kv_metadata(mount, key)
  return find(self, under(mount, "metadata", key))
end

function c:health()
  return rest.parse(api.send(self, "GET", "/v1/sys/health"), "vault: GET /v1/sys/health")
end

function c:seal_status()
  return public.get(self, "/v1/sys/seal-status")
end

function c:is_sealed()
  return self:seal_status().sealed == true
end

function c:is_initialized()
  return self:seal_status().initialized == true
end

function c:policy_get(name)
  return inner(find(self, path("/v1/sys/policies/acl/{}", name)))
end

function c:policy_put(name, rules)
  send(self, "PUT", path("/v1/sys/policies/acl/{}", name), { policy = rules })
end

function c:policy_delete(name)
  send(self, "DELETE", path("/v1/sys/policies/acl/{}", name))
end

function c:policy_list()
  return list(self, "/v1/sys/policies/acl")
end

function c:auth_enable(path, auth_type, opts)
  opts = rest.options("vault.auth_enable", opts, "description config")
  send(self, "POST", under("sys/auth", path), { type = auth_type, description = opts.description, config = opts.config })
end

function c:auth_disable(path)
  send(self, "DELETE", under("sys/auth", path))
end

function c:auth_list()
  local found = find(self, "/v1/sys/auth")
  return inner(found) or found
end

function c:auth_config(path, config)
  send(self, "POST", under("auth", path, "config"), config)
end

function c:auth_create_role(path, role_name, role_config)
  send(self, "POST", under("auth", path, "role", role_name), role_config)
end

function c:auth_read_role(path, role_name)
  return inner(find(self, under("auth", path, "role", role_name)))
end

function c:auth_list_roles(path)
  return list(self, under("auth", path, "role"))
end

function c:engine_enable(path, engine_type, opts)
  opts = rest.options("vault.engine_enable", opts, "description config options")
  send(self, "POST", under("sys/mounts", path), {
    type = engine_type,
    description = opts.description,
    config = opts.config,
    options = opts.options,
  })
end

function c:engine_disable(path)
  send(self, "DELETE", under("sys/mounts", path))
end

function c:engine_list()
  local found = find(self, "/v1/sys/mounts")
  return inner(found) or found
end

function c:engine_tune(path, config)
  send(self, "POST", under("sys/mounts", path, "tune"), config)
end

function c:token_create(fields)
  return (send(self, "POST", "/v1/auth/token/create", fields or {}) or {}).auth
end

function c:token_lookup(token_value)
  return inner(send(self, "POST", "/v1/auth/token/lookup", { token = token_value }))
end

function c:token_lookup_self()
  return inner(find(self, "/v1/auth/token/lookup-self"))
end

function c:token_revoke(token_value)
  send(self, "POST", "/v1/auth/token/revoke", { token = token_value })
end

function c:token_revoke_self()
  send(self, "POST", "/v1/auth/token/revoke-self", {})
end

function c:transit_encrypt(key_name, plaintext)
  local sealed = send(self, "POST", path("/v1/transit/encrypt/{}", key_name), { plaintext = base64.encode(plaintext) })
  return (inner(sealed) or {}).ciphertext
end

function c:transit_decrypt(key_name, ciphertext)
  local opened = send(self, "POST", path("/v1/transit/decrypt/{}", key_name), { ciphertext = ciphertext })
  local plaintext = (inner(opened) or {}).plaintext
  return plaintext and base64.decode(plaintext)
end

function c:transit_create_key(key_name, fields)
  send(self, "POST", path("/v1/transit/keys/{}", key_name), fields or {})
end

function c:transit_list_keys()
  return list(self, "/v1/transit/keys")
end

function c:pki_issue(mount, role_name, fields)
  return inner(send(self, "POST", under(mount, "issue", role_name), fields or {}))
end

function c:pki_ca_cert(mount)
  local where = under(mount or "pki", "ca/pem")
  return rest.check(public.send(self, "GET", where), "200", "vault: GET " .. where).body
end

function c:pki_create_role(mount, role_name, fields)
  send(self, "POST", under(mount, "roles", role_name), fields or {})
end

return rest.module("vault", M, "url string", "token string or table: token")
