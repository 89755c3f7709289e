--- @module assay.servicenow
--- @description ServiceNow tables. Incidents, changes, requests, users and assets: query, create, update, comment, count.
--- @keywords servicenow, snow, incident, incidents, change-request, itsm, cmdb, configuration-item, table, record, records, sysparm, task, catalog, work-note
--- @synonyms helpdesk, help-desk, hostname, host, service-desk, change, outage, asset, inventory, request, caller, assignment-group, escalate, ci, problem
--- @asked report an outage to the service desk; which incidents has our group open; add a work note to an incident; close a change request; look up a server in the CMDB; how many incidents of priority 1 were there this month
--- @env SERVICENOW_URL, SERVICENOW_USERNAME, SERVICENOW_PASSWORD, SERVICENOW_TOKEN
--- @auth { username = "...", password = "..." } or { token = "..." }
--- @quickref c:records(table_name, opts) -> [record] | List records of a table; opts: query (encoded, as "active=true^priority=1"), fields ("number,state"), display ("true": labels in place of values, "all": both), limit
--- @quickref c:record(table_name, sys_id, opts) -> record or nil | Get a record; opts: fields, display
--- @quickref c:create(table_name, fields) -> record | Create a record
--- @quickref c:update(table_name, sys_id, fields) -> record | Change fields of a record
--- @quickref c:delete(table_name, sys_id) -> nil | Delete a record
--- @quickref c:count(table_name, q) -> number | Count the records that match
--- @quickref c:find(number, opts) -> record or nil | Get a task of any kind by its number, as "INC0010001" or "CHG0030001"; opts: fields, display
--- @quickref c:incidents(opts) -> [incident] | List incidents, the newest first; opts: query, fields, display, limit
--- @quickref c:create_incident(fields) -> incident | Open an incident: {short_description, description, urgency, impact, assignment_group, caller_id}
--- @quickref c:comment(table_name, sys_id, text) -> record | Add a comment that the caller sees
--- @quickref c:work_note(table_name, sys_id, text) -> record | Add a note that only agents see

local rest = require("assay._paged")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("servicenow", function(client)
  return { Accept = "application/json", Authorization = rest.authorization(client.token, client.username, client.password) }
end)
local path = api.path

function M.client(url, opts)
  opts = opts or {
    username = env.get("SERVICENOW_USERNAME"),
    password = env.get("SERVICENOW_PASSWORD"),
    token = env.get("SERVICENOW_TOKEN"),
  }
  return setmetatable({
    url = rest.base("servicenow.client", url or env.get("SERVICENOW_URL"), "SERVICENOW_URL"),
    username = opts.username,
    password = opts.password,
    token = opts.token,
  }, c)
end

local function shown(opts)
  return query("sysparm_fields", opts.fields, "sysparm_display_value", opts.display)
end

-- Rows that the user may not see are missing from their page, so that a short page is not the last
-- one: X-Total-Count says how many there are. Without an order the server may give a row twice.
local function records(client, name, opts)
  local own = opts.query or ""
  if not own:find("ORDERBY", 1, true) then
    own = own .. (own == "" and "" or "^") .. "ORDERBYsys_id"
  end
  local size = rest.size(opts, 1000)
  return rest.all(opts, function(offset)
    offset = offset or 0
    local where = path("/api/now/table/{}", name)
      .. rest.join(query("sysparm_query", own, "sysparm_limit", size, "sysparm_offset", offset), shown(opts))
    local who = "servicenow: GET " .. where
    local response = rest.check(api.send(client, "GET", where), "200", who)
    local rows = rest.parse(response, who).result or {}
    local total = tonumber(response.headers["x-total-count"])
    local more = total and offset + size < total or not total and #rows == size
    return rows, more and offset + size
  end)
end

function c:records(table_name, opts)
  return records(self, table_name, rest.options("servicenow.records", opts, "query fields display limit"))
end

function c:record(table_name, sys_id, opts)
  opts = rest.options("servicenow.record", opts, "fields display")
  local found = api.find(self, path("/api/now/table/{}/{}", table_name, sys_id) .. shown(opts))
  return found and found.result
end

function c:create(table_name, fields)
  return api.call(self, "POST", path("/api/now/table/{}", table_name), rest.need(fields, "servicenow: fields are required"), "201").result
end

function c:update(table_name, sys_id, fields)
  return api.call(self, "PATCH", path("/api/now/table/{}/{}", table_name, sys_id), rest.need(fields, "servicenow: fields are required")).result
end

function c:delete(table_name, sys_id)
  api.call(self, "DELETE", path("/api/now/table/{}/{}", table_name, sys_id), nil, "204")
end

function c:count(table_name, q)
  local found = api.get(self, path("/api/now/stats/{}", table_name) .. query("sysparm_query", q, "sysparm_count", true))
  return math.tointeger(tonumber(found.result.stats.count))
end

function c:find(number, opts)
  opts = rest.options("servicenow.find", opts, "fields display")
  local own = "number=" .. rest.text(rest.need(number, "servicenow: number is required"))
  return records(self, "task", { query = own, fields = opts.fields, display = opts.display, limit = 1 })[1]
end

function c:incidents(opts)
  opts = rest.options("servicenow.incidents", opts, "query fields display limit")
  local own = opts.query or ""
  if not own:find("ORDERBY", 1, true) then
    own = own .. (own == "" and "" or "^") .. "ORDERBYDESCsys_created_on"
  end
  return records(self, "incident", { query = own, fields = opts.fields, display = opts.display, limit = opts.limit })
end

function c:create_incident(fields)
  return self:create("incident", fields)
end

function c:comment(table_name, sys_id, text)
  return self:update(table_name, sys_id, { comments = rest.need(text, "servicenow: text is required") })
end

function c:work_note(table_name, sys_id, text)
  return self:update(table_name, sys_id, { work_notes = rest.need(text, "servicenow: text is required") })
end

return rest.module("servicenow", M, "url string", "opts table: token username password")
