-- What the modules over the Kubernetes API share: the server, its objects and their
-- conditions. It belongs to them alone and is no module of its own.

local rest = require("assay._rest")

local kube = {}

local ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount/"
local transport

-- transport is an HTTP client that also trusts the authority of the cluster whose pod
-- this is. There is one, so that connections are used again.
function kube.transport()
  if not transport then
    local ok, client = pcall(http.client, { ca_cert_file = ACCOUNT .. "ca.crt" })
    transport = ok and client or http.client()
  end
  return transport
end

-- server is the address of the API server from within a pod.
function kube.server(name, host, port)
  rest.need(host, name .. ": not running in a Kubernetes pod (KUBERNETES_SERVICE_HOST not set)")
  if host:find(":", 1, true) and host:sub(1, 1) ~= "[" then
    host = "[" .. host .. "]"
  end
  return "https://" .. host .. ":" .. (port or "443")
end

-- account_token is the token of the pod's service account, nil outside of pods. It is
-- read anew each time: the cluster rotates it.
function kube.account_token()
  local ok, token = pcall(fs.read, ACCOUNT .. "token")
  return ok and token:match("^%s*(.-)%s*$") or nil
end

-- client makes an object of a class. Without an address it talks to the server of the
-- pod, as the pod's service account; to another it shows only the token it was given,
-- which is a string or a table's token.
function kube.client(name, class, url, token, host, port)
  if type(token) == "table" then
    token = token.token
  end
  local c = { token = token, in_pod = not url, via = kube.transport() }
  c.url = url and rest.base(name .. ".client", url) or kube.server(name, host, port)
  return setmetatable(c, class)
end

-- served is the version of a group to ask for, by the answer about that group: version, if
-- that is served or nothing is known, or else the preferred one.
function kube.served(response, version)
  local ok, group = pcall(json.parse, response.body)
  if response.status ~= 200 or not ok or type(group) ~= "table" then
    return version
  end
  for _, one in ipairs(group.versions or {}) do
    if one.version == version then
      return version
    end
  end
  return (group.preferredVersion or {}).version or version
end

-- api is rest.api with lists, for clients that kube.client made.
function kube.api(name)
  local api = rest.api(name, function(c)
    return { Authorization = rest.authorization(c.token or c.in_pod and kube.account_token()) }
  end)

  -- send asks again with the version of the group that the server prefers where it has
  -- nothing at a path: it may no longer serve, or not yet, the version that is written here.
  local send = api.send
  function api.send(c, verb, path, body)
    local group, version, rest_of = path:match("^/apis/([^/]+)/(v[%da-z]+)(/.*)$")
    if not group then
      return send(c, verb, path, body)
    end
    c.versions = c.versions or {}
    local known = c.versions[group]
    local response = send(c, verb, known and "/apis/" .. group .. "/" .. known .. rest_of or path, body)
    if response.status ~= 404 or known then
      return response
    end
    local served = kube.served(send(c, "GET", "/apis/" .. group), version)
    c.versions[group] = served
    if served == version then
      return response
    end
    if type(body) == "table" and body.apiVersion == group .. "/" .. version then
      local moved = {}
      for name, value in pairs(body) do
        moved[name] = value
      end
      moved.apiVersion, body = group .. "/" .. served, moved
    end
    return send(c, verb, "/apis/" .. group .. "/" .. served .. rest_of, body)
  end

  -- list returns a list object, and absent, if it is given, where there is none.
  function api.list(c, path, absent)
    local response = api.send(c, "GET", path)
    if absent and response.status == 404 then
      return absent
    end
    local who = name .. ": LIST " .. path
    return rest.parse(rest.check(response, "200", who), who)
  end

  return api
end

-- status is never nil, not even that of a missing object.
function kube.status(object)
  return object and object.status or {}
end

function kube.conditions(object)
  return kube.status(object).conditions or {}
end

-- condition is the last condition of a type, or nil.
function kube.condition(object, kind)
  local found
  for _, condition in ipairs(kube.conditions(object)) do
    if condition.type == kind then
      found = condition
    end
  end
  return found
end

-- holds tells whether an object is there and its condition is true.
function kube.holds(object, kind)
  local condition = kube.condition(object, kind)
  return condition ~= nil and condition.status == "True"
end

-- tally counts the items of lists that pass a test, those that do not, and all, and
-- names those that do not.
function kube.tally(test, ...)
  local passed, failed, names = 0, 0, {}
  for _, list in ipairs({ ... }) do
    for _, item in ipairs(list.items or list) do
      if test(item) then
        passed = passed + 1
      else
        failed = failed + 1
        names[#names + 1] = item.metadata and item.metadata.name or nil
      end
    end
  end
  return passed, failed, passed + failed, names
end

-- readiness is the tally of the condition Ready, as most modules report it.
function kube.readiness(...)
  local ready, not_ready, total, names = kube.tally(function(item)
    return kube.holds(item, "Ready")
  end, ...)
  return { ready = ready, not_ready = not_ready, total = total, not_ready_names = names }
end

return kube
