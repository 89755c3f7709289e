--- @module assay.github
--- @description GitHub repositories. Issues, pull requests, workflow runs, releases, files, statuses of commits, search.
--- @keywords github, repository, repo, issues, issue, pull-request, pulls, merge, workflow, actions, ci, releases, commit, git, code-review
--- @synonyms ticket, bug, task, approve, review, build, test, tests, status, checks, run, publish, branch, tag, release-notes, comment, file, contents, failed
--- @asked open an issue for a bug; comment on a pull request; merge a PR; start a workflow of Actions again; latest release; which checks failed, and why
--- @env GITHUB_API_URL, GITHUB_TOKEN
--- @auth { token = "..." }
--- @quickref c:user() -> user | Get the user of the token
--- @quickref c:repo(owner, repo) -> repo or nil | Get a repository
--- @quickref c:repos(owner, opts) -> [repo] | List repositories of a user or organization; opts: type, sort, per_page, page
--- @quickref c:issues(owner, repo, opts) -> [issue] | List issues and pull requests; opts: state, labels, assignee, since, per_page, page
--- @quickref c:issue(owner, repo, number) -> issue or nil | Get an issue
--- @quickref c:create_issue(owner, repo, issue) -> issue | Open an issue: {title, body, labels, assignees}
--- @quickref c:update_issue(owner, repo, number, issue) -> issue | Change or close an issue: {state, title, labels}
--- @quickref c:comment(owner, repo, number, text) -> comment | Comment on an issue or pull request
--- @quickref c:pulls(owner, repo, opts) -> [pull] | List pull requests; opts: state, head, base, sort, per_page, page
--- @quickref c:pull(owner, repo, number) -> pull or nil | Get a pull request
--- @quickref c:merge(owner, repo, number, opts) -> {sha, merged} | Merge a pull request; opts: merge_method, commit_title, sha
--- @quickref c:workflow_runs(owner, repo, opts) -> {total_count, workflow_runs} | List workflow runs; opts: workflow (id or file name), branch, status, event, head_sha, per_page, page
--- @quickref c:workflow_run(owner, repo, run_id) -> run or nil | Get a workflow run: status, conclusion
--- @quickref c:jobs(owner, repo, run_id) -> [job] | List all jobs of a workflow run and their steps
--- @quickref c:job_log(owner, repo, job_id) -> string or nil | Get the log of a job
--- @quickref c:failed_logs(owner, repo, run_id, lines) -> [{job, step, log}] | Get the end of the log, 100 lines unless you say, of each job that failed
--- @quickref c:dispatch_workflow(owner, repo, workflow, ref, inputs) -> nil | Start a workflow, by its id or file name, on a branch or tag
--- @quickref c:rerun(owner, repo, run_id, failed) -> nil | Run a workflow run again, with failed = true only the jobs that failed
--- @quickref c:cancel_run(owner, repo, run_id) -> nil | Cancel a workflow run
--- @quickref c:releases(owner, repo, opts) -> [release] | List releases; opts: per_page, page
--- @quickref c:latest_release(owner, repo) -> release or nil | Get the latest release
--- @quickref c:create_release(owner, repo, release) -> release | Publish a release: {tag_name, name, body, draft, prerelease}
--- @quickref c:file(owner, repo, file_path, ref) -> string or nil | Get the content of a file, at a branch, tag or commit
--- @quickref c:commit_status(owner, repo, ref) -> {state, statuses} | Get the combined status of a commit
--- @quickref c:search_issues(q, opts) -> {total_count, items} | Search issues and pull requests; opts: sort, per_page, page

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("github", function(client)
  return {
    Accept = "application/vnd.github+json",
    Authorization = rest.authorization(client.token),
    ["X-GitHub-Api-Version"] = "2022-11-28",
  }
end)
local get, find, path = api.get, api.find, api.path

local function at(owner, repo, pattern, ...)
  return path("/repos/{}/{}", owner, repo) .. path(pattern or "", ...)
end

-- page is the parameters that all lists have, after those of one.
local function page(opts, ...)
  local extra = query("per_page", opts.per_page, "page", opts.page)
  local own = query(...)
  return own == "" and extra or own .. extra:gsub("^%?", "&")
end

function M.client(url, opts)
  return setmetatable({
    url = rest.base("github.client", url or env.get("GITHUB_API_URL") or "https://api.github.com"),
    token = (opts or { token = env.get("GITHUB_TOKEN") }).token,
  }, c)
end

function c:user()
  return get(self, "/user")
end

function c:repo(owner, repo)
  return find(self, at(owner, repo))
end

function c:repos(owner, opts)
  opts = rest.options("github.repos", opts, "type sort per_page page")
  return get(self, path("/users/{}/repos", owner) .. page(opts, "type", opts.type, "sort", opts.sort))
end

