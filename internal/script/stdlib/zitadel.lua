--- @module assay.zitadel
--- @description Zitadel identity management. Projects, OIDC applications, identity providers, users, domains, login policy.
--- @keywords zitadel, identity, oidc, oauth, sso, login, users, projects, apps, idp, google, iam, authentication, machine-key
--- @synonyms sign-in, signin, user, account, accounts, password, reset, invite, person, people, register, permissions, role, roles, member, organization, oidc-client, mfa, authenticate
--- @asked create a user or a project in the identity provider; register an OIDC application; who may log in; login policy
--- @env ZITADEL_URL, ZITADEL_DOMAIN, ZITADEL_MACHINE_KEY_FILE, ZITADEL_TOKEN
--- @auth { machine_key = {...} } or { machine_key_file = "..." } or { token = "..." }
--- @quickref c:ensure_primary_domain(target_domain) -> bool | Make a domain the primary one of the organisation
--- @quickref c:find_project(name) -> project or nil | Find a project by name
--- @quickref c:create_project(name, fields) -> project | Create a project; fields: of the request
--- @quickref c:ensure_project(name, fields) -> project | Find a project or create it
--- @quickref c:find_app(project_id, name) -> app or nil | Find an app of a project by name
--- @quickref c:create_oidc_app(project_id, opts_app) -> app | Create an OIDC app; opts_app: name, subdomain, callbackPath and fields of the app
--- @quickref c:ensure_oidc_app(project_id, opts_app) -> app | Find an OIDC app or create it
--- @quickref c:find_idp(name) -> idp or nil | Find an identity provider by name
--- @quickref c:ensure_google_idp(opts_idp) -> id or nil | Find Google as identity provider or add it; opts_idp: clientId, clientSecret
--- @quickref c:ensure_oidc_idp(opts_idp) -> id or nil | Add or update an OIDC provider; opts_idp: name, issuer, clientId, clientSecret
--- @quickref c:add_idp_to_login_policy(idp_id) -> bool | Offer an identity provider at login
--- @quickref c:search_users(query) -> [user] | Search users; query is the body of the request
--- @quickref c:update_user_email(user_id, email) -> bool | Set the email of a user, as verified
--- @quickref c:get_login_policy() -> policy or nil | Get the login policy
--- @quickref c:update_login_policy(policy) -> bool | Replace the login policy
--- @quickref c:disable_password_login() -> bool | Let users log in by identity providers only

local rest = require("assay._rest")

local M = {}
local c = {}
c.__index = c

local api = rest.api("zitadel", function(client)
  return {
    Authorization = rest.authorization(client.access_token),
    ["Content-Type"] = "application/json",
    Host = client.host_header,
  }
end)
local path = api.path

local EQUALS = "TEXT_QUERY_METHOD_EQUALS"

-- try is api.call for what may fail: it logs a warning and returns nil then. A status
-- that is tolerated is as good as 200, but has no answer.
local function try(client, verb, where, body, tolerated)
  local response = api.send(client, verb, where, body)
  if response.status == tolerated then
    return {}
  end
  local who = "zitadel: " .. verb .. " " .. where
  local ok, failure = pcall(rest.check, response, "200", who)
  if not ok then
    log.warn(failure)
    return nil
  end
  return rest.parse(response, who) or {}
end

-- login exchanges an assertion signed with a machine's key for an access token (RFC 7523).
local function login(client, key)
  local now = math.floor(time())
  local claims = { iss = key.userId, sub = key.userId, aud = "https://" .. client.host_header, iat = now, exp = now + 300 }
  local assertion = crypto.jwt_sign(claims, key.key, "RS256", { kid = key.keyId })
  local form = rest.query("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer",
    "scope", "openid urn:zitadel:iam:org:project:id:zitadel:aud", "assertion", assertion):sub(2)
  local headers = { ["Content-Type"] = "application/x-www-form-urlencoded", Host = client.host_header }
  local response = rest.request("POST", client.url .. "/oauth/v2/token", headers, form)
  if response.status ~= 200 then
    error("zitadel: token exchange failed (HTTP " .. rest.text(response.status) .. "): " .. response.body, 0)
  end
  return rest.parse(response, "zitadel: POST /oauth/v2/token").access_token
end

