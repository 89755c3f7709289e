--- @module assay.prometheus
--- @description Prometheus metrics. Query PromQL, ranges, alerts, targets, rules, labels, series, metadata, reload.
--- @keywords prometheus, metrics, promql, query, monitoring, alerts, targets, rules, labels, series, time-series, scrape
--- @synonyms cpu, memory, disk, usage, load, errors, error-rate, latency, requests, request-rate, traffic, graph, percentile, average, hour, day, machines, instances, down, up, exporter, measure, count, rate, per-second
--- @asked how high is the memory use; which targets are down; evaluate PromQL over the last day; which rules fire
--- @env PROMETHEUS_URL
--- @quickref M.query(url, promql) -> number or [{metric, value}] | Query now: the number of a single result, else a list
--- @quickref M.query_range(url, promql, start_time, end_time, step) -> [{metric, values}] | Query a range of time
--- @quickref M.alerts(url) -> [alert] | List active alerts
--- @quickref M.targets(url) -> {activeTargets, droppedTargets} | List scrape targets and their health
--- @quickref M.rules(url, opts) -> [group] | List alerting and recording rules; opts: type (alert or record)
--- @quickref M.label_values(url, label_name) -> [string] | List values of a label
--- @quickref M.series(url, match_selectors) -> [labels] | List series that match selectors
--- @quickref M.config_reload(url) -> bool | Reload the configuration
--- @quickref M.targets_metadata(url, opts) -> [metadata] | List metadata of metrics by target; opts: match_target, metric, limit

-- Without a url every function uses PROMETHEUS_URL.

local rest = require("assay._rest")
local path, query = rest.api("prometheus").path, rest.query

local M = {}

local function base(fn, url)
  return rest.base("prometheus." .. fn, url or env.get("PROMETHEUS_URL"), "PROMETHEUS_URL")
end

-- data is what a successful answer carries.
local function data(fn, url, where)
  local who = "prometheus." .. fn .. ":"
  local answer = rest.ask(who, "GET", base(fn, url) .. "/api/v1" .. where) or {}
  if answer.status ~= "success" then
    error(who .. " " .. (answer.error or "unknown error"), 0)
  end
  return answer.data or {}
end

-- number is the value of a sample, a string where Lua has no such number: NaN, +Inf.
local function number(sample)
  local text = sample[2]
  return tostring(text):find("%d") and tonumber(text) or text
end

function M.query(url, promql)
  local found = data("query", url, "/query" .. query("query", promql))
  local result = found.result or {}
  if found.resultType == "scalar" or found.resultType == "string" then
    return number(result)
  elseif found.resultType == "matrix" then
    return result
  elseif #result == 1 then
    return number(result[1].value)
  end
  local list = {}
  for i, entry in ipairs(result) do
    list[i] = { metric = entry.metric, value = number(entry.value) }
  end
  return list
end

function M.query_range(url, promql, start_time, end_time, step)
  return data("query_range", url, "/query_range" .. query("query", promql, "start", start_time, "end", end_time,
    "step", step)).result
end

function M.alerts(url)
  return data("alerts", url, "/alerts").alerts
end

function M.targets(url)
  return data("targets", url, "/targets")
end

function M.rules(url, opts)
  opts = rest.options("prometheus.rules", opts, "type")
  return data("rules", url, "/rules" .. query("type", opts.type)).groups
end

function M.label_values(url, label_name)
  return data("label_values", url, path("/label/{}/values", label_name))
end

function M.series(url, match_selectors)
  return data("series", url, "/series" .. query("match[]", match_selectors))
end

function M.config_reload(url)
  return http.post(base("config_reload", url) .. "/-/reload").status == 200
end

function M.targets_metadata(url, opts)
  opts = rest.options("prometheus.targets_metadata", opts, "match_target metric limit")
  return data("targets_metadata", url, "/targets/metadata" .. query("match_target", opts.match_target,
    "metric", opts.metric, "limit", opts.limit))
end

return M
