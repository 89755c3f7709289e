--- @module assay.openstack
--- @description OpenStack. Servers and their console, start, stop, reboot, images, networks, volumes, addresses, limits.
--- @keywords openstack, nova, keystone, neutron, glance, cinder, server, servers, flavor, image, images, network, volume, volumes, floating-ip, tenant, quota, private-cloud
--- @synonyms vm, virtual-machine, instance, hypervisor, boot, restart, disk, hosting, region, console, domain
--- @asked restart a virtual machine of the private cloud; what did the machine print while it booted; which machines run in our tenant; how much of the quota is used; which volumes are attached to nothing
--- @env OS_AUTH_URL, OS_USERNAME, OS_PASSWORD, OS_USER_DOMAIN_NAME, OS_PROJECT_NAME, OS_PROJECT_ID, OS_PROJECT_DOMAIN_NAME, OS_REGION_NAME, OS_APPLICATION_CREDENTIAL_ID, OS_APPLICATION_CREDENTIAL_SECRET, OS_TOKEN
--- @auth { username = "...", password = "...", project = "..." } or { application_credential_id = "...", application_credential_secret = "..." } or { token = "..." }
--- @quickref c:servers(opts) -> [server] | List servers; opts: name, status ("ERROR"), all_projects, limit
--- @quickref c:server(id) -> server or nil | Get a server
--- @quickref c:create_server(server) -> {id} | Create a server: {name, flavorRef, imageRef, networks, key_name}
--- @quickref c:delete_server(id) -> nil | Delete a server
--- @quickref c:start_server(id) -> nil | Start a server
--- @quickref c:stop_server(id) -> nil | Stop a server
--- @quickref c:reboot_server(id, kind) -> nil | Reboot a server, "SOFT" or "HARD"
--- @quickref c:console_log(id, lines) -> string | Get what a server wrote to its console, its last lines or all
--- @quickref c:flavors() -> [flavor] | List flavors
--- @quickref c:images(opts) -> [image] | List images; opts: name, status, limit
--- @quickref c:networks(opts) -> [network] | List networks; opts: name, limit
--- @quickref c:floating_ips(opts) -> [floating_ip] | List floating addresses; opts: status, limit
--- @quickref c:volumes(opts) -> [volume] | List volumes; opts: name, status ("available"), all_projects, limit
--- @quickref c:limits() -> {maxTotalCores, totalCoresUsed} | Get the limits of the project and what is used of them
--- @quickref c:request(service, verb, where, body) -> table | Ask another service of the catalog: its type, as "dns" or "load-balancer", a path and a table

local rest = require("assay._paged")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("openstack", function(client)
  return { ["X-Auth-Token"] = client.token }
end)
local path = api.path

function M.client(url, opts)
  opts = opts or {}
  local base = rest.base("openstack.client", url or env.get("OS_AUTH_URL"), "OS_AUTH_URL")
  local own = opts.username or opts.application_credential_id or opts.token or opts.auth
  local client = setmetatable({
    url = base:find("/v3$") and base or base .. "/v3",
    token = opts.token or not own and env.get("OS_TOKEN") or nil,
    region = opts.region or env.get("OS_REGION_NAME"),
    interface = opts.interface or "public",
    held = opts.auth ~= nil,
  }, c)
  if client.token or client.held then
    return client
  end
  local id = opts.application_credential_id or not own and env.get("OS_APPLICATION_CREDENTIAL_ID")
  if id then
    local secret = opts.application_credential_secret or env.get("OS_APPLICATION_CREDENTIAL_SECRET")
    client.login = { identity = { methods = { "application_credential" }, application_credential = {
      id = id,
      secret = rest.need(secret, "openstack.client: application_credential_secret is required", "OS_APPLICATION_CREDENTIAL_SECRET"),
    } } }
    return client
  end
  local project = opts.project_id or env.get("OS_PROJECT_ID")
  client.login = {
    identity = { methods = { "password" }, password = { user = {
      name = rest.need(opts.username or env.get("OS_USERNAME"), "openstack.client: username is required", "OS_USERNAME"),
      password = rest.need(opts.password or env.get("OS_PASSWORD"), "openstack.client: password is required", "OS_PASSWORD"),
      domain = { name = opts.user_domain or env.get("OS_USER_DOMAIN_NAME") or "Default" },
    } } },
    scope = { project = project and { id = project } or {
      name = rest.need(opts.project or env.get("OS_PROJECT_NAME"), "openstack.client: project is required", "OS_PROJECT_NAME"),
      domain = { name = opts.project_domain or env.get("OS_PROJECT_DOMAIN_NAME") or "Default" },
    } },
  }
  return client
end

