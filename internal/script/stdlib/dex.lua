--- @module assay.dex
--- @description Dex OpenID Connect provider. Discovery, keys, scopes, grant types, health and configuration checks.
--- @keywords dex, oidc, openid, identity, sso, login, discovery, jwks, authentication, oauth, scopes
--- @synonyms sign-in, single-sign-on, signin, provider, token, keys, federation, connectors, ldap, identity-provider
--- @asked which scopes does the identity provider support; the keys of the issuer; is single sign-on configured; discovery document
--- @env DEX_URL
--- @quickref M.discovery(url) -> {issuer, endpoints...} | Get the OpenID Connect discovery document
--- @quickref M.jwks(url) -> {keys} | Get the keys that sign tokens
--- @quickref M.issuer(url) -> string | Get the issuer
--- @quickref M.health(url) -> bool | Is the server healthy
--- @quickref M.ready(url) -> bool | Is the server ready
--- @quickref M.has_endpoint(url, endpoint_name) -> bool | Does the discovery document have an endpoint
--- @quickref M.supported_scopes(url) -> [string] | List the scopes
--- @quickref M.supported_response_types(url) -> [string] | List the response types
--- @quickref M.supported_grant_types(url) -> [string] | List the grant types
--- @quickref M.supports_scope(url, scope) -> bool | Is a scope supported
--- @quickref M.supports_grant_type(url, grant_type) -> bool | Is a grant type supported
--- @quickref M.validate_config(url) -> {ok, errors} | Check the discovery document for what clients need
--- @quickref M.admin_version(url) -> version or nil | Get the version of the server

-- Without a url every function uses DEX_URL.

local rest = require("assay._rest")

local M = {}

local function base(fn, url)
  return rest.base("dex." .. fn, url or env.get("DEX_URL"), "DEX_URL")
end

local function discover(fn, url)
  return rest.ask("dex." .. fn .. ":", "GET", base(fn, url) .. "/.well-known/openid-configuration") or {}
end

local function healthy(fn, url)
  return http.get(base(fn, url) .. "/healthz").status == 200
end

local function has(list, wanted)
  for _, value in ipairs(list or {}) do
    if value == wanted then
      return true
    end
  end
  return false
end

function M.discovery(url)
  return discover("discovery", url)
end

function M.jwks(url)
  local address = rest.need(discover("jwks", url).jwks_uri, "dex.jwks: discovery has no jwks_uri")
  return rest.ask("dex.jwks:", "GET", address)
end

function M.issuer(url)
  return discover("issuer", url).issuer
end

function M.health(url)
  return healthy("health", url)
end

function M.ready(url)
  return healthy("ready", url)
end

function M.has_endpoint(url, endpoint_name)
  return not not discover("has_endpoint", url)[endpoint_name]
end

function M.supported_scopes(url)
  return discover("supported_scopes", url).scopes_supported or {}
end

function M.supported_response_types(url)
  return discover("supported_response_types", url).response_types_supported or {}
end

function M.supported_grant_types(url)
  return discover("supported_grant_types", url).grant_types_supported or {}
end

function M.supports_scope(url, scope)
  return has(discover("supports_scope", url).scopes_supported, scope)
end

function M.supports_grant_type(url, grant_type)
  return has(discover("supports_grant_type", url).grant_types_supported, grant_type)
end

function M.validate_config(url)
  local issuer = base("validate_config", url)
  local ok, found = pcall(discover, "validate_config", issuer)
  if not ok then
    return { ok = false, errors = { tostring(found) } }
  end
  local errors = {}
  for _, field in ipairs({ "issuer", "authorization_endpoint", "token_endpoint", "jwks_uri" }) do
    if not found[field] then
      errors[#errors + 1] = field .. " is missing"
    end
  end
  if found.issuer and found.issuer ~= issuer then
    errors[#errors + 1] = "issuer is " .. tostring(found.issuer) .. ", expected " .. issuer
  end
  return { ok = #errors == 0, errors = errors }
end

function M.admin_version(url)
  local ok, version = pcall(function()
    return rest.ask("dex.admin_version:", "GET", base("admin_version", url) .. "/api/v1/version")
  end)
  return ok and version or nil
end

return M
