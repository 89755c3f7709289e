--- @module assay.cloudflare
--- @description Cloudflare. Zones, DNS records, cache purge, settings, Workers, Pages, KV, tunnels, analytics.
--- @keywords cloudflare, cdn, dns, zone, zones, record, records, cache, purge, workers, pages, kv, tunnel, waf, analytics
--- @synonyms nameserver, subdomain, cname, a-record, txt, mx, resolve, edge, invalidate, flush, website, proxy, proxied, traffic, visitors, hostname
--- @asked purge the CDN cache of a page; point a subdomain to another address; add a CNAME or TXT record; which names does our domain have; was the last deployment of the website successful; turn on development mode; how many visitors had the site
--- @env CLOUDFLARE_API_URL, CLOUDFLARE_API_TOKEN
--- @auth { token = "..." }
--- @quickref c:verify() -> {id, status} | Is the token valid
--- @quickref c:accounts() -> [account] | List accounts
--- @quickref c:zones(opts) -> [zone] | List zones (domains); opts: name, account, status, limit
--- @quickref c:zone_id(name) -> string | Get the id of a zone by its domain
--- @quickref c:dns_records(zone_id, opts) -> [record] | List DNS records; opts: type, name, content, limit
--- @quickref c:create_dns_record(zone_id, record) -> record | Create a record: {type, name, content, ttl, proxied}
--- @quickref c:update_dns_record(zone_id, id, changes) -> record | Change fields of a record
--- @quickref c:delete_dns_record(zone_id, id) -> nil | Delete a record
--- @quickref c:purge_cache(zone_id, opts) -> nil | Purge the cache; opts: everything, or one of files (URLs), tags, hosts, prefixes
--- @quickref c:setting(zone_id, name) -> {id, value} | Get a setting of a zone, as "development_mode" or "ssl"
--- @quickref c:set_setting(zone_id, name, value) -> {id, value} | Change a setting of a zone
--- @quickref c:workers(account_id) -> [script] | List Workers
--- @quickref c:pages_projects(account_id) -> [project] | List projects of Pages
--- @quickref c:deployments(account_id, project, opts) -> [deployment] | List deployments of a project of Pages, the latest first; opts: env, limit
--- @quickref c:tunnels(account_id, opts) -> [tunnel] | List tunnels and their status; opts: name, deleted, limit
--- @quickref c:kv_namespaces(account_id) -> [{id, title}] | List namespaces of KV
--- @quickref c:kv_keys(account_id, namespace, opts) -> [{name}] | List keys of a namespace; opts: prefix, limit
--- @quickref c:kv_get(account_id, namespace, key) -> string or nil | Get a value of KV
--- @quickref c:kv_put(account_id, namespace, key, text) -> nil | Set a value of KV
--- @quickref c:graphql(text, variables) -> data | Ask the analytics by GraphQL

local rest = require("assay._paged")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("cloudflare", rest.bearer)
local path = api.path

function M.client(url, opts)
  opts = opts or {}
  return setmetatable({
    url = rest.base("cloudflare.client", url or env.get("CLOUDFLARE_API_URL") or "https://api.cloudflare.com/client/v4"),
    token = rest.secret("cloudflare.client", opts, "token", env.get("CLOUDFLARE_API_TOKEN"), "CLOUDFLARE_API_TOKEN"),
  }, c)
end

local function get(client, where)
  return api.get(client, where).result
end

local function call(client, verb, where, body)
  return api.call(client, verb, where, body).result
end

-- list reads pages by their numbers, most items in each.
local function list(client, where, own, opts, most)
  local size = rest.size(opts, most)
  return rest.all(opts, function(page)
    page = page or 1
    local found = api.get(client, where .. rest.join(own, query("page", page, "per_page", size)))
    local info = found.result_info or {}
    local pages = info.total_pages or math.ceil((info.total_count or 0) / size)
    return found.result, page < pages and page + 1
  end)
end

function c:verify()
  return get(self, "/user/tokens/verify")
end

function c:accounts()
  return list(self, "/accounts", "", {}, 50)
end

function c:zones(opts)
  opts = rest.options("cloudflare.zones", opts, "name account status limit")
  return list(self, "/zones", query("name", opts.name, "account.id", opts.account, "status", opts.status), opts, 50)
end

function c:zone_id(name)
  local zone = self:zones({ name = rest.need(name, "cloudflare: name is required") })[1]
  if not zone then
    error("cloudflare.zone_id: the token sees no zone " .. rest.text(name), 0)
  end
  return zone.id
