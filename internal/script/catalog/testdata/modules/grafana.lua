--- @module assay.grafana
--- @description Grafana monitoring and dashboards. Health, datasources, annotations, alerts, folders.
--- @keywords grafana, monitoring, dashboards, datasources, annotations, alerts, health
--- @env GRAFANA_URL, GRAFANA_API_KEY
--- @auth { api_key = "..." } or { username = "...", password = "..." }
--- @quickref c:health() -> {database, version, commit} | Check Grafana health
--- @quickref c:datasources() -> [{id, name, type, url}] | List all datasources
--- @quickref c:dashboard(uid) -> {dashboard, meta} | Get dashboard by UID

local M = {}
local c = {}
c.__index = c

function M.client(url, opts)
  opts = opts or { api_key = env.get("GRAFANA_API_KEY") }
  return setmetatable({ url = url or env.get("GRAFANA_URL"), key = opts.api_key }, c)
end

local function get(client, path)
  return json.parse(http.get(client.url .. path).body)
end

function c:health() return get(self, "/api/health") end
function c:datasources() return get(self, "/api/datasources") end
function c:dashboard(uid) return get(self, "/api/dashboards/uid/" .. uid) end

return M
