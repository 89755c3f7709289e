--- @module assay.argocd
--- @description Argo CD applications. Health, sync, rollback, refresh, resources, projects, repositories and clusters.
--- @keywords argocd, argo-cd, gitops, applications, deployment, sync, rollback, health, kubernetes, continuous-delivery
--- @synonyms rollout, rolled-out, release, deploy, redeploy, revert, undo, drift, out-of-sync, version, revision, app
--- @asked deploy the newest commit again; why is an application out of sync; go back to the version before; what is different between git and the cluster
--- @env ARGOCD_URL, ARGOCD_AUTH_TOKEN, ARGOCD_USERNAME, ARGOCD_PASSWORD
--- @auth { token = "..." } or { username = "...", password = "..." }
--- @quickref c:applications(opts) -> [app] | List applications; opts: project, selector
--- @quickref c:application(name) -> app | Get an application
--- @quickref c:app_health(name) -> {status, sync, message} | Get the health and sync status of an application
--- @quickref c:sync(name, opts) -> app | Sync an application; opts: revision, prune, dry_run, strategy
--- @quickref c:refresh(name, opts) -> app | Compare an application with its repository again; opts: type (normal or hard)
--- @quickref c:rollback(name, id) -> app | Roll an application back to a deployment in its history
--- @quickref c:app_resources(name) -> resource_tree | Get the tree of an application's resources
--- @quickref c:app_manifests(name, opts) -> manifests | Get the manifests of an application; opts: revision
--- @quickref c:delete_app(name, opts) -> result or nil | Delete an application; opts: cascade, propagation_policy
--- @quickref c:projects() -> [project] | List projects
--- @quickref c:project(name) -> project | Get a project
--- @quickref c:repositories() -> [repo] | List repositories
--- @quickref c:repository(repo_url) -> repo | Get a repository by its URL
--- @quickref c:clusters() -> [cluster] | List clusters
--- @quickref c:cluster(server_url) -> cluster | Get a cluster by the URL of its API server
--- @quickref c:settings() -> settings | Get the settings of the server
--- @quickref c:version() -> version | Get the version of the server
--- @quickref c:is_healthy(name) -> bool | Is an application healthy
--- @quickref c:is_synced(name) -> bool | Is an application in sync with its repository
--- @quickref c:wait_healthy(name, timeout_secs) -> true | Wait until an application is healthy
--- @quickref c:wait_synced(name, timeout_secs) -> true | Wait until an application is in sync

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("argocd", function(client)
  return { Authorization = rest.authorization(client.token), ["Content-Type"] = "application/json" }
end)
local path = api.path

-- call logs in before the first request: Argo CD takes a name and a password only in
-- exchange for the token of a session.
local function call(client, verb, where, body)
  if not client.token and client.username and client.password then
    local session = { url = client.url }
    client.token = api.call(session, "POST", "/api/v1/session", { username = client.username, password = client.password }).token
  end
  return api.call(client, verb, where, body)
end

local function get(client, where)
  return call(client, "GET", where)
end

local function items(client, where)
  return (get(client, where) or {}).items or {}
end

function M.client(url, opts)
  opts = opts or { token = env.get("ARGOCD_AUTH_TOKEN"), username = env.get("ARGOCD_USERNAME"), password = env.get("ARGOCD_PASSWORD") }
  return setmetatable({
    url = rest.base("argocd.client", url or env.get("ARGOCD_URL"), "ARGOCD_URL"),
    token = opts.token,
    username = opts.username,
    password = opts.password,
  }, c)
end

function c:applications(opts)
  opts = rest.options("argocd.applications", opts, "project selector")
  return items(self, "/api/v1/applications" .. query("project", opts.project, "selector", opts.selector))
end

function c:application(name)
  return get(self, path("/api/v1/applications/{}", name))
end

function c:app_health(name)
  local status = self:application(name).status or {}
  local health, sync = status.health or {}, status.sync or {}
  return { status = health.status, sync = sync.status, message = health.message }
end

function c:sync(name, opts)
  opts = rest.options("argocd.sync", opts, "revision prune dry_run strategy")
  local body = { revision = opts.revision, prune = opts.prune, dryRun = opts.dry_run, strategy = opts.strategy }
  return call(self, "POST", path("/api/v1/applications/{}/sync", name), body)
end

function c:refresh(name, opts)
  opts = rest.options("argocd.refresh", opts, "type")
  return get(self, path("/api/v1/applications/{}", name) .. query("refresh", opts.type or "normal"))
end

function c:rollback(name, id)
  return call(self, "PUT", path("/api/v1/applications/{}/rollback", name), { id = id })
end

function c:app_resources(name)
  return get(self, path("/api/v1/applications/{}/resource-tree", name))
end

function c:app_manifests(name, opts)
  opts = rest.options("argocd.app_manifests", opts, "revision")
  return get(self, path("/api/v1/applications/{}/manifests", name) .. query("revision", opts.revision))
end

function c:delete_app(name, opts)
  opts = rest.options("argocd.delete_app", opts, "cascade propagation_policy")
  local options = query("cascade", opts.cascade, "propagationPolicy", opts.propagation_policy)
  return call(self, "DELETE", path("/api/v1/applications/{}", name) .. options)
end

function c:projects()
  return items(self, "/api/v1/projects")
end

function c:project(name)
  return get(self, path("/api/v1/projects/{}", name))
end

function c:repositories()
  return items(self, "/api/v1/repositories")
end

function c:repository(repo_url)
  return get(self, "/api/v1/repositories/" .. rest.escape(rest.need(repo_url, "argocd: repo_url is required")))
end

function c:clusters()
  return items(self, "/api/v1/clusters")
end

function c:cluster(server_url)
  return get(self, "/api/v1/clusters/" .. rest.escape(rest.need(server_url, "argocd: server_url is required")))
end

function c:settings()
  return get(self, "/api/v1/settings")
end

function c:version()
  return get(self, "/api/version")
end

function c:is_healthy(name)
  return self:app_health(name).status == "Healthy"
end

function c:is_synced(name)
  return self:app_health(name).sync == "Synced"
end

local function wait(name, timeout, state, check)
  return rest.poll(timeout or 300, 2, check) or error("argocd: timeout waiting for " .. name .. " to become " .. state, 0)
end

function c:wait_healthy(name, timeout_secs)
  return wait(name, timeout_secs, "healthy", function()
    return self:is_healthy(name)
  end)
end

function c:wait_synced(name, timeout_secs)
  return wait(name, timeout_secs, "synced", function()
    return self:is_synced(name)
  end)
end

return rest.module("argocd", M, "url string", "opts table: token username password")