end

function c:dns_records(zone_id, opts)
  opts = rest.options("cloudflare.dns_records", opts, "type name content limit")
  return list(self, path("/zones/{}/dns_records", zone_id), query("type", opts.type, "name", opts.name, "content", opts.content), opts, 100)
end

function c:create_dns_record(zone_id, record)
  return call(self, "POST", path("/zones/{}/dns_records", zone_id), rest.need(record, "cloudflare: record is required"))
end

function c:update_dns_record(zone_id, id, changes)
  return call(self, "PATCH", path("/zones/{}/dns_records/{}", zone_id, id), rest.need(changes, "cloudflare: changes are required"))
end

function c:delete_dns_record(zone_id, id)
  call(self, "DELETE", path("/zones/{}/dns_records/{}", zone_id, id))
end

function c:purge_cache(zone_id, opts)
  opts = rest.options("cloudflare.purge_cache", opts, "everything files tags hosts prefixes")
  rest.need(opts.everything or opts.files or opts.tags or opts.hosts or opts.prefixes, "cloudflare.purge_cache: say what to purge: everything = true, files, tags, hosts or prefixes")
  call(self, "POST", path("/zones/{}/purge_cache", zone_id), {
    purge_everything = opts.everything,
    files = opts.files,
    tags = opts.tags,
    hosts = opts.hosts,
    prefixes = opts.prefixes,
  })
end

function c:setting(zone_id, name)
  return get(self, path("/zones/{}/settings/{}", zone_id, name))
end

function c:set_setting(zone_id, name, value)
  return call(self, "PATCH", path("/zones/{}/settings/{}", zone_id, name), { value = value })
end

function c:workers(account_id)
  return get(self, path("/accounts/{}/workers/scripts", account_id)) or {}
end

function c:pages_projects(account_id)
  return list(self, path("/accounts/{}/pages/projects", account_id), "", {}, 10)
end

function c:deployments(account_id, project, opts)
  opts = rest.options("cloudflare.deployments", opts, "env limit")
  return list(self, path("/accounts/{}/pages/projects/{}/deployments", account_id, project), query("env", opts.env), opts, 25)
end

function c:tunnels(account_id, opts)
  opts = rest.options("cloudflare.tunnels", opts, "name deleted limit")
  return list(self, path("/accounts/{}/cfd_tunnel", account_id), query("name", opts.name, "is_deleted", opts.deleted or false), opts, 100)
end

function c:kv_namespaces(account_id)
  return list(self, path("/accounts/{}/storage/kv/namespaces", account_id), "", {}, 100)
end

local function kv(account_id, namespace, pattern, ...)
  return path("/accounts/{}/storage/kv/namespaces/{}", account_id, namespace) .. path(pattern, ...)
end

function c:kv_keys(account_id, namespace, opts)
  opts = rest.options("cloudflare.kv_keys", opts, "prefix limit")
  return rest.all(opts, function(cursor)
    -- The server refuses pages of fewer than ten keys.
    local size = math.max(10, rest.size(opts, 1000))
    local found = api.get(self, kv(account_id, namespace, "/keys") .. query("prefix", opts.prefix, "limit", size, "cursor", cursor))
    return found.result, (found.result_info or {}).cursor
  end)
end

-- A key may have slashes, which are part of it: escape, not path, writes them.
local function value(client, verb, account_id, namespace, key, body)
  local where = kv(account_id, namespace, "/values/") .. rest.still(rest.escape(rest.need(key, "cloudflare: key is required")), "cloudflare")
  local headers = rest.bearer(client)
  headers["Content-Type"] = body and "application/octet-stream"
  return rest.request(verb, client.url .. where, headers, body, client.via), "cloudflare: " .. verb .. " " .. where
end

function c:kv_get(account_id, namespace, key)
  local response, who = value(self, "GET", account_id, namespace, key)
  if response.status == 404 then
    return nil
  end
  return rest.check(response, "200", who).body
end

function c:kv_put(account_id, namespace, key, text)
  local response, who = value(self, "PUT", account_id, namespace, key, rest.text(text))
  rest.check(response, "200", who)
end

function c:graphql(text, variables)
  local found = api.call(self, "POST", "/graphql", { query = rest.need(text, "cloudflare: query is required"), variables = variables })
  if found.errors and found.errors[1] then
    error("cloudflare: graphql: " .. rest.text(found.errors[1].message), 0)
  end
  return found.data
end

return rest.module("cloudflare", M, "url string", "opts table: token")
