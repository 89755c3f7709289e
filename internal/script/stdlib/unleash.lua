--- @module assay.unleash
--- @description Unleash feature flags. Projects, environments, features, toggle on and off, strategies, API tokens.
--- @keywords unleash, feature, flags, flag, feature-flags, toggle, toggles, rollout, strategies, environments, tokens, experiment
--- @synonyms switch, switched, on, off, enable, disable, percent, percentage, users, canary, gradual, a-b-test, behaviour, behavior, variant, release, archive, kill-switch, show, new, roll-out
--- @asked turn a flag off in production; is a feature enabled; create a feature flag; add a strategy
--- @env UNLEASH_URL, UNLEASH_TOKEN
--- @auth { token = "..." }
--- @quickref M.wait(url, opts) -> true | Wait until the server answers; opts: timeout, interval
--- @quickref M.ensure_project(client, project_id, opts) -> project | Create a project if missing; opts: name, description
--- @quickref M.ensure_environment(client, project_id, env_name) -> true | Enable an environment in a project if it is not
--- @quickref M.ensure_token(client, opts) -> token | Create an API token if missing; opts: tokenName, type, environment, projects
--- @quickref c:health() -> {health} | Get the health of the server
--- @quickref c:projects() -> [project] | List projects
--- @quickref c:project(id) -> project or nil | Get a project
--- @quickref c:create_project(project) -> project | Create a project
--- @quickref c:update_project(id, project) -> project or nil | Update a project
--- @quickref c:delete_project(id) -> nil | Delete a project
--- @quickref c:environments() -> [environment] | List environments
--- @quickref c:enable_environment(project_id, env_name) -> nil | Enable an environment in a project
--- @quickref c:disable_environment(project_id, env_name) -> nil | Disable an environment in a project
--- @quickref c:features(project_id) -> [feature] | List feature flags of a project
--- @quickref c:feature(project_id, name) -> feature or nil | Get a feature flag
--- @quickref c:create_feature(project_id, feature) -> feature | Create a feature flag
--- @quickref c:update_feature(project_id, name, feature) -> feature | Update a feature flag
--- @quickref c:archive_feature(project_id, name) -> nil | Archive a feature flag
--- @quickref c:toggle_on(project_id, name, env) -> nil | Switch a feature flag on in an environment
--- @quickref c:toggle_off(project_id, name, env) -> nil | Switch a feature flag off in an environment
--- @quickref c:strategies(project_id, feature_name, env) -> [strategy] | List strategies of a feature flag
--- @quickref c:add_strategy(project_id, feature_name, env, strategy) -> strategy | Add a strategy to a feature flag
--- @quickref c:tokens() -> [token] | List API tokens
--- @quickref c:create_token(token_config) -> token | Create an API token
--- @quickref c:delete_token(secret) -> nil | Delete an API token

local rest = require("assay._rest")

local M = {}
local c = {}
c.__index = c

local api = rest.api("unleash", function(client)
  return { Authorization = client.token }
end)
local find, path = api.find, api.path

local function post(client, where, body)
  return api.call(client, "POST", where, body, "20[01]")
end

local function put(client, where, body)
  return api.call(client, "PUT", where, body)
end

local function delete(client, where)
  api.call(client, "DELETE", where, nil, "20[02]") -- archiving is accepted, not done
end

-- member is a list within an answer.
local function member(client, where, name)
  return (find(client, where) or {})[name] or {}
end

function M.client(url, opts)
  return setmetatable({
    url = rest.base("unleash.client", url or env.get("UNLEASH_URL"), "UNLEASH_URL"),
    token = (opts or { token = env.get("UNLEASH_TOKEN") }).token,
  }, c)
end

function M.wait(url, opts)
  opts = rest.options("unleash.wait", opts, "timeout interval")
  return rest.reached("unleash.wait", rest.base("unleash.wait", url or env.get("UNLEASH_URL"), "UNLEASH_URL"), "/health", opts)
end