-- catalog logs in at the first request, and is what the project has.
local function catalog(client)
  if client.catalog then
    return client.catalog
  elseif client.login then
    local response = rest.check(api.send(client, "POST", "/auth/tokens", rest.object({ auth = client.login })), "201", "openstack: POST /auth/tokens")
    client.token = rest.need(response.headers["x-subject-token"], "openstack: the login gave no token")
    client.catalog = (rest.parse(response, "openstack: POST /auth/tokens").token or {}).catalog or {}
  else
    client.catalog = api.get(client, "/auth/catalog").catalog or {}
  end
  return client.catalog
end

local aliases = { ["block-storage"] = { "block-storage", "volumev3" }, image = { "image" }, network = { "network" } }
local versions = { image = "/v2", network = "/v2.0" } -- the catalog has these services without their version, or with it

-- on is the client as one of another service.
local function on(client, service)
  local seen = {}
  for _, entry in ipairs(catalog(client)) do
    seen[#seen + 1] = entry.type or nil
    for _, name in ipairs(aliases[service] or { service }) do
      for _, endpoint in ipairs(entry.type == name and entry.endpoints or {}) do
        local here = not client.region or endpoint.region_id == client.region or endpoint.region == client.region
        if endpoint.interface == client.interface and here and endpoint.url then
          local url, version = endpoint.url:gsub("/+$", ""), versions[service]
          if version and not url:find("/v%d[%d.]*$") then
            url = url .. version
          end
          return { url = url, token = client.token, via = client.via }
        end
      end
    end
  end
  table.sort(seen)
  error("openstack: the catalog has no " .. service .. (client.region and " in " .. client.region or "") .. "; it has " .. table.concat(seen, ", "), 0)
end

local function call(client, service, verb, where, body, ok)
  return api.call(on(client, service), verb, where, body, ok or "20[0-4]")
end

-- list reads pages by the last id of the page before; a link says that there is another.
local function list(client, service, where, own, opts, member)
  local to = on(client, service)
  return rest.all(opts, function(marker)
    local found = api.get(to, where .. rest.join(own, query("limit", rest.size(opts, 500), "marker", marker)))
    local more, items = found.next, found[member] or {}
    for _, link in ipairs(found[member .. "_links"] or {}) do
      more = more or link.rel == "next"
    end
    return items, more and items[1] and items[#items].id
  end)
end

function c:servers(opts)
  opts = rest.options("openstack.servers", opts, "name status all_projects limit")
  return list(self, "compute", "/servers/detail", query("name", opts.name, "status", opts.status, "all_tenants", opts.all_projects), opts, "servers")
end

function c:server(id)
  local where = path("/servers/{}", id)
  local found = api.find(on(self, "compute"), where)
  return found and found.server
end

function c:create_server(server)
  return call(self, "compute", "POST", "/servers", { server = rest.need(server, "openstack: server is required") }).server
end

function c:delete_server(id)
  call(self, "compute", "DELETE", path("/servers/{}", id))
end

local function act(client, id, action)
  return call(client, "compute", "POST", path("/servers/{}/action", id), action)
end

function c:start_server(id)
  act(self, id, { ["os-start"] = json.null })
end

function c:stop_server(id)
  act(self, id, { ["os-stop"] = json.null })
end

function c:reboot_server(id, kind)
  act(self, id, { reboot = { type = kind or "SOFT" } })
end

function c:console_log(id, lines)
  return act(self, id, { ["os-getConsoleOutput"] = { length = lines or json.null } }).output
end

function c:flavors()
  return list(self, "compute", "/flavors/detail", "", {}, "flavors")
end

function c:images(opts)
  opts = rest.options("openstack.images", opts, "name status limit")
  return list(self, "image", "/images", query("name", opts.name, "status", opts.status), opts, "images")
end

function c:networks(opts)
  opts = rest.options("openstack.networks", opts, "name limit")
  return list(self, "network", "/networks", query("name", opts.name), opts, "networks")
end

function c:floating_ips(opts)
  opts = rest.options("openstack.floating_ips", opts, "status limit")
  return list(self, "network", "/floatingips", query("status", opts.status), opts, "floatingips")
end

function c:volumes(opts)
  opts = rest.options("openstack.volumes", opts, "name status all_projects limit")
  return list(self, "block-storage", "/volumes/detail", query("name", opts.name, "status", opts.status, "all_tenants", opts.all_projects), opts, "volumes")
end

function c:limits()
  return ((call(self, "compute", "GET", "/limits") or {}).limits or {}).absolute
end

function c:request(service, verb, where, body)
  return call(self, rest.need(service, "openstack: service is required"), rest.need(verb, "openstack: verb is required"):upper(), rest.need(where, "openstack: where is required"), body)
end

return rest.module("openstack", M, "url string", "opts table: username password user_domain project project_id project_domain region"
  .. " application_credential_id application_credential_secret token interface")
