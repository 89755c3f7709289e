--- @module assay.sonarqube
--- @description SonarQube and SonarCloud. Quality gates, issues, measures, security hotspots, rules, analyses.
--- @keywords sonarqube, sonar, sonarcloud, code-quality, static-analysis, quality-gate, coverage, bugs, vulnerabilities, code-smells, hotspots, duplication, measures, rule, lint
--- @synonyms code, quality, gate, failing, technical-debt, smell, scan, analysis, metrics, complexity, false-positive, finding, findings, scanner, dismiss, merge
--- @asked did the quality gate pass; which bugs did the analysis of the code find; test coverage of a project; mark a finding as a false positive; what does this rule want; which security hotspots wait for review
--- @env SONARQUBE_URL, SONARQUBE_TOKEN, SONARQUBE_ORG
--- @auth { token = "...", organization = "..." }
--- @quickref c:status() -> {status, version} | Get the state of the server
--- @quickref c:projects(opts) -> [{key, name}] | List projects; opts: q, limit
--- @quickref c:quality_gate(project, opts) -> {status, conditions} | Did the quality gate pass, and which conditions failed; opts: branch, pull_request
--- @quickref c:measures(project, metrics, opts) -> {metric = value} | Get measures, as {"coverage", "bugs", "ncloc"}, those of new code too; opts: branch, pull_request
--- @quickref c:issues(opts) -> [issue] | List issues, at most 10,000; opts: project, branch, pull_request, severities, types, impact_severities, impact_qualities, statuses, resolved, languages, since, limit
--- @quickref c:hotspots(project, opts) -> [hotspot] | List security hotspots; opts: branch, pull_request, status, limit
--- @quickref c:rule(key) -> rule | Get a rule and how to fix what it finds
--- @quickref c:transition(issue, name) -> issue | Make a transition of an issue: "falsepositive", "accept", "reopen", "resolve"
--- @quickref c:assign(issue, login) -> issue | Assign an issue
--- @quickref c:comment(issue, text) -> issue | Comment on an issue
--- @quickref c:analyses(project) -> {queue, current} | Get the analyses that wait, and the last one

local rest = require("assay._paged")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("sonarqube", rest.bearer)
local get = api.get

function M.client(url, opts)
  opts = opts or {}
  return setmetatable({
    url = rest.base("sonarqube.client", url or env.get("SONARQUBE_URL") or "https://sonarcloud.io"),
    token = rest.secret("sonarqube.client", opts, "token", env.get("SONARQUBE_TOKEN"), "SONARQUBE_TOKEN"),
    organization = opts.organization or env.get("SONARQUBE_ORG"),
  }, c)
end

-- joined is a list as this API takes it: with commas between.
local function joined(values)
  return type(values) == "table" and values ~= json.null and table.concat(values, ",") or values
end

local function list(client, where, own, opts, member)
  local size = rest.size(opts, 500)
  return rest.all(opts, function(page)
    page = page or 1
    local found = get(client, where .. rest.join(own, query("p", page, "ps", size)))
    local total = (found.paging or {}).total or found.total or 0
    return found[member], page * size < total and page + 1
  end)
end

-- post sends a form, which is what this API takes.
local function post(client, where, ...)
  local headers = rest.bearer(client)
  headers["Content-Type"] = "application/x-www-form-urlencoded"
  local who = "sonarqube: POST " .. where
  return rest.parse(rest.check(rest.request("POST", client.url .. where, headers, query(...):sub(2), client.via), "20[04]", who), who)
end

function c:status()
  return get(self, "/api/system/status")
end

function c:projects(opts)
  opts = rest.options("sonarqube.projects", opts, "q limit")
  local kind = not self.organization and "TRK" or nil
  return list(self, "/api/components/search", query("qualifiers", kind, "organization", self.organization, "q", opts.q), opts, "components")
end

function c:quality_gate(project, opts)
  opts = rest.options("sonarqube.quality_gate", opts, "branch pull_request")
  return get(self, "/api/qualitygates/project_status" .. query("projectKey", rest.need(project, "sonarqube: project is required"),
    "branch", opts.branch, "pullRequest", opts.pull_request)).projectStatus
end

function c:measures(project, metrics, opts)
  opts = rest.options("sonarqube.measures", opts, "branch pull_request")
  local found = get(self, "/api/measures/component" .. query("component", rest.need(project, "sonarqube: project is required"),
    "metricKeys", joined(rest.need(metrics, "sonarqube: metrics are required")), "branch", opts.branch, "pullRequest", opts.pull_request))
  local out = {}
  for _, m in ipairs((found.component or {}).measures or {}) do
    local value = m.value or (m.period or {}).value -- measures of new code are those of a period
    if m.metric then
      out[m.metric] = tonumber(value) or value or nil
    end
  end
  return out
end

function c:issues(opts)
  opts = rest.options("sonarqube.issues", opts, "project branch pull_request severities types impact_severities impact_qualities statuses"
    .. " resolved languages since limit")
  return list(self, "/api/issues/search", query(
    "componentKeys", joined(opts.project),
    "organization", self.organization,
    "branch", opts.branch,
    "pullRequest", opts.pull_request,
    "severities", joined(opts.severities),
    "types", joined(opts.types),
    "impactSeverities", joined(opts.impact_severities),
    "impactSoftwareQualities", joined(opts.impact_qualities),
    "statuses", joined(opts.statuses),
    "resolved", opts.resolved,
    "languages", joined(opts.languages),
    "createdAfter", opts.since
  ), opts, "issues")
end

function c:hotspots(project, opts)
  opts = rest.options("sonarqube.hotspots", opts, "branch pull_request status limit")
  return list(self, "/api/hotspots/search", query("projectKey", rest.need(project, "sonarqube: project is required"),
    "branch", opts.branch, "pullRequest", opts.pull_request, "status", opts.status), opts, "hotspots")
end

function c:rule(key)
  return get(self, "/api/rules/show" .. query("key", rest.need(key, "sonarqube: key is required"), "organization", self.organization)).rule
end

function c:transition(issue, name)
  return post(self, "/api/issues/do_transition", "issue", rest.need(issue, "sonarqube: issue is required"), "transition", name).issue
end

function c:assign(issue, login)
  return post(self, "/api/issues/assign", "issue", rest.need(issue, "sonarqube: issue is required"), "assignee", login).issue
end

function c:comment(issue, text)
  return post(self, "/api/issues/add_comment", "issue", rest.need(issue, "sonarqube: issue is required"), "text", text).issue
end

function c:analyses(project)
  return get(self, "/api/ce/component" .. query("component", rest.need(project, "sonarqube: project is required")))
end

return rest.module("sonarqube", M, "url string", "opts table: token organization")
