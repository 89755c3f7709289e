--- @module assay.gcal
--- @description Google Calendar by access token. Calendars, events of a time span, create, move, cancel, free and busy.
--- @keywords gcal, calendar, calendars, event, events, meeting, appointment, free-busy, freebusy, attendees, invite, google, workspace
--- @synonyms agenda, today, tomorrow, week, schedule, slot, available, busy, book, reschedule, cancel, reminder, invitation, guest, recurring, birthday
--- @asked what is on my agenda tomorrow; when are two people free to meet; book a meeting and invite guests; reschedule or cancel an appointment; which meetings have I this week
--- @env GOOGLE_OAUTH_ACCESS_TOKEN
--- @auth { token = "..." }
--- @quickref c:calendars() -> [{id, summary, primary, accessRole}] | List the calendars of the account
--- @quickref c:events(opts) -> [event] | List events by their start, each of a series by itself; opts: from, to (RFC 3339 or UNIX seconds), q, calendar ("primary"), limit
--- @quickref c:event(id, calendar) -> event or nil | Get an event
--- @quickref c:create_event(event, opts) -> event | Create an event: {summary, start = {dateTime} or {date}, end, attendees = {{email}}}; opts: calendar, notify ("all": mail the guests)
--- @quickref c:update_event(id, changes, opts) -> event | Change fields of an event; opts: calendar, notify
--- @quickref c:delete_event(id, opts) -> nil | Cancel an event; opts: calendar, notify
--- @quickref c:free_busy(from, to, calendars) -> {id = {busy}} | When calendars are busy: [{start, end}] of each; calendars: ids or addresses, "primary" without

local rest = require("assay._paged")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("gcal", rest.bearer)
local get, path = api.get, api.path

function M.client(opts)
  opts = opts or {}
  return setmetatable({
    url = rest.base("gcal.client", opts.endpoint or "https://www.googleapis.com"),
    token = rest.secret("gcal.client", opts, "token", env.get("GOOGLE_OAUTH_ACCESS_TOKEN"), "GOOGLE_OAUTH_ACCESS_TOKEN"),
  }, c)
end

local function at(calendar, pattern, ...)
  return path("/calendar/v3/calendars/{}/events", calendar or "primary") .. path(pattern or "", ...)
end

function c:calendars()
  return rest.all({}, function(cursor)
    local found = get(self, "/calendar/v3/users/me/calendarList" .. query("maxResults", 250, "pageToken", cursor))
    return found.items, found.nextPageToken
  end)
end

function c:events(opts)
  opts = rest.options("gcal.events", opts, "from to q calendar limit")
  return rest.all(opts, function(cursor)
    local found = get(self, at(opts.calendar) .. query("timeMin", rest.stamp(opts.from), "timeMax", rest.stamp(opts.to), "q", opts.q,
      "singleEvents", true, "orderBy", "startTime", "maxResults", rest.size(opts, 250), "pageToken", cursor))
    return found.items, found.nextPageToken
  end)
end

function c:event(id, calendar)
  return api.find(self, at(calendar, "/{}", id))
end

function c:create_event(event, opts)
  opts = rest.options("gcal.create_event", opts, "calendar notify")
  return api.call(self, "POST", at(opts.calendar) .. query("sendUpdates", opts.notify), rest.need(event, "gcal: event is required"))
end

function c:update_event(id, changes, opts)
  opts = rest.options("gcal.update_event", opts, "calendar notify")
  return api.call(self, "PATCH", at(opts.calendar, "/{}", id) .. query("sendUpdates", opts.notify), rest.need(changes, "gcal: changes are required"))
end

function c:delete_event(id, opts)
  opts = rest.options("gcal.delete_event", opts, "calendar notify")
  api.call(self, "DELETE", at(opts.calendar, "/{}", id) .. query("sendUpdates", opts.notify), nil, "20[04]")
end

function c:free_busy(from, to, calendars)
  local items = {}
  for i, id in ipairs(calendars or { "primary" }) do
    items[i] = { id = id }
  end
  return api.call(self, "POST", "/calendar/v3/freeBusy", {
    timeMin = rest.stamp(rest.need(from, "gcal: from is required")),
    timeMax = rest.stamp(rest.need(to, "gcal: to is required")),
    items = items,
  }).calendars
end

return rest.module("gcal", M, "opts table: token endpoint")
