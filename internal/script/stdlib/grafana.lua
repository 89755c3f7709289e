--- @module assay.grafana
--- @description Grafana monitoring and dashboards. Health, datasources, search, annotations, alert rules, folders.
--- @keywords grafana, monitoring, dashboards, dashboard, datasources, annotations, alerts, alert-rules, folders, health, observability
--- @synonyms graph, graphs, chart, charts, panel, panels, visualise, visualize, plot, mark, marker, event, data-source
--- @asked which dashboards exist; mark a deployment on the charts; add an annotation; which alert rules are there
--- @env GRAFANA_URL, GRAFANA_API_KEY
--- @auth { api_key = "..." } or { username = "...", password = "..." }
--- @quickref c:health() -> {database, version, commit} | Check Grafana health
--- @quickref c:datasources() -> [{id, name, type, url}] | List all datasources
--- @quickref c:datasource(id_or_uid) -> {id, name, type, url} | Get a datasource by number or UID
--- @quickref c:search(opts) -> [{id, title, type}] | Search dashboards and folders; opts: query, type, tag, limit
--- @quickref c:dashboard(uid) -> {dashboard, meta} | Get a dashboard by UID
--- @quickref c:annotations(opts) -> [annotation] | List annotations; opts: from, to, dashboard_id, limit, tags
--- @quickref c:create_annotation(annotation) -> {id} | Create an annotation
--- @quickref c:org() -> {id, name} | Get the current organisation
--- @quickref c:alert_rules() -> [{uid, title}] | List provisioned alert rules
--- @quickref c:folders() -> [{id, uid, title}] | List folders

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("grafana", function(client)
  return {
    Authorization = rest.authorization(client.api_key, client.username, client.password),
    ["Content-Type"] = "application/json",
  }
end)
local public = rest.api("grafana")
local get, path = api.get, api.path

function M.client(url, opts)
  opts = opts or { api_key = env.get("GRAFANA_API_KEY") }
  return setmetatable({
    url = rest.base("grafana.client", url or env.get("GRAFANA_URL"), "GRAFANA_URL"),
    api_key = opts.api_key,
    username = opts.username,
    password = opts.password,
  }, c)
end

function c:health()
  return public.get(self, "/api/health")
end

function c:datasources()
  return get(self, "/api/datasources")
end

function c:datasource(id_or_uid)
  local pattern = type(id_or_uid) == "number" and "/api/datasources/{}" or "/api/datasources/uid/{}"
  return get(self, path(pattern, id_or_uid))
end

function c:search(opts)
  opts = rest.options("grafana.search", opts, "query type tag limit")
  return get(self, "/api/search" .. query("query", opts.query, "type", opts.type, "tag", opts.tag, "limit", opts.limit))
end

function c:dashboard(uid)
  return get(self, path("/api/dashboards/uid/{}", uid))
end

function c:annotations(opts)
  opts = rest.options("grafana.annotations", opts, "from to dashboard_id limit tags")
  return get(self, "/api/annotations" .. query("from", opts.from, "to", opts.to, "dashboardId", opts.dashboard_id,
    "limit", opts.limit, "tags", opts.tags))
end

function c:create_annotation(annotation)
  return api.call(self, "POST", "/api/annotations", annotation)
end

function c:org()
  return get(self, "/api/org")
end

function c:alert_rules()
  return get(self, "/api/v1/provisioning/alert-rules")
end

function c:folders()
  return get(self, "/api/folders")
end

return rest.module("grafana", M, "url string", "opts table: api_key username password")
