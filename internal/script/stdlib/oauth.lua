--- @module assay.oauth
--- @description OAuth 2 access tokens: client credentials, refreshing, and the code of a device that a person confirms.
--- @keywords oauth, oauth2, token, access-token, client-credentials, refresh-token, device-code, oidc, bearer, authorization
--- @synonyms login, log-in, sign-in, authenticate, machine, obtain, get, renew, expired, credentials, grant
--- @asked get an access token for a machine; decode a JWT without verifying its signature; when does a token expire; client credentials grant; refresh an expired token; log in with the code of a device
--- @env OAUTH_TOKEN_URL, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET
--- @quickref M.client_credentials(opts) -> {access_token, token_type, expires_in, expires_at} | Get a token for a program; opts: token_url, client_id, client_secret, scope, audience, in_body
--- @quickref M.refresh(opts) -> {access_token, refresh_token, expires_at} | Get a new token for a refresh token; opts: refresh_token, token_url, client_id, client_secret, scope, in_body
--- @quickref M.device_code(opts) -> {access_token, refresh_token, expires_at} | Show a code, and wait until a person confirms it; opts: device_url, token_url, client_id, client_secret, scope, show
--- @quickref M.claims(token) -> claims, header | Decode a JSON web token without verifying it; crypto.jwt_verify verifies

local rest = require("assay._rest")

local M = {}

-- client is the address and the identity that every request for a token needs.
local function client(who, opts)
  return {
    url = rest.need(opts.token_url or env.get("OAUTH_TOKEN_URL"), who .. ": token_url is required", "OAUTH_TOKEN_URL"),
    id = rest.need(opts.client_id or env.get("OAUTH_CLIENT_ID"), who .. ": client_id is required", "OAUTH_CLIENT_ID"),
    secret = opts.client_secret or env.get("OAUTH_CLIENT_SECRET"),
    in_body = opts.in_body,
  }
end

-- asked sends a form, and returns the answer and its error, which RFC 6749 has in the body.
local function asked(who, c, url, form)
  local options = { form = form }
  if c.secret and not c.in_body then
    options.auth = { username = rest.escape(c.id), password = rest.escape(c.secret) }
  else
    form.client_id, form.client_secret = c.id, c.secret
  end
  local response = http.post(url, nil, options)
  local ok, answer = pcall(json.parse, response.body)
  if not ok or type(answer) ~= "table" then
    error(who .. ": HTTP " .. response.status .. ": the answer is not JSON", 0)
  end
  local failure = answer.error or response.status ~= 200 and "HTTP " .. response.status
  return answer, failure or nil
end

local function fail(who, answer, failure)
  error(who .. ": " .. failure .. (answer.error_description and ": " .. answer.error_description or ""), 0)
end

local function token(who, c, form)
  local answer, failure = asked(who, c, c.url, form)
  if failure then
    fail(who, answer, failure)
  end
  rest.need(answer.access_token, who .. ": the answer has no access_token")
  answer.expires_at = answer.expires_in and math.floor(time()) + answer.expires_in or nil
  return answer
end

function M.client_credentials(opts)
  local who = "oauth.client_credentials"
  opts = rest.options(who, opts, "token_url client_id client_secret scope audience in_body")
  local c = client(who, opts)
  rest.need(c.secret, who .. ": client_secret is required", "OAUTH_CLIENT_SECRET")
  return token(who, c, { grant_type = "client_credentials", scope = opts.scope, audience = opts.audience })
end

function M.refresh(opts)
  local who = "oauth.refresh"
  opts = rest.options(who, opts, "refresh_token token_url client_id client_secret scope in_body")
  local refresh_token = rest.need(opts.refresh_token, who .. ": refresh_token is required")
  local answer = token(who, client(who, opts), { grant_type = "refresh_token", refresh_token = refresh_token, scope = opts.scope })
  answer.refresh_token = answer.refresh_token or refresh_token -- a server may keep the old one
  return answer
end

-- device_code is RFC 8628: the person opens an address and enters a code.
function M.device_code(opts)
  local who = "oauth.device_code"
  opts = rest.options(who, opts, "device_url token_url client_id client_secret scope in_body show")
  local c = client(who, opts)
  local device, failure = asked(who, c, rest.need(opts.device_url, who .. ": device_url is required"), { scope = opts.scope })
  if failure then
    fail(who, device, failure)
  end
  rest.need(device.device_code, who .. ": the answer has no device_code")
  rest.need(device.user_code, who .. ": the answer has no user_code")
  local show = opts.show or function(d) log.info("open " .. d.verification_uri .. " and enter " .. d.user_code) end
  show(device)
  local interval, deadline = device.interval or 5, time() + (device.expires_in or 600)
  while time() < deadline do
    sleep(interval)
    local answer
    answer, failure = asked(who, c, c.url, { grant_type = "urn:ietf:params:oauth:grant-type:device_code", device_code = device.device_code })
    if not failure then
      rest.need(answer.access_token, who .. ": the answer has no access_token")
      answer.expires_at = answer.expires_in and math.floor(time()) + answer.expires_in or nil
      return answer
    elseif failure == "slow_down" then
      interval = interval + 5
    elseif failure ~= "authorization_pending" then
      fail(who, answer, failure)
    end
  end
  error(who .. ": nobody confirmed the code " .. device.user_code, 0)
end

function M.claims(token)
  local header, claims = tostring(token):match("^([%w_-]+)%.([%w_-]+)%.[%w_-]*$")
  local function decoded(part)
    part = part:gsub("-", "+"):gsub("_", "/")
    return json.parse(base64.decode(part .. ("="):rep(-#part % 4)))
  end
  local ok, read, head = pcall(function()
    return decoded(claims), decoded(header)
  end)
  if not ok then
    error("oauth.claims: the token is no JSON web token of three parts", 0)
  end
  return read, head
end

return M
