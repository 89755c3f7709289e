--- @module assay.gitlab
--- @description GitLab projects. Issues, merge requests, pipelines, jobs and their logs, releases, files, CI variables.
--- @keywords gitlab, project, issues, merge-request, merge, pipeline, pipelines, jobs, ci, build, releases, variables, git, code-review
--- @synonyms ticket, bug, task, approve, review, test, tests, status, checks, run, rerun, retry, failed, publish, branch, tag, comment, artifacts, deploy
--- @asked trigger or retry a pipeline; why did a job of the CI fail; open a merge request; comment on an MR; create an issue
--- @env GITLAB_URL, GITLAB_TOKEN
--- @auth { token = "..." }
--- @quickref c:user() -> user | Get the user of the token
--- @quickref c:projects(opts) -> [project] | List projects; opts: search, membership, per_page, page
--- @quickref c:project(project) -> project or nil | Get a project, by its number or path
--- @quickref c:issues(project, opts) -> [issue] | List issues; opts: state, labels, search, per_page, page
--- @quickref c:create_issue(project, issue) -> issue | Open an issue: {title, description, labels}
--- @quickref c:update_issue(project, iid, issue) -> issue | Change or close an issue: {state_event, title, labels}
--- @quickref c:merge_requests(project, opts) -> [merge_request] | List merge requests; opts: state, source_branch, target_branch, per_page, page
--- @quickref c:merge_request(project, iid) -> merge_request or nil | Get a merge request
--- @quickref c:merge(project, iid, opts) -> merge_request | Merge a merge request; opts: squash, should_remove_source_branch, sha
--- @quickref c:comment(project, iid, text) -> note | Comment on a merge request
--- @quickref c:pipelines(project, opts) -> [pipeline] | List pipelines; opts: ref, status, per_page, page
--- @quickref c:pipeline(project, id) -> pipeline or nil | Get a pipeline
--- @quickref c:create_pipeline(project, ref, variables) -> pipeline | Run a pipeline on a branch or tag; variables: [{key, value}]
--- @quickref c:retry_pipeline(project, id) -> pipeline | Run the failed jobs of a pipeline again
--- @quickref c:cancel_pipeline(project, id) -> pipeline | Cancel a pipeline
--- @quickref c:jobs(project, pipeline_id) -> [job] | List all jobs of a pipeline
--- @quickref c:job(project, job_id) -> job or nil | Get a job
--- @quickref c:job_log(project, job_id) -> string | Get the log of a job
--- @quickref c:failed_logs(project, pipeline_id, lines) -> [{job, stage, reason, log}] | Get the end of the log, 100 lines unless you say, of each job that failed
--- @quickref c:retry_job(project, job_id) -> job | Run a job again
--- @quickref c:play_job(project, job_id) -> job | Start a job that waits for somebody
--- @quickref c:test_report(project, pipeline_id) -> {total_count, failed_count, test_suites} | Get the tests of a pipeline
--- @quickref c:releases(project) -> [release] | List all releases
--- @quickref c:file(project, file_path, ref) -> string or nil | Get the content of a file at a branch, tag or commit
--- @quickref c:variables(project) -> [variable] | List all CI variables of a project

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("gitlab", function(client)
  return { ["PRIVATE-TOKEN"] = client.token }
end)
local get, find, path = api.get, api.find, api.path

-- A project is its number or its whole path, as group/name.
local function at(project, pattern, ...)
  return path("/api/v4/projects/{}", project) .. path(pattern or "", ...)
end