function M.ensure_project(client, project_id, opts)
  opts = rest.options("unleash.ensure_project", opts, "name description")
  return client:project(project_id)
    or client:create_project({ id = project_id, name = opts.name or project_id, description = opts.description })
end

function M.ensure_environment(client, project_id, env_name)
  local ok, failure = pcall(client.enable_environment, client, project_id, env_name)
  failure = tostring(failure)
  if not ok and not (failure:find("HTTP 409", 1, true) or failure:lower():find("already", 1, true)) then
    error(failure, 0)
  end
  return true
end

-- Unleash used to call the name of a token username. ensure_token takes either, finds
-- either, and sends tokenName: a server refuses both at once.
function M.ensure_token(client, opts)
  opts = rest.options("unleash.ensure_token", opts, "tokenName username type environment projects")
  local name = rest.need(opts.tokenName or opts.username, "unleash.ensure_token: tokenName is required")
  rest.need(opts.type, "unleash.ensure_token: type is required")
  for _, token in ipairs(client:tokens()) do
    local same = (token.tokenName or token.username) == name and tostring(token.type):lower() == opts.type:lower()
    if same and (not opts.environment or token.environment == opts.environment) then
      return token
    end
  end
  return client:create_token({
    tokenName = name,
    type = opts.type,
    environment = opts.environment,
    projects = opts.projects,
  })
end

function c:health()
  return find(self, "/health")
end

function c:projects()
  return member(self, "/api/admin/projects", "projects")
end

function c:project(id)
  return find(self, path("/api/admin/projects/{}", id))
end

function c:create_project(project)
  return post(self, "/api/admin/projects", project)
end

function c:update_project(id, project)
  return put(self, path("/api/admin/projects/{}", id), project)
end

function c:delete_project(id)
  delete(self, path("/api/admin/projects/{}", id))
end

function c:environments()
  return member(self, "/api/admin/environments", "environments")
end

function c:enable_environment(project_id, env_name)
  post(self, path("/api/admin/projects/{}/environments", project_id), { environment = env_name })
end

function c:disable_environment(project_id, env_name)
  delete(self, path("/api/admin/projects/{}/environments/{}", project_id, env_name))
end

function c:features(project_id)
  return member(self, path("/api/admin/projects/{}/features", project_id), "features")
end

function c:feature(project_id, name)
  return find(self, path("/api/admin/projects/{}/features/{}", project_id, name))
end

function c:create_feature(project_id, feature)
  return post(self, path("/api/admin/projects/{}/features", project_id), feature)
end

function c:update_feature(project_id, name, feature)
  return put(self, path("/api/admin/projects/{}/features/{}", project_id, name), feature)
end

function c:archive_feature(project_id, name)
  delete(self, path("/api/admin/projects/{}/features/{}", project_id, name))
end

function c:toggle_on(project_id, name, env)
  post(self, path("/api/admin/projects/{}/features/{}/environments/{}/on", project_id, name, env), {})
end

function c:toggle_off(project_id, name, env)
  post(self, path("/api/admin/projects/{}/features/{}/environments/{}/off", project_id, name, env), {})
end

local function strategies_path(project_id, feature_name, env)
  return path("/api/admin/projects/{}/features/{}/environments/{}/strategies", project_id, feature_name, env)
end

function c:strategies(project_id, feature_name, env)
  local found = find(self, strategies_path(project_id, feature_name, env)) or {}
  return found.strategies or found
end

function c:add_strategy(project_id, feature_name, env, strategy)
  return post(self, strategies_path(project_id, feature_name, env), strategy)
end

function c:tokens()
  return member(self, "/api/admin/api-tokens", "tokens")
end

function c:create_token(token_config)
  return post(self, "/api/admin/api-tokens", token_config)
end

function c:delete_token(secret)
  local response = api.send(self, "DELETE", path("/api/admin/api-tokens/{}", secret))
  rest.check(response, "20[02]", "unleash: DELETE /api/admin/api-tokens/...") -- the path ends in the secret
end

return rest.module("unleash", M, "url string", "opts table: token")
