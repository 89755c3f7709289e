--- @module assay.alertmanager
--- @description Alertmanager alerts and silences. List, post, silence and count Prometheus alerts, receivers, status.
--- @keywords alertmanager, alerts, alert, silence, mute, prometheus, monitoring, receivers, firing, notification, on-call
--- @synonyms warnings, quiet, snooze, suppress, inhibit, maintenance, outage, page, paging, active, problem
--- @asked stop alerts for a host during maintenance; mute notifications for some hours; which alerts fire right now; who receives a notification; expire a silence
--- @env ALERTMANAGER_URL
--- @quickref M.alerts(url, opts) -> [alert] | List alerts; opts: active, silenced, inhibited, unprocessed, filter, receiver
--- @quickref M.post_alerts(url, alerts) -> true | Send alerts, a list of {labels, annotations}
--- @quickref M.alert_groups(url, opts) -> [group] | List alerts in groups; opts: active, silenced, inhibited, filter, receiver
--- @quickref M.silences(url, opts) -> [silence] | List silences; opts: filter
--- @quickref M.silence(url, id) -> silence | Get a silence
--- @quickref M.create_silence(url, silence) -> {silenceID} | Create or replace a silence
--- @quickref M.delete_silence(url, id) -> true | Expire a silence
--- @quickref M.status(url) -> {cluster, config} | Get the state of the cluster and the configuration
--- @quickref M.receivers(url) -> [receiver] | List receivers of notifications
--- @quickref M.is_firing(url, alertname) -> bool | Is an alert of this name active and not silenced
--- @quickref M.silence_alert(url, alertname, duration_hours, opts) -> id | Silence an alert from now; opts: created_by, comment
--- @quickref M.active_count(url) -> number | Count alerts that are active and not silenced

-- Without a url every function uses ALERTMANAGER_URL.

local rest = require("assay._rest")
local path, query = rest.api("alertmanager").path, rest.query

local M = {}

local function request(fn, url, verb, where, body)
  local who = "alertmanager." .. fn .. ":"
  local base = rest.base("alertmanager." .. fn, url or env.get("ALERTMANAGER_URL"), "ALERTMANAGER_URL")
  return rest.ask(who, verb, base .. "/api/v2" .. where, body)
end

local function get(fn, url, where)
  return request(fn, url, "GET", where)
end

-- firing is the alerts that someone should hear of.
local function firing(fn, url, filter)
  return get(fn, url, "/alerts" .. query("active", true, "silenced", false, "inhibited", false, "filter", filter)) or {}
end

function M.alerts(url, opts)
  opts = rest.options("alertmanager.alerts", opts, "active silenced inhibited unprocessed filter receiver")
  return get("alerts", url, "/alerts" .. query("active", opts.active, "silenced", opts.silenced, "inhibited", opts.inhibited,
    "unprocessed", opts.unprocessed, "filter", opts.filter, "receiver", opts.receiver))
end

function M.post_alerts(url, alerts)
  if next(alerts) == nil then
    return true -- an empty table would be sent as an object
  end
  request("post_alerts", url, "POST", "/alerts", alerts)
  return true
end

function M.alert_groups(url, opts)
  opts = rest.options("alertmanager.alert_groups", opts, "active silenced inhibited filter receiver")
  return get("alert_groups", url, "/alerts/groups" .. query("active", opts.active, "silenced", opts.silenced,
    "inhibited", opts.inhibited, "filter", opts.filter, "receiver", opts.receiver))
end

function M.silences(url, opts)
  opts = rest.options("alertmanager.silences", opts, "filter")
  return get("silences", url, "/silences" .. query("filter", opts.filter))
end

function M.silence(url, id)
  return get("silence", url, path("/silence/{}", id))
end

function M.create_silence(url, silence)
  return request("create_silence", url, "POST", "/silences", silence)
end

function M.delete_silence(url, id)
  request("delete_silence", url, "DELETE", path("/silence/{}", id))
  return true
end

function M.status(url)
  return get("status", url, "/status")
end

function M.receivers(url)
  return get("receivers", url, "/receivers")
end

function M.is_firing(url, alertname)
  return #firing("is_firing", url, "alertname=" .. rest.quoted(alertname)) > 0
end

function M.silence_alert(url, alertname, duration_hours, opts)
  opts = rest.options("alertmanager.silence_alert", opts, "created_by comment")
  local now = time()
  local created = request("silence_alert", url, "POST", "/silences", {
    matchers = { { name = "alertname", value = alertname, isRegex = false, isEqual = true } },
    startsAt = rest.rfc3339(now),
    endsAt = rest.rfc3339(now + duration_hours * 3600),
    createdBy = opts.created_by or "assay",
    comment = opts.comment or "Silenced by assay",
  })
  return created.silenceID
end

function M.active_count(url)
  return #firing("active_count", url)
end

return M
