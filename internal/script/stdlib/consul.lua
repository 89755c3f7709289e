--- @module assay.consul
--- @description Consul. Services and their health, nodes, registration, key-value store, leader and members.
--- @keywords consul, service-discovery, discovery, services, health, kv, key-value, nodes, register, deregister, leader, hashicorp
--- @synonyms configuration, config, lookup, dns, healthy, instance, endpoint, setting, lock, mesh
--- @asked where does a service run; which instances are healthy; read a key of the key-value store; register a service
--- @env CONSUL_HTTP_ADDR, CONSUL_HTTP_TOKEN
--- @auth { token = "..." }
--- @quickref c:leader() -> string | Get the address of the leader
--- @quickref c:members() -> [member] | List members of the cluster
--- @quickref c:nodes(opts) -> [node] | List nodes; opts: dc, filter
--- @quickref c:services(opts) -> {name: tags} | List names of services; opts: dc, filter
--- @quickref c:service(name, opts) -> [instance] | List instances of a service; opts: dc, filter
--- @quickref c:health(name, opts) -> [entry] | List instances of a service with their checks; opts: dc, passing, filter
--- @quickref c:checks(state) -> [check] | List checks by state: passing, warning, critical or any
--- @quickref c:register(service) -> nil | Register a service with the agent: {Name, ID, Port, Tags, Check}
--- @quickref c:deregister(id) -> nil | Remove a service from the agent
--- @quickref c:kv_get(key) -> string or nil | Get a value
--- @quickref c:kv_keys(prefix) -> [string] | List keys below a prefix
--- @quickref c:kv_put(key, value, opts) -> bool | Set a value; opts: cas, flags
--- @quickref c:kv_delete(key, opts) -> bool | Delete a value; opts: recurse, cas

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("consul", function(client)
  return { ["X-Consul-Token"] = client.token }
end)
local get, path = api.get, api.path

-- key_path keeps the slashes of a key.
local function key_path(key)
  return "/v1/kv/" .. rest.still(rest.elements(rest.need(key, "consul: key is required")), "consul")
end

function M.client(url, opts)
  url = url or env.get("CONSUL_HTTP_ADDR") or "http://127.0.0.1:8500"
  return setmetatable({
    url = rest.base("consul.client", url:find("://", 1, true) and url or "http://" .. url),
    token = (opts or { token = env.get("CONSUL_HTTP_TOKEN") }).token,
  }, c)
end

function c:leader()
  return get(self, "/v1/status/leader")
end

function c:members()
  return get(self, "/v1/agent/members")
end

function c:nodes(opts)
  opts = rest.options("consul.nodes", opts, "dc filter")
  return get(self, "/v1/catalog/nodes" .. query("dc", opts.dc, "filter", opts.filter))
end

function c:services(opts)
  opts = rest.options("consul.services", opts, "dc filter")
  return get(self, "/v1/catalog/services" .. query("dc", opts.dc, "filter", opts.filter))
end

function c:service(name, opts)
  opts = rest.options("consul.service", opts, "dc filter")
  return get(self, path("/v1/catalog/service/{}", name) .. query("dc", opts.dc, "filter", opts.filter))
end

function c:health(name, opts)
  opts = rest.options("consul.health", opts, "dc passing filter")
  return get(self, path("/v1/health/service/{}", name) .. query("dc", opts.dc, "passing", opts.passing or nil, "filter", opts.filter))
end

function c:checks(state)
  return get(self, path("/v1/health/state/{}", state or "any"))
end

function c:register(service)
  api.call(self, "PUT", "/v1/agent/service/register", service)
end

function c:deregister(id)
  api.call(self, "PUT", path("/v1/agent/service/deregister/{}", id))
end

function c:kv_get(key)
  local where = key_path(key) .. "?raw=true"
  local response = api.send(self, "GET", where)
  if response.status == 404 then
    return nil
  end
  return rest.check(response, "200", "consul: GET " .. where).body
end

function c:kv_keys(prefix)
  return api.find(self, "/v1/kv/" .. rest.still(rest.elements(prefix or ""), "consul") .. "?keys=true") or {}
end

function c:kv_put(key, value, opts)
  opts = rest.options("consul.kv_put", opts, "cas flags")
  local where = key_path(key) .. query("cas", opts.cas, "flags", opts.flags)
  local headers = { ["X-Consul-Token"] = self.token }
  local response = rest.request("PUT", self.url .. where, headers, rest.text(value), self.via)
  return rest.parse(rest.check(response, "200", "consul: PUT " .. where), "consul")
end

function c:kv_delete(key, opts)
  opts = rest.options("consul.kv_delete", opts, "recurse cas")
  return api.call(self, "DELETE", key_path(key) .. query("recurse", opts.recurse or nil, "cas", opts.cas))
end

return rest.module("consul", M, "url string", "opts table: token")
