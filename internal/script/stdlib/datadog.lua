--- @module assay.datadog
--- @description Datadog monitoring. Query and submit metrics, monitors, mute, events, log search, downtimes, dashboards.
--- @keywords datadog, metrics, metric, monitor, monitors, mute, events, logs, log-search, dashboards, downtime, apm, monitoring, observability
--- @synonyms cpu, memory, disk, usage, load, errors, error-rate, latency, requests, traffic, graph, chart, custom-metric, alert, silence, application-logs, vendor, host
--- @asked send a metric; search logs of the last hour; how high is the CPU
--- @env DD_SITE, DD_API_KEY, DD_APP_KEY
--- @auth { api_key = "...", app_key = "..." }
--- @quickref c:validate() -> {valid} | Check the API key
--- @quickref c:query(q, from, to) -> {series} | Query metrics between two times in UNIX seconds
--- @quickref c:submit_metric(metric, value, opts) -> {errors} | Submit one point of a gauge; opts: tags, timestamp, unit
--- @quickref c:monitors(opts) -> [monitor] | List monitors; opts: name, tags, group_states, page, page_size
--- @quickref c:monitor(id) -> monitor or nil | Get a monitor
--- @quickref c:create_monitor(monitor) -> monitor | Create a monitor: {name, type, query, message, tags}
--- @quickref c:mute_monitor(id, opts) -> monitor | Mute a monitor; opts: scope, end_time
--- @quickref c:unmute_monitor(id, opts) -> monitor | Unmute a monitor; opts: scope, all_scopes
--- @quickref c:post_event(event) -> {event} | Post an event: {title, text, tags, alert_type}
--- @quickref c:search_logs(q, opts) -> {data, meta} | Search logs; opts: from, to, limit, sort, cursor
--- @quickref c:dashboards() -> {dashboards} | List dashboards
--- @quickref c:downtimes() -> {data} | List downtimes

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("datadog", function(client)
  return { ["DD-API-KEY"] = client.api_key, ["DD-APPLICATION-KEY"] = client.app_key }
end)
local get, find, path = api.get, api.find, api.path

function M.client(url, opts)
  opts = opts or { api_key = env.get("DD_API_KEY"), app_key = env.get("DD_APP_KEY") }
  return setmetatable({
    url = rest.base("datadog.client", url or "https://api." .. (env.get("DD_SITE") or "datadoghq.com")),
    api_key = opts.api_key,
    app_key = opts.app_key,
  }, c)
end

function c:validate()
  return get(self, "/api/v1/validate")
end

function c:query(q, from, to)
  return get(self, "/api/v1/query" .. query("from", from, "to", to, "query", rest.need(q, "datadog: q is required")))
end

function c:submit_metric(metric, value, opts)
  opts = rest.options("datadog.submit_metric", opts, "timestamp tags unit")
  local series = {
    metric = rest.need(metric, "datadog: metric is required"),
    type = 3,
    points = { { timestamp = opts.timestamp or math.floor(time()), value = value } },
    tags = opts.tags,
    unit = opts.unit,
  }
  return api.call(self, "POST", "/api/v2/series", { series = { series } }, "202")
end

function c:monitors(opts)
  opts = rest.options("datadog.monitors", opts, "name tags group_states page page_size")
  return get(self, "/api/v1/monitor" .. query("name", opts.name, "tags", opts.tags, "group_states", opts.group_states,
    "page", opts.page, "page_size", opts.page_size))
end

function c:monitor(id)
  return find(self, path("/api/v1/monitor/{}", id))
end

function c:create_monitor(monitor)
  return api.call(self, "POST", "/api/v1/monitor", monitor)
end

function c:mute_monitor(id, opts)
  opts = rest.options("datadog.mute_monitor", opts, "scope end_time")
  return api.call(self, "POST", path("/api/v1/monitor/{}/mute", id) .. query("scope", opts.scope, "end", opts.end_time))
end

function c:unmute_monitor(id, opts)
  opts = rest.options("datadog.unmute_monitor", opts, "scope all_scopes")
  return api.call(self, "POST", path("/api/v1/monitor/{}/unmute", id) .. query("scope", opts.scope, "all_scopes", opts.all_scopes))
end

function c:post_event(event)
  return api.call(self, "POST", "/api/v1/events", event, "202")
end

function c:search_logs(q, opts)
  opts = rest.options("datadog.search_logs", opts, "from to sort limit cursor")
  return api.call(self, "POST", "/api/v2/logs/events/search", {
    filter = { query = q, from = opts.from or "now-15m", to = opts.to or "now" },
    sort = opts.sort or "-timestamp",
    page = { limit = opts.limit or 50, cursor = opts.cursor },
  })
end

function c:dashboards()
  return get(self, "/api/v1/dashboard")
end

function c:downtimes()
  return get(self, "/api/v2/downtime")
end

return rest.module("datadog", M, "url string", "opts table: api_key app_key")