function c:issues(owner, repo, opts)
  opts = rest.options("github.issues", opts, "state labels assignee since per_page page")
  return get(self, at(owner, repo, "/issues")
    .. page(opts, "state", opts.state, "labels", opts.labels, "assignee", opts.assignee, "since", opts.since))
end

function c:issue(owner, repo, number)
  return find(self, at(owner, repo, "/issues/{}", number))
end

function c:create_issue(owner, repo, issue)
  return api.call(self, "POST", at(owner, repo, "/issues"), issue, "201")
end

function c:update_issue(owner, repo, number, issue)
  return api.call(self, "PATCH", at(owner, repo, "/issues/{}", number), issue)
end

function c:comment(owner, repo, number, text)
  return api.call(self, "POST", at(owner, repo, "/issues/{}/comments", number), { body = text }, "201")
end

function c:pulls(owner, repo, opts)
  opts = rest.options("github.pulls", opts, "state head base sort per_page page")
  return get(self, at(owner, repo, "/pulls")
    .. page(opts, "state", opts.state, "head", opts.head, "base", opts.base, "sort", opts.sort))
end

function c:pull(owner, repo, number)
  return find(self, at(owner, repo, "/pulls/{}", number))
end

function c:merge(owner, repo, number, opts)
  opts = rest.options("github.merge", opts, "merge_method commit_title commit_message sha")
  return api.call(self, "PUT", at(owner, repo, "/pulls/{}/merge", number), opts)
end

function c:workflow_runs(owner, repo, opts)
  opts = rest.options("github.workflow_runs", opts, "workflow branch status event head_sha per_page page")
  local where = opts.workflow and at(owner, repo, "/actions/workflows/{}/runs", opts.workflow) or at(owner, repo, "/actions/runs")
  return get(self, where .. page(opts, "branch", opts.branch, "status", opts.status, "event", opts.event, "head_sha", opts.head_sha))
end

function c:workflow_run(owner, repo, run_id)
  return find(self, at(owner, repo, "/actions/runs/{}", run_id))
end

function c:jobs(owner, repo, run_id)
  local out, number = {}, 0
  repeat
    number = number + 1
    local found = get(self, at(owner, repo, "/actions/runs/{}/jobs", run_id) .. page({ per_page = 100, page = number })).jobs or {}
    table.move(found, 1, #found, #out + 1, out)
  until #found < 100
  return out
end

function c:job_log(owner, repo, job_id)
  local where = at(owner, repo, "/actions/jobs/{}/logs", job_id)
  local response = api.send(self, "GET", where)
  if response.status == 404 then
    return nil
  end
  return rest.check(response, "200", "github: GET " .. where).body
end

function c:failed_logs(owner, repo, run_id, lines)
  local out = {}
  for _, job in ipairs(self:jobs(owner, repo, run_id)) do
    if job.conclusion == "failure" then
      local step
      for _, s in ipairs(job.steps or {}) do
        step = step or s.conclusion == "failure" and s.name or nil
      end
      out[#out + 1] = { job = job.name, step = step, log = rest.tail(self:job_log(owner, repo, job.id) or "", lines) }
    end
  end
  return out
end

function c:dispatch_workflow(owner, repo, workflow, ref, inputs)
  local where = at(owner, repo, "/actions/workflows/{}/dispatches", workflow)
  api.call(self, "POST", where, { ref = rest.need(ref, "github: ref is required"), inputs = inputs }, "20[04]")
end

function c:rerun(owner, repo, run_id, failed)
  api.call(self, "POST", at(owner, repo, "/actions/runs/{}/rerun", run_id) .. (failed and "-failed-jobs" or ""), nil, "201")
end

function c:cancel_run(owner, repo, run_id)
  api.call(self, "POST", at(owner, repo, "/actions/runs/{}/cancel", run_id), nil, "202")
end

function c:releases(owner, repo, opts)
  opts = rest.options("github.releases", opts, "per_page page")
  return get(self, at(owner, repo, "/releases") .. page(opts))
end

function c:latest_release(owner, repo)
  return find(self, at(owner, repo, "/releases/latest"))
end

function c:create_release(owner, repo, release)
  return api.call(self, "POST", at(owner, repo, "/releases"), release, "201")
end

function c:file(owner, repo, file_path, ref)
  local where = at(owner, repo, "/contents/") .. rest.still(rest.elements(rest.need(file_path, "github: file_path is required")), "github")
  local found = find(self, where .. query("ref", ref))
  return found and base64.decode((found.content:gsub("%s", "")))
end

function c:commit_status(owner, repo, ref)
  return get(self, at(owner, repo, "/commits/{}/status", ref))
end

function c:search_issues(q, opts)
  opts = rest.options("github.search_issues", opts, "sort per_page page")
  return get(self, "/search/issues" .. page(opts, "q", q, "sort", opts.sort))
end

return rest.module("github", M, "url string", "opts table: token")
