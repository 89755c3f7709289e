--- @module assay.pagerduty
--- @description PagerDuty incidents. Trigger and resolve events, acknowledge, notes, services, on-call schedules.
--- @keywords pagerduty, incident, incidents, on-call, oncall, alert, page, paging, trigger, acknowledge, resolve, escalation, schedule, events
--- @synonyms duty, awake, wake, woken, call, engineer, night, tonight, rotation, team, note, problem, outage, snooze, wrong, happened
--- @asked page somebody; who is on call or woken up; resolve an incident of a service
--- @env PAGERDUTY_URL, PAGERDUTY_TOKEN, PAGERDUTY_FROM, PAGERDUTY_ROUTING_KEY, PAGERDUTY_EVENTS_URL
--- @auth { token = "...", from = "me@example.com" }
--- @quickref M.trigger(summary, opts) -> {dedup_key} | Trigger an alert; opts: routing_key, severity, source, dedup_key, component, custom_details
--- @quickref M.resolve(dedup_key, routing_key) -> {dedup_key} | Resolve an alert that was triggered
--- @quickref M.acknowledge(dedup_key, routing_key) -> {dedup_key} | Acknowledge an alert that was triggered
--- @quickref c:incidents(opts) -> {incidents, more} | List incidents; opts: statuses, service_ids, since, until_time, limit, offset
--- @quickref c:incident(id) -> incident | Get an incident
--- @quickref c:create_incident(service_id, title, opts) -> incident | Open an incident; opts: urgency, details
--- @quickref c:acknowledge_incident(id) -> incident | Acknowledge an incident
--- @quickref c:resolve_incident(id) -> incident | Resolve an incident
--- @quickref c:add_note(id, text) -> note | Add a note to an incident
--- @quickref c:services(opts) -> {services, more} | List services; opts: search, limit, offset
--- @quickref c:oncalls(opts) -> {oncalls, more} | List who is on call; opts: schedule_ids, escalation_policy_ids, since, until_time

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("pagerduty", function(client)
  return {
    Accept = "application/vnd.pagerduty+json;version=2",
    Authorization = client.token and "Token token=" .. client.token,
    From = client.from,
  }
end)
local get, path = api.get, api.path

local function event(routing_key, action, dedup_key, payload)
  routing_key = rest.need(routing_key or env.get("PAGERDUTY_ROUTING_KEY"), "pagerduty: routing_key is required", "PAGERDUTY_ROUTING_KEY")
  local url = rest.base("pagerduty", env.get("PAGERDUTY_EVENTS_URL") or "https://events.pagerduty.com") .. "/v2/enqueue"
  local body = { routing_key = routing_key, event_action = action, dedup_key = dedup_key, payload = payload }
  return rest.parse(rest.check(rest.request("POST", url, nil, body), "202", "pagerduty: POST /v2/enqueue"), "pagerduty")
end

function M.client(url, opts)
  opts = opts or { token = env.get("PAGERDUTY_TOKEN"), from = env.get("PAGERDUTY_FROM") }
  return setmetatable({
    url = rest.base("pagerduty.client", url or env.get("PAGERDUTY_URL") or "https://api.pagerduty.com"),
    token = opts.token,
    from = opts.from,
  }, c)
end

local function status(client, id, value)
  local body = { incident = { type = "incident_reference", status = value } }
  return api.call(client, "PUT", path("/incidents/{}", id), body).incident
end

function M.trigger(summary, opts)
  opts = rest.options("pagerduty.trigger", opts, "routing_key dedup_key severity source component custom_details")
  return event(opts.routing_key, "trigger", opts.dedup_key, {
    summary = summary,
    severity = opts.severity or "error",
    source = opts.source or "assay",
    component = opts.component,
    custom_details = opts.custom_details,
  })
end

function M.resolve(dedup_key, routing_key)
  return event(routing_key, "resolve", rest.need(dedup_key, "pagerduty: dedup_key is required"))
end

function M.acknowledge(dedup_key, routing_key)
  return event(routing_key, "acknowledge", rest.need(dedup_key, "pagerduty: dedup_key is required"))
end

function c:incidents(opts)
  opts = rest.options("pagerduty.incidents", opts, "statuses service_ids since until_time limit offset")
  return get(self, "/incidents" .. query("statuses[]", opts.statuses, "service_ids[]", opts.service_ids, "since", opts.since,
    "until", opts.until_time, "limit", opts.limit, "offset", opts.offset))
end

function c:incident(id)
  return get(self, path("/incidents/{}", id)).incident
end

function c:create_incident(service_id, title, opts)
  opts = rest.options("pagerduty.create_incident", opts, "urgency details")
  return api.call(self, "POST", "/incidents", {
    incident = {
      type = "incident",
      title = title,
      service = { id = rest.need(service_id, "pagerduty: service_id is required"), type = "service_reference" },
      urgency = opts.urgency,
      body = opts.details and { type = "incident_body", details = opts.details },
    },
  }, "201").incident
end

function c:acknowledge_incident(id)
  return status(self, id, "acknowledged")
end

function c:resolve_incident(id)
  return status(self, id, "resolved")
end

function c:add_note(id, text)
  return api.call(self, "POST", path("/incidents/{}/notes", id), { note = { content = text } }, "20[01]").note
end

function c:services(opts)
  opts = rest.options("pagerduty.services", opts, "search limit offset")
  return get(self, "/services" .. query("query", opts.search, "limit", opts.limit, "offset", opts.offset))
end

function c:oncalls(opts)
  opts = rest.options("pagerduty.oncalls", opts, "schedule_ids escalation_policy_ids since until_time")
  return get(self, "/oncalls" .. query("schedule_ids[]", opts.schedule_ids, "escalation_policy_ids[]", opts.escalation_policy_ids,
    "since", opts.since, "until", opts.until_time))
end

return rest.module("pagerduty", M, "url string", "opts table: token from")
