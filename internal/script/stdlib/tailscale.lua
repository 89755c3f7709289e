--- @module assay.tailscale
--- @description Tailscale. Devices of a tailnet, routes, tags, keys, users, access rules, DNS, changes of the configuration.
--- @keywords tailscale, tailnet, vpn, wireguard, devices, device, machines, auth-key, acl, policy, subnet, routes, exit-node, tags, magicdns
--- @synonyms laptop, mesh, network, node, peer, join, enroll, connected, last-seen, stale, expire, firewall, remote-access, admin
--- @asked which laptops are in our private network; when was a machine last connected to the VPN; make a key so that a server can join; remove a stale device; approve a subnet route; who changed the access rules
--- @env TAILSCALE_URL, TAILSCALE_API_KEY, TAILSCALE_TAILNET
--- @auth { api_key = "...", tailnet = "-" }
--- @quickref c:devices(opts) -> [device] | List devices: name, addresses, os, user, lastSeen, tags; opts: all (routes and clients too)
--- @quickref c:device(id) -> device or nil | Get a device
--- @quickref c:authorize(id) -> nil | Let a device in that waits for approval
--- @quickref c:expire_key(id) -> nil | Make a device log in again
--- @quickref c:set_tags(id, tags) -> nil | Set the tags of a device, as {"tag:server"}
--- @quickref c:delete_device(id) -> nil | Remove a device
--- @quickref c:routes(id) -> {advertisedRoutes, enabledRoutes} | Get the subnet routes of a device
--- @quickref c:set_routes(id, routes) -> {advertisedRoutes, enabledRoutes} | Enable exactly these routes of a device
--- @quickref c:keys() -> [key] | List keys without their secrets
--- @quickref c:create_key(opts) -> {id, key} | Make a key for devices to join with; opts: reusable, ephemeral, preauthorized, tags, expires (seconds), description
--- @quickref c:delete_key(id) -> nil | Revoke a key
--- @quickref c:users() -> [user] | List users of the tailnet
--- @quickref c:acl() -> {policy, etag} | Get the access rules as they are written (HuJSON)
--- @quickref c:set_acl(policy, etag) -> nil | Replace the access rules; etag: only if nobody has changed them since
--- @quickref c:nameservers() -> [string] | List the name servers of the tailnet
--- @quickref c:changes(from, to) -> [change] | List who changed what in the configuration between two times (RFC 3339 or UNIX seconds)

local rest = require("assay._paged")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("tailscale", rest.bearer)
local get, path = api.get, api.path

function M.client(url, opts)
  opts = opts or {}
  return setmetatable({
    url = rest.base("tailscale.client", url or env.get("TAILSCALE_URL") or "https://api.tailscale.com") .. "/api/v2",
    token = rest.secret("tailscale.client", opts, "api_key", env.get("TAILSCALE_API_KEY"), "TAILSCALE_API_KEY"),
    tailnet = opts.tailnet or env.get("TAILSCALE_TAILNET") or "-",
  }, c)
end

local function within(client, pattern, ...)
  return path("/tailnet/{}", client.tailnet) .. path(pattern, ...)
end

local function device(pattern, id)
  return path("/device/{}" .. pattern, id)
end

function c:devices(opts)
  opts = rest.options("tailscale.devices", opts, "all")
  return get(self, within(self, "/devices") .. query("fields", opts.all and "all" or nil)).devices or {}
end

function c:device(id)
  return api.find(self, device("", id))
end

function c:authorize(id)
  api.call(self, "POST", device("/authorized", id), { authorized = true })
end

function c:expire_key(id)
  api.call(self, "POST", device("/expire", id))
end

function c:set_tags(id, tags)
  api.call(self, "POST", device("/tags", id), { tags = rest.need(tags, "tailscale: tags are required") })
end

function c:delete_device(id)
  api.call(self, "DELETE", device("", id))
end

function c:routes(id)
  return get(self, device("/routes", id))
end

function c:set_routes(id, routes)
  return api.call(self, "POST", device("/routes", id), { routes = rest.need(routes, "tailscale: routes are required") })
end

function c:keys()
  return get(self, within(self, "/keys")).keys or {}
end

function c:create_key(opts)
  opts = rest.options("tailscale.create_key", opts, "reusable ephemeral preauthorized tags expires description")
  return api.call(self, "POST", within(self, "/keys"), {
    capabilities = { devices = { create = {
      reusable = opts.reusable or false,
      ephemeral = opts.ephemeral or false,
      preauthorized = opts.preauthorized or false,
      tags = opts.tags,
    } } },
    expirySeconds = opts.expires,
    description = opts.description,
  })
end

function c:delete_key(id)
  api.call(self, "DELETE", within(self, "/keys/{}", id))
end

function c:users()
  return get(self, within(self, "/users")).users or {}
end

function c:acl()
  local where = within(self, "/acl")
  local response = rest.check(api.send(self, "GET", where), "200", "tailscale: GET " .. where)
  return { policy = response.body, etag = response.headers.etag }
end

function c:set_acl(policy, etag)
  local where = within(self, "/acl")
  local headers = rest.bearer(self)
  headers["Content-Type"], headers["If-Match"] = "application/hujson", etag
  rest.check(rest.request("POST", self.url .. where, headers, rest.need(policy, "tailscale: policy is required"), self.via), "200", "tailscale: POST " .. where)
end

function c:nameservers()
  return get(self, within(self, "/dns/nameservers")).dns or {}
end

function c:changes(from, to)
  return get(self, within(self, "/logging/configuration")
    .. query("start", rest.stamp(rest.need(from, "tailscale: from is required")), "end", rest.stamp(rest.need(to, "tailscale: to is required")))).logs or {}
end

return rest.module("tailscale", M, "url string", "opts table: api_key tailnet")