function M.client(opts)
  opts = opts or {}
  local key, file, token = opts.machine_key, opts.machine_key_file, opts.token
  if not (key or file or token) then
    file, token = env.get("ZITADEL_MACHINE_KEY_FILE"), env.get("ZITADEL_TOKEN")
  end
  local domain = rest.need(opts.domain or env.get("ZITADEL_DOMAIN"), "zitadel.client: domain is required", "ZITADEL_DOMAIN")
  local client = {
    url = rest.base("zitadel.client", opts.url or env.get("ZITADEL_URL"), "ZITADEL_URL"),
    domain = domain,
    host_header = "auth." .. domain,
  }
  if file and not key then
    key = json.parse(fs.read(file))
  end
  client.access_token = key and login(client, key) or token
  rest.need(client.access_token, "zitadel.client: machine_key, machine_key_file or token is required", "ZITADEL_MACHINE_KEY_FILE")
  return setmetatable(client, c)
end

function c:ensure_primary_domain(target_domain)
  local domains = try(self, "GET", "/admin/v1/orgs/me/domains")
  if not domains then
    return false
  end
  for _, domain in ipairs(domains.result or {}) do
    if domain.domainName == target_domain and domain.isPrimary then
      return true
    end
  end
  local added = try(self, "POST", "/admin/v1/orgs/me/domains", { domain = target_domain }, 409)
  if not added or not try(self, "POST", path("/admin/v1/orgs/me/domains/{}/_set_primary", target_domain), {}) then
    return false
  end
  log.info("zitadel: primary domain is " .. target_domain)
  return true
end

function c:find_project(name)
  local found = try(self, "POST", "/management/v1/projects/_search", {
    queries = { { nameQuery = { name = name, method = EQUALS } } },
  })
  return found and (found.result or {})[1]
end

function c:create_project(name, fields)
  local body = {}
  for field, value in pairs(fields or {}) do
    body[field] = value
  end
  body.name = name
  local project = api.call(self, "POST", "/management/v1/projects", body)
  log.info("zitadel: project " .. name .. " created")
  return project
end

function c:ensure_project(name, fields)
  return self:find_project(name) or self:create_project(name, fields)
end

function c:find_app(project_id, name)
  local where = path("/management/v1/projects/{}/apps/_search", project_id)
  local named = { query = { limit = 100 }, queries = { { nameQuery = { name = name, method = EQUALS } } } }
  -- Some versions refuse the query by name.
  local found = try(self, "POST", where, named) or try(self, "POST", where, { query = { limit = 100 } }) or {}
  for _, app in ipairs(found.result or {}) do
    if app.name == name then
      return app
    end
  end
end

local OIDC_APP = "name subdomain callbackPath redirectUris postLogoutRedirectUris responseTypes grantTypes appType authMethodType"
  .. " accessTokenType devMode clockSkew accessTokenRoleAssertion idTokenRoleAssertion idTokenUserinfoAssertion"

local function oidc_app(domain, opts)
  local function given(field, default)
    if opts[field] == nil then
      return default
    end
    return opts[field]
  end
  local site = "https://" .. (opts.subdomain and opts.subdomain .. "." or "") .. domain
  return {
    name = opts.name,
    redirectUris = given("redirectUris", { site .. (opts.callbackPath or "/") }),
    postLogoutRedirectUris = given("postLogoutRedirectUris", { site .. "/" }),
    responseTypes = given("responseTypes", { "OIDC_RESPONSE_TYPE_CODE" }),
    grantTypes = given("grantTypes", { "OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN" }),
    appType = given("appType", "OIDC_APP_TYPE_WEB"),
    authMethodType = given("authMethodType", "OIDC_AUTH_METHOD_TYPE_BASIC"),
    accessTokenType = given("accessTokenType", "OIDC_TOKEN_TYPE_BEARER"),
    devMode = given("devMode", false),
    clockSkew = given("clockSkew", "0s"),
    accessTokenRoleAssertion = given("accessTokenRoleAssertion", true),
    idTokenRoleAssertion = given("idTokenRoleAssertion", true),
    idTokenUserinfoAssertion = given("idTokenUserinfoAssertion", true),
  }
end

