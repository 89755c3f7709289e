--- @module assay.opsgenie
--- @description Opsgenie alerts. Create, acknowledge, close and annotate alerts; schedules, who is on call, heartbeats.
--- @keywords opsgenie, alert, alerts, on-call, oncall, acknowledge, close, incident, paging, schedule, heartbeat, escalation
--- @synonyms duty, awake, wake, woken, call, engineer, night, tonight, rotation, team, comment, note, page, problem, outage, snooze
--- @asked who is on call; acknowledge or close an alert; wake somebody up; add a note to an alert
--- @env OPSGENIE_URL, OPSGENIE_API_KEY
--- @auth { api_key = "..." }
--- @quickref c:alerts(opts) -> {data, paging} | List alerts; opts: search, limit, offset, sort
--- @quickref c:alert(id, opts) -> alert | Get an alert; opts: by ("alias" or "tiny")
--- @quickref c:create_alert(alert) -> {requestId} | Create an alert: {message, alias, description, priority, tags, responders}
--- @quickref c:acknowledge(id, opts) -> {requestId} | Acknowledge an alert; opts: by, note, user, source
--- @quickref c:close(id, opts) -> {requestId} | Close an alert; opts: by, note, user, source
--- @quickref c:add_note(id, note, opts) -> {requestId} | Add a note to an alert; opts: by, user, source
--- @quickref c:schedules() -> [schedule] | List schedules
--- @quickref c:on_call(schedule, opts) -> [name] | List who is on call in a schedule; opts: by ("name"), date
--- @quickref c:ping_heartbeat(name) -> {requestId} | Tell a heartbeat that all is well

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("opsgenie", function(client)
  return { Authorization = client.api_key and "GenieKey " .. client.api_key }
end)
local get, path = api.get, api.path

function M.client(url, opts)
  return setmetatable({
    url = rest.base("opsgenie.client", url or env.get("OPSGENIE_URL") or "https://api.opsgenie.com"),
    api_key = (opts or { api_key = env.get("OPSGENIE_API_KEY") }).api_key,
  }, c)
end

-- about is the path of an alert; an alias needs identifierType.
local function about(id, action, opts)
  return path("/v2/alerts/{}", id) .. (action or "") .. query("identifierType", (opts or {}).by)
end

local function act(client, id, action, opts)
  opts = opts or {}
  local body = { note = opts.note, user = opts.user, source = opts.source }
  return api.call(client, "POST", about(id, action, opts), body, "202")
end

function c:alerts(opts)
  opts = rest.options("opsgenie.alerts", opts, "search limit offset sort")
  return get(self, "/v2/alerts" .. query("query", opts.search, "limit", opts.limit, "offset", opts.offset, "sort", opts.sort))
end

function c:alert(id, opts)
  opts = rest.options("opsgenie.alert", opts, "by")
  return get(self, about(id, nil, opts)).data
end

function c:create_alert(alert)
  return api.call(self, "POST", "/v2/alerts", alert, "202")
end

function c:acknowledge(id, opts)
  opts = rest.options("opsgenie.acknowledge", opts, "by note user source")
  return act(self, id, "/acknowledge", opts)
end

function c:close(id, opts)
  opts = rest.options("opsgenie.close", opts, "by note user source")
  return act(self, id, "/close", opts)
end

function c:add_note(id, note, opts)
  opts = rest.options("opsgenie.add_note", opts, "by user source")
  return act(self, id, "/notes", { note = rest.need(note, "opsgenie: note is required"), by = opts.by, user = opts.user, source = opts.source })
end

function c:schedules()
  return get(self, "/v2/schedules").data
end

function c:on_call(schedule, opts)
  opts = rest.options("opsgenie.on_call", opts, "by date")
  local where = path("/v2/schedules/{}/on-calls", schedule)
    .. query("scheduleIdentifierType", opts.by, "flat", true, "date", opts.date)
  return get(self, where).data.onCallRecipients
end

function c:ping_heartbeat(name)
  return api.call(self, "POST", path("/v2/heartbeats/{}/ping", name), nil, "202")
end

return rest.module("opsgenie", M, "url string", "opts table: api_key")
