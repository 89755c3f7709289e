--- @module assay.sentry
--- @description Sentry. Issues, their events and stack traces, resolve and assign, projects, releases, deploys.
--- @keywords sentry, errors, error, exception, exceptions, crash, issue, issues, event, events, stack-trace, stacktrace, release, releases, deploys, crash-reporting
--- @synonyms traceback, regression, broke, production, raised, thrown, frames, affected, users, unresolved, resolve, ignore, fixed, close, app
--- @asked which exceptions does production raise most; show the stack trace of a crash; since which release does this error happen; how many users are affected; mark an error as resolved; register a deploy with the crash reporter
--- @env SENTRY_URL, SENTRY_AUTH_TOKEN, SENTRY_ORG
--- @auth { token = "...", organization = "..." }
--- @quickref c:projects() -> [{id, slug}] | List projects of the organization
--- @quickref c:issues(opts) -> [issue] | List issues; opts: q ("is:unresolved" if not given, "" for all), project (slug or id), environment, sort ("date", "freq", "new", "user"), period ("24h"), limit
--- @quickref c:issue(id) -> issue or nil | Get an issue: title, culprit, count, userCount, firstSeen, lastSeen
--- @quickref c:update_issue(id, changes) -> issue | Change an issue: {status = "resolved" or "ignored", assignedTo, statusDetails}
--- @quickref c:events(id, opts) -> [event] | List events of an issue; opts: full (stack traces too), period, limit
--- @quickref c:event(id, event_id) -> event | Get an event of an issue: its id, or "latest", "oldest", "recommended" (the latest without)
--- @quickref c:trace(id, event_id) -> string | Get exception and stack trace of an event as text, the innermost call first; > marks our own code
--- @quickref c:tag(id, key) -> {topValues} | Get which values of a tag the events of an issue have, as "release" or "browser"
--- @quickref c:releases(opts) -> [release] | List releases, the newest first; opts: q, limit
--- @quickref c:create_release(release) -> release | Create a release: {version, projects, refs}
--- @quickref c:create_deploy(version, deploy) -> deploy | Record that a release is deployed: {environment, url}

local rest = require("assay._paged")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("sentry", rest.bearer)
local get = api.get

function M.client(url, opts)
  opts = opts or {}
  return setmetatable({
    url = rest.base("sentry.client", url or env.get("SENTRY_URL") or "https://sentry.io"),
    token = rest.secret("sentry.client", opts, "token", env.get("SENTRY_AUTH_TOKEN"), "SENTRY_AUTH_TOKEN"),
    organization = rest.need(opts.organization or env.get("SENTRY_ORG"), "sentry.client: organization is required", "SENTRY_ORG"),
  }, c)
end

local function at(client, pattern, ...)
  return api.path("/api/0/organizations/{}", client.organization) .. api.path(pattern, ...)
end

-- following is the cursor of the next page. A page that is empty is named too, and says so.
local function following(link)
  for parameters in (link or ""):gmatch("<[^>]*>([^<]*)") do
    if parameters:find('rel="next"', 1, true) and parameters:find('results="true"', 1, true) then
      return parameters:match('cursor="([^"]*)"')
    end
  end
end

local function list(client, where, own, opts)
  return rest.all(opts, function(cursor)
    local whole = where .. rest.join(own, query("cursor", cursor))
    local who = "sentry: GET " .. whole
    local response = rest.check(api.send(client, "GET", whole), "200", who)
    return rest.parse(response, who), following(response.headers.link)
  end)
end

function c:projects()
  return list(self, at(self, "/projects/"), "", {})
end

-- A project is named in the query by its slug, elsewhere by its id.
function c:issues(opts)
  opts = rest.options("sentry.issues", opts, "q project environment sort period limit")
  local q, project = opts.q or "is:unresolved", opts.project
  if project and not rest.text(project):find("^%d+$") then
    q, project = ("project:" .. rest.text(project) .. " " .. q):gsub("%s+$", ""), nil
  end
  return list(self, at(self, "/issues/"), query("query", q, "project", project, "environment", opts.environment, "sort", opts.sort,
    "statsPeriod", opts.period, "limit", rest.size(opts, 100)), opts)
end

function c:issue(id)
  return api.find(self, at(self, "/issues/{}/", id))
end

function c:update_issue(id, changes)
  return api.call(self, "PUT", at(self, "/issues/{}/", id), rest.need(changes, "sentry: changes are required"))
end

function c:events(id, opts)
  opts = rest.options("sentry.events", opts, "full period limit")
  return list(self, at(self, "/issues/{}/events/", id), query("full", opts.full, "statsPeriod", opts.period), opts)
end

function c:event(id, event_id)
  return get(self, at(self, "/issues/{}/events/{}/", id, event_id or "latest"))
end

-- frame is a call of a trace in one line.
local function frame(f)
  local where = f.filename or f.module or f.absPath or "?"
  return string.format("%s %s (%s%s)", f.inApp and ">" or " ", f["function"] or "?", where, f.lineNo and ":" .. rest.text(f.lineNo) or "")
end

function c:trace(id, event_id)
  local out = {}
  for _, entry in ipairs(self:event(id, event_id).entries or {}) do
    for _, exception in ipairs(entry.type == "exception" and (entry.data or {}).values or {}) do
      out[#out + 1] = (exception.type or "error") .. ": " .. (exception.value or "")
      local frames = (exception.stacktrace or {}).frames or {}
      for i = #frames, 1, -1 do
        out[#out + 1] = frame(frames[i])
      end
    end
  end
  return table.concat(out, "\n")
end

function c:tag(id, key)
  return get(self, at(self, "/issues/{}/tags/{}/", id, key))
end

function c:releases(opts)
  opts = rest.options("sentry.releases", opts, "q limit")
  return list(self, at(self, "/releases/"), query("query", opts.q), opts)
end

function c:create_release(release)
  return api.call(self, "POST", at(self, "/releases/"), rest.need(release, "sentry: release is required"), "20[18]")
end

function c:create_deploy(version, deploy)
  return api.call(self, "POST", at(self, "/releases/{}/deploys/", version), rest.need(deploy, "sentry: deploy is required"), "201")
end

return rest.module("sentry", M, "url string", "opts table: token organization")
