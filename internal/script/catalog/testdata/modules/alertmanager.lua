--- @module assay.alertmanager
--- @description Alertmanager alerts and silences. List, post and silence alerts.
--- @keywords alertmanager, alerts, silence, mute, monitoring, receivers
--- @env ALERTMANAGER_URL
--- @quickref M.alerts(url, opts) -> [alert] | List alerts
--- @quickref M.silence_alert(url, alertname, duration_hours) -> id | Silence an alert from now

local M = {}
function M.alerts(url, opts)
  return json.parse(http.get((url or env.get("ALERTMANAGER_URL")) .. "/api/v2/alerts").body)
end
function M.silence_alert(url, alertname, duration_hours)
  return http.post(url .. "/api/v2/silences", { name = alertname, hours = duration_hours })
end
function M._now() return time() end
return M