local function list(client, where, opts, ...)
  opts = opts or {}
  local names, args = { ... }, {}
  for _, name in ipairs(names) do
    args[#args + 1] = name
    args[#args + 1] = opts[name] == nil and {} or opts[name]
  end
  return get(client, where .. query(table.unpack(args)))
end

function M.client(url, opts)
  return setmetatable({
    url = rest.base("gitlab.client", url or env.get("GITLAB_URL") or "https://gitlab.com"),
    token = (opts or { token = env.get("GITLAB_TOKEN") }).token,
  }, c)
end

function c:user()
  return get(self, "/api/v4/user")
end

function c:projects(opts)
  opts = rest.options("gitlab.projects", opts, "search membership per_page page")
  return list(self, "/api/v4/projects", opts, "search", "membership", "per_page", "page")
end

function c:project(project)
  return find(self, at(project))
end

function c:issues(project, opts)
  opts = rest.options("gitlab.issues", opts, "state labels search per_page page")
  return list(self, at(project, "/issues"), opts, "state", "labels", "search", "per_page", "page")
end

function c:create_issue(project, issue)
  return api.call(self, "POST", at(project, "/issues"), issue, "201")
end

function c:update_issue(project, iid, issue)
  return api.call(self, "PUT", at(project, "/issues/{}", iid), issue)
end

function c:merge_requests(project, opts)
  opts = rest.options("gitlab.merge_requests", opts, "state source_branch target_branch per_page page")
  return list(self, at(project, "/merge_requests"), opts, "state", "source_branch", "target_branch", "per_page", "page")
end

function c:merge_request(project, iid)
  return find(self, at(project, "/merge_requests/{}", iid))
end

function c:merge(project, iid, opts)
  opts = rest.options("gitlab.merge", opts, "merge_commit_message squash_commit_message squash should_remove_source_branch sha"
    .. " auto_merge merge_when_pipeline_succeeds")
  return api.call(self, "PUT", at(project, "/merge_requests/{}/merge", iid), opts)
end

function c:comment(project, iid, text)
  return api.call(self, "POST", at(project, "/merge_requests/{}/notes", iid), { body = text }, "201")
end

function c:pipelines(project, opts)
  opts = rest.options("gitlab.pipelines", opts, "ref status per_page page")
  return list(self, at(project, "/pipelines"), opts, "ref", "status", "per_page", "page")
end

function c:pipeline(project, id)
  return find(self, at(project, "/pipelines/{}", id))
end

function c:create_pipeline(project, ref, variables)
  return api.call(self, "POST", at(project, "/pipeline"), { ref = rest.need(ref, "gitlab: ref is required"), variables = variables }, "201")
end

function c:retry_pipeline(project, id)
  return api.call(self, "POST", at(project, "/pipelines/{}/retry", id), nil, "201")
end

function c:cancel_pipeline(project, id)
  return api.call(self, "POST", at(project, "/pipelines/{}/cancel", id), nil, "20[01]")
end

-- whole is a list with all of its pages.
local function whole(client, where)
  local out, number = {}, 0
  repeat
    number = number + 1
    local found = get(client, where .. query("per_page", 100, "page", number)) or {}
    table.move(found, 1, #found, #out + 1, out)
  until #found < 100
  return out
end

function c:jobs(project, pipeline_id)
  return whole(self, at(project, "/pipelines/{}/jobs", pipeline_id))
end

function c:job(project, job_id)
  return find(self, at(project, "/jobs/{}", job_id))
end

function c:job_log(project, job_id)
  local where = at(project, "/jobs/{}/trace", job_id)
  return rest.check(api.send(self, "GET", where), "200", "gitlab: GET " .. where).body
end

function c:failed_logs(project, pipeline_id, lines)
  local out = {}
  for _, job in ipairs(self:jobs(project, pipeline_id)) do
    if job.status == "failed" then
      out[#out + 1] = { job = job.name, stage = job.stage, reason = job.failure_reason, log = rest.tail(self:job_log(project, job.id), lines) }
    end
  end
  return out
end

function c:retry_job(project, job_id)
  return api.call(self, "POST", at(project, "/jobs/{}/retry", job_id), nil, "201")
end

function c:play_job(project, job_id)
  return api.call(self, "POST", at(project, "/jobs/{}/play", job_id), nil, "20[01]")
end

function c:test_report(project, pipeline_id)
  return get(self, at(project, "/pipelines/{}/test_report", pipeline_id))
end

function c:releases(project)
  return whole(self, at(project, "/releases"))
end

function c:file(project, file_path, ref)
  local where = at(project, "/repository/files/{}/raw", file_path) .. query("ref", ref)
  local response = api.send(self, "GET", where)
  if response.status == 404 then
    return nil
  end
  return rest.check(response, "200", "gitlab: GET " .. where).body
end

function c:variables(project)
  return whole(self, at(project, "/variables"))
end

return rest.module("gitlab", M, "url string", "opts table: token")