function c:create_oidc_app(project_id, opts_app)
  opts_app = rest.options("zitadel.create_oidc_app", opts_app, OIDC_APP)
  local where = path("/management/v1/projects/{}/apps/oidc", project_id)
  local response = api.send(self, "POST", where, oidc_app(self.domain, opts_app))
  if response.status == 409 then
    return self:find_app(project_id, opts_app.name) or { id = "existing", name = opts_app.name }
  end
  local app = rest.parse(rest.check(response, "200", "zitadel: POST " .. where), "zitadel: POST " .. where)
  log.info("zitadel: app " .. opts_app.name .. " created")
  return app
end

function c:ensure_oidc_app(project_id, opts_app)
  opts_app = rest.options("zitadel.ensure_oidc_app", opts_app, OIDC_APP)
  return self:find_app(project_id, opts_app.name) or self:create_oidc_app(project_id, opts_app)
end

function c:find_idp(name)
  local found = try(self, "POST", "/admin/v1/idps/templates/_search", {
    queries = { { idpNameQuery = { name = name, method = EQUALS } } },
  })
  return found and (found.result or {})[1]
end

local function provider_options(auto_linking)
  return {
    isLinkingAllowed = true,
    isCreationAllowed = true,
    isAutoCreation = true,
    isAutoUpdate = true,
    autoLinking = auto_linking,
  }
end

local function create_idp(client, kind, body)
  local created = try(client, "POST", "/admin/v1/idps/" .. kind, body)
  if not created then
    return nil
  end
  log.info("zitadel: identity provider " .. body.name .. " created")
  return created.idp_id or created.id
end

function c:ensure_google_idp(opts_idp)
  opts_idp = rest.options("zitadel.ensure_google_idp", opts_idp, "name clientId clientSecret scopes providerOptions")
  local name = opts_idp.name or "Google"
  local existing = self:find_idp(name)
  if existing then
    return existing.id
  end
  return create_idp(self, "google", {
    name = name,
    clientId = opts_idp.clientId,
    clientSecret = opts_idp.clientSecret,
    scopes = opts_idp.scopes or { "openid", "email", "profile" },
    providerOptions = opts_idp.providerOptions or provider_options(),
  })
end

function c:ensure_oidc_idp(opts_idp)
  opts_idp = rest.options("zitadel.ensure_oidc_idp", opts_idp,
    "name issuer clientId clientSecret scopes isIdTokenMapping providerOptions")
  local body = {
    name = opts_idp.name,
    issuer = opts_idp.issuer,
    clientId = opts_idp.clientId,
    clientSecret = opts_idp.clientSecret,
    scopes = opts_idp.scopes or { "openid", "email", "profile" },
    isIdTokenMapping = opts_idp.isIdTokenMapping ~= false,
    providerOptions = opts_idp.providerOptions or provider_options("AUTO_LINKING_OPTION_EMAIL"),
  }
  local existing = self:find_idp(opts_idp.name)
  if not existing then
    return create_idp(self, "generic_oidc", body)
  end
  local updated = try(self, "PUT", path("/admin/v1/idps/generic_oidc/{}", existing.id), body)
  return updated and existing.id
end

function c:add_idp_to_login_policy(idp_id)
  local body = { idpId = idp_id, ownerType = "IDPOWNERTYPE_SYSTEM" }
  return try(self, "POST", "/admin/v1/policies/login/idps", body, 409) ~= nil
end

function c:search_users(query)
  return (try(self, "POST", "/management/v1/users/_search", query or {}) or {}).result or {}
end

function c:update_user_email(user_id, email)
  local body = { email = email, isEmailVerified = true }
  return try(self, "PUT", path("/management/v1/users/{}/email", user_id), body) ~= nil
end

function c:get_login_policy()
  return (try(self, "GET", "/admin/v1/policies/login") or {}).policy
end

function c:update_login_policy(policy)
  return try(self, "PUT", "/admin/v1/policies/login", policy) ~= nil
end

-- What a policy says of itself, and lists that have requests of their own.
local read_only = { details = true, isDefault = true, secondFactors = true, multiFactors = true, idps = true }

function c:disable_password_login()
  local policy = self:get_login_policy()
  if not policy then
    return false
  elseif not policy.allowUsernamePassword then
    return true
  end
  local changed = {}
  for field, value in pairs(policy) do
    if not read_only[field] then
      changed[field] = value
    end
  end
  changed.allowUsernamePassword = false
  changed.allowExternalIdp = true
  changed.hidePasswordReset = true
  return self:update_login_policy(changed)
end

return rest.module("zitadel", M, "opts table: domain url machine_key machine_key_file token")
