--- @module assay.harbor
--- @description Harbor container registry. Projects, repositories, artifacts, tags, vulnerability scans, replication.
--- @keywords harbor, registry, container, images, docker, oci, artifacts, tags, vulnerabilities, scan, cve, replication
--- @synonyms image, security, holes, vulnerable, size, quota, delete, cleanup, tag, push, pull, digest, sbom
--- @asked which vulnerabilities has an image; tags of a repository in the registry; delete an artifact; docker images that we host
--- @env HARBOR_URL, HARBOR_API_KEY, HARBOR_USERNAME, HARBOR_PASSWORD
--- @auth { api_key = "..." } or { username = "...", password = "..." }
--- @quickref c:health() -> {status, components} | Get the health of the components
--- @quickref c:system_info() -> {harbor_version, ...} | Get the version and settings of the server
--- @quickref c:statistics() -> {private_project_count, ...} | Count projects and repositories
--- @quickref c:projects(opts) -> [project] | List projects; opts: name, public, page, page_size
--- @quickref c:project(name_or_id) -> project | Get a project
--- @quickref c:repositories(project_name, opts) -> [repo] | List repositories of a project; opts: page, page_size, q
--- @quickref c:repository(project_name, repo_name) -> repo | Get a repository
--- @quickref c:artifacts(project_name, repo_name, opts) -> [artifact] | List artifacts; opts: page, page_size, with_tag, with_scan_overview
--- @quickref c:artifact(project_name, repo_name, reference) -> artifact | Get an artifact by tag or digest
--- @quickref c:artifact_tags(project_name, repo_name, reference) -> [tag] | List the tags of an artifact
--- @quickref c:scan_artifact(project_name, repo_name, reference) -> true | Start a vulnerability scan of an artifact
--- @quickref c:artifact_vulnerabilities(project_name, repo_name, reference) -> {total, fixable, critical, high, medium, low, negligible} or nil | Count the vulnerabilities of an artifact
--- @quickref c:replication_policies() -> [policy] | List replication policies
--- @quickref c:replication_executions(opts) -> [execution] | List replication runs; opts: policy_id
--- @quickref c:is_healthy() -> bool | Are all components healthy
--- @quickref c:image_exists(project_name, repo_name, tag) -> bool | Does an image with this tag exist
--- @quickref c:latest_artifact(project_name, repo_name) -> artifact or nil | Get the newest artifact of a repository

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("harbor", function(client)
  return { Authorization = rest.authorization(client.api_key, client.username, client.password) }
end)
local get, path = api.get, api.path

-- repository_path escapes the slashes in the name of a repository twice, as Harbor
-- wants them. A name with a percent sign was escaped by the caller.
local function repository_path(project_name, repo_name)
  rest.need(repo_name, "harbor: repo_name is required")
  if not repo_name:find("%", 1, true) then
    repo_name = repo_name:gsub("/", "%%252F")
  end
  return path("/api/v2.0/projects/{}/repositories/", project_name) .. rest.still(repo_name, "harbor")
end

local function artifact_path(project_name, repo_name, reference)
  return repository_path(project_name, repo_name) .. path("/artifacts/{}", reference)
end

function M.client(url, opts)
  opts = opts or {
    api_key = env.get("HARBOR_API_KEY"),
    username = env.get("HARBOR_USERNAME"),
    password = env.get("HARBOR_PASSWORD"),
  }
  return setmetatable({
    url = rest.base("harbor.client", url or env.get("HARBOR_URL"), "HARBOR_URL"),
    api_key = opts.api_key,
    username = opts.username,
    password = opts.password,
  }, c)
end

function c:health()
  return get(self, "/api/v2.0/health")
end

function c:system_info()
  return get(self, "/api/v2.0/systeminfo")
end

function c:statistics()
  return get(self, "/api/v2.0/statistics")
end

function c:projects(opts)
  opts = rest.options("harbor.projects", opts, "name public page page_size")
  return get(self, "/api/v2.0/projects" .. query("name", opts.name, "public", opts.public, "page", opts.page,
    "page_size", opts.page_size))
end

function c:project(name_or_id)
  return get(self, path("/api/v2.0/projects/{}", name_or_id))
end

function c:repositories(project_name, opts)
  opts = rest.options("harbor.repositories", opts, "page page_size q")
  return get(self, path("/api/v2.0/projects/{}/repositories", project_name)
    .. query("page", opts.page, "page_size", opts.page_size, "q", opts.q))
end

function c:repository(project_name, repo_name)
  return get(self, repository_path(project_name, repo_name))
end

function c:artifacts(project_name, repo_name, opts)
  opts = rest.options("harbor.artifacts", opts, "page page_size with_tag with_scan_overview")
  return get(self, repository_path(project_name, repo_name) .. "/artifacts" .. query("page", opts.page,
    "page_size", opts.page_size, "with_tag", opts.with_tag, "with_scan_overview", opts.with_scan_overview))
end

function c:artifact(project_name, repo_name, reference)
  return get(self, artifact_path(project_name, repo_name, reference))
end

function c:artifact_tags(project_name, repo_name, reference)
  return get(self, artifact_path(project_name, repo_name, reference) .. "/tags")
end

function c:scan_artifact(project_name, repo_name, reference)
  local response = api.send(self, "POST", artifact_path(project_name, repo_name, reference) .. "/scan", {})
  rest.check(response, "202", "harbor: POST scan")
  return true
end

function c:artifact_vulnerabilities(project_name, repo_name, reference)
  local artifact = get(self, artifact_path(project_name, repo_name, reference) .. query("with_scan_overview", true))
  local kinds = {}
  for kind, overview in pairs(artifact.scan_overview or {}) do
    kinds[#kinds + 1] = overview and kind or nil
  end
  if not kinds[1] then
    return nil
  end
  table.sort(kinds)
  local summary = artifact.scan_overview[kinds[1]].summary or {}
  local counts = summary.summary or {}
  return {
    total = summary.total or 0,
    fixable = summary.fixable or 0,
    critical = counts.Critical or 0,
    high = counts.High or 0,
    medium = counts.Medium or 0,
    low = counts.Low or 0,
    negligible = counts.Negligible or 0,
  }
end

function c:replication_policies()
  return get(self, "/api/v2.0/replication/policies")
end

function c:replication_executions(opts)
  opts = rest.options("harbor.replication_executions", opts, "policy_id")
  return get(self, "/api/v2.0/replication/executions" .. query("policy_id", opts.policy_id))
end

function c:is_healthy()
  local components = self:health().components or {}
  for _, component in ipairs(components) do
    if component.status ~= "healthy" then
      return false
    end
  end
  return #components > 0
end

function c:image_exists(project_name, repo_name, tag)
  return api.send(self, "GET", artifact_path(project_name, repo_name, tag)).status == 200
end

function c:latest_artifact(project_name, repo_name)
  return (self:artifacts(project_name, repo_name, { page_size = 1 }) or {})[1]
end

return rest.module("harbor", M, "url string", "opts table: api_key username password")
