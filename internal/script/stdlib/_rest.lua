-- What the API modules share: addresses, requests, answers, times, waiting.
-- It belongs to them alone and is no module of its own.

local rest = {}

-- must raises unless v is nil or of one of the types, which are named as in "string or table".
local function must(who, v, types)
  if v ~= nil and not (" " .. types .. " "):find(" " .. type(v) .. " ", 1, true) then
    error(who .. " must be a " .. types .. ", got " .. type(v), 0)
  end
end

local texts = {
  "access_key", "api_key", "app_key", "cluster", "domain", "endpoint", "from", "machine_key_file", "namespace", "password",
  "region", "secret_key", "session_token", "token", "url", "user", "username",
}

-- options is opts, or an empty table for nil. It raises for a name that is not one of names,
-- which blanks separate: what nothing reads meant something to the caller.
function rest.options(who, opts, names)
  return assert.options(opts, names, who)
end

-- module is M, whose client checks its arguments: for each a name, its types and, after a
-- colon, the fields of a table. One that was mistaken for another would be left out of the
-- requests, and a server's refusal does not say why. A table also takes auth, a credential of the
-- policy (cred) or what http.client takes, in place of a token; not where the module signs itself.
function rest.module(name, M, ...)
  local wanted, make = { ... }, M.client
  function M.client(...)
    local auth
    for i, one in ipairs(wanted) do
      local parameter, types, fields = one:match("^(%S+) ([^:]+):? ?(.*)$")
      local v = select(i, ...)
      must(name .. ".client: " .. parameter, v, types)
      if type(v) == "table" then
        rest.options(name .. ".client", v, fields:find("access_key") and fields or fields .. " auth")
        auth = auth or v.auth
        for _, field in ipairs(texts) do
          must(name .. ".client: " .. parameter .. "." .. field, v[field], "string")
        end
      end
    end
    local made = make(...)
    if auth and made.via then
      error(name .. ".client: auth does not go with the certificates of the pod", 0)
    elseif auth then
      made.via = http.client({ auth = auth })
    end
    return made
  end
  return M
end

-- text prints a parameter: whole numbers without exponent and without ".0".
function rest.text(v)
  if type(v) == "table" or type(v) == "function" or v == json.null then
    error("a " .. (v == json.null and "null" or type(v)) .. " cannot be sent as text", 0)
  end
  if math.type(v) == "float" and v == math.floor(v) and math.abs(v) < 2 ^ 63 then
    return string.format("%d", v)
  end
  return tostring(v)
end

local function escaper(kept)
  local others = "[^A-Za-z0-9%-._~" .. kept .. "]"
  local function hex(byte)
    return string.format("%%%02X", byte:byte())
  end
  return function(v)
    return (rest.text(v):gsub(others, hex))
  end
end

rest.escape = escaper("") -- a value of a query
local element = escaper("!$&'()*+,;=:@") -- one element of a path (RFC 3986, section 3.3)
rest.elements = escaper("!$&'()*+,;=:@/") -- several

-- still returns an escaped path. It raises where . or .. would make another path of it.
function rest.still(path, name)
  if ("/" .. path .. "/"):find("/%.%.?/") then
    error(name .. ": no path can have . or .. in it: " .. path, 0)
  end
  return path
end

-- query("a", 1, "b", nil, "c", {2, 3}) -- and so with null for nil -- is "?a=1&c=2&c=3"; without a value it is "".
function rest.query(...)
  local args, out = { ... }, {}
  for i = 1, select("#", ...), 2 do
    local values = args[i + 1]
    if values == json.null then
      values = {}
    elseif type(values) ~= "table" then
      values = { values }
    end
    for _, v in ipairs(values) do
      out[#out + 1] = rest.escape(args[i]) .. "=" .. rest.escape(v)
    end
  end
  return out[1] and "?" .. table.concat(out, "&") or ""
end

-- base is an address without its trailing slashes; who is the function that wants it, and
-- variable what can be set in its place.
function rest.base(who, url, variable)
  must(who .. ": url", url, "string")
  rest.need(url, who .. ": url is required", variable)
  return (url:gsub("/+$", ""))
end

-- need raises message unless v has a value. It names the variable that can give one.
function rest.need(v, message, variable)
  if v == nil or v == json.null or v == "" then
    error(message .. (variable and "; set " .. variable or ""), 0)
  end
  return v
end

-- authorization is the value of the header for a bearer token, or else a name and a
-- password; nil without either.
function rest.authorization(token, username, password)
  if token then
    return "Bearer " .. token
  elseif username and password then
    return "Basic " .. base64.encode(username .. ":" .. password)
  end
end

-- object is a table as JSON. One without members is an object: servers refuse the
-- empty list that json.encode sees in it.
function rest.object(t)
  return next(t) == nil and "{}" or json.encode(t)
end

local bodiless = { GET = true, DELETE = true, HEAD = true }

-- request sends a table as JSON and a string as it is. via is a client of the http
-- builtin that takes the place of the builtin's own.
function rest.request(verb, url, headers, body, via)
  local sent, typed = {}, false
  for name, value in pairs(headers or {}) do
    sent[name] = value
    typed = typed or name:lower() == "content-type"
  end
  if type(body) == "table" then
    body = rest.object(body)
    if not typed then
      sent["Content-Type"] = "application/json"
    end
  end
  local send, opts = (via or http)[verb:lower()], { headers = sent }
  local function call(...)
    if via then
      return send(via, ...)
    end
    return send(...)
  end
  if bodiless[verb] then
    return call(url, opts)
  end
  return call(url, body, opts)
end

-- check raises "<who> HTTP <status>: <body>" unless all of the status matches the
-- pattern ok.
function rest.check(response, ok, who)
  if not rest.text(response.status):find("^" .. ok .. "$") then
    error(who .. " HTTP " .. rest.text(response.status) .. ": " .. response.body, 0)
  end
  return response
end

local entities = { lt = "<", gt = ">", amp = "&", quot = '"', apos = "'" }

local function unescape(name)
  local base, digits = name:match("^#([xX]?)(%x+)$")
  local n = digits and tonumber(digits, base == "" and 10 or 16)
  return entities[name] or n and n >= 0 and n <= 0x10ffff and utf8.char(n)
end

-- plain is the text that XML writes so, named and numbered characters read.
function rest.plain(text)
  return (text:gsub("&([#%w]+);", unescape))
end

-- element is the text of the first XML element of a name, nil without one.
function rest.element(text, name)
  local found = text:match("<" .. name .. ">(.-)</" .. name .. ">")
  return found and rest.plain(found)
end

-- parse is the value of a JSON body, nil where there is none.
function rest.parse(response, who)
  if not response.body:find("%S") then
    return nil
  end
  local ok, value = pcall(json.parse, response.body)
  if not ok then
    error(who .. " " .. tostring(value), 0)
  end
  return value
end

-- ask sends a request without credentials, wants 200 and returns the parsed body: how
-- modules without a client work.
function rest.ask(who, verb, url, body)
  return rest.parse(rest.check(rest.request(verb, url, nil, body), "200", who), who)
end

-- api is the paths and requests of a module. A request takes a client, a table with url
-- and, where it has one, via; headers(client) is what all of its requests carry.
function rest.api(name, headers)
  local api = {}

  -- path("/a/{}/b", v) escapes v as one element. A missing one must not reach the
  -- server: without it the path is that of the whole collection.
  function api.path(pattern, ...)
    local args, n = { ... }, 0
    return (pattern:gsub("{}", function()
      n = n + 1
      return rest.still(element(rest.need(args[n], name .. ": " .. pattern .. " lacks a value")), name)
    end))
  end

  -- send takes a body as a table or as JSON.
  function api.send(c, verb, path, body)
    local sent = headers and headers(c) or {}
    if body then
      sent["Content-Type"] = "application/json"
    end
    return rest.request(verb, c.url .. path, sent, body, c.via)
  end

  -- call wants a status that matches ok (200 if nil) and returns the parsed body.
  function api.call(c, verb, path, body, ok)
    local who = name .. ": " .. verb .. " " .. path
    return rest.parse(rest.check(api.send(c, verb, path, body), ok or "200", who), who)
  end

  function api.get(c, path)
    return api.call(c, "GET", path)
  end

  -- find is get, but nil where there is nothing.
  function api.find(c, path)
    local response = api.send(c, "GET", path)
    if response.status == 404 then
      return nil
    end
    local who = name .. ": GET " .. path
    return rest.parse(rest.check(response, "200", who), who)
  end

  return api
end

-- poll asks check every so many seconds, a last time at the deadline, until it gives a
-- value, and returns that; nil when the time is over.
function rest.poll(timeout, interval, check)
  local deadline = time() + timeout
  while true do
    local value = check()
    if value then
      return value
    end
    local left = deadline - time()
    if left <= 0 then
      return nil
    end
    sleep(math.min(interval, left))
  end
end

-- reached polls an address until it answers 200; who names the waiting function.
function rest.reached(who, base, path, opts)
  opts = opts or {}
  local timeout = opts.timeout or 60
  local up = rest.poll(timeout, opts.interval or 2, function()
    local ok, response = pcall(http.get, base .. path)
    return ok and response.status == 200
  end)
  if not up then
    error(who .. ": not reachable at " .. base .. " after " .. rest.text(timeout) .. "s", 0)
  end
  return true
end

-- tail is the last lines of a text, a hundred without a number, with the colors of terminals taken away.
function rest.tail(text, lines)
  local out = {}
  for line in text:gsub("\27%[[%d;]*[A-Za-z]", ""):gmatch("[^\n]+") do
    out[#out + 1] = line
  end
  return table.concat(out, "\n", math.max(1, #out - (lines or 100) + 1))
end

-- date splits UNIX seconds into year, month, day, hour, minute and second in UTC
-- (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days).
function rest.date(seconds)
  local floor = math.floor
  local days, rem = floor(seconds / 86400), floor(seconds) % 86400
  local z = days + 719468
  local era = floor(z / 146097)
  local doe = z - era * 146097
  local yoe = floor((doe - floor(doe / 1460) + floor(doe / 36524) - floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + floor(yoe / 4) - floor(yoe / 100))
  local mp = floor((5 * doy + 2) / 153)
  local month = mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (month <= 2 and 1 or 0)
  return year, month, doy - floor((153 * mp + 2) / 5) + 1, floor(rem / 3600), floor(rem / 60) % 60, rem % 60
end

function rest.rfc3339(seconds)
  return string.format("%04d-%02d-%02dT%02d:%02d:%02dZ", rest.date(seconds))
end

-- quoted is a string as matchers and selectors of the Prometheus family write it.
function rest.quoted(s)
  return '"' .. tostring(s):gsub("\\", "\\\\"):gsub('"', '\\"'):gsub("\n", "\\n") .. '"'
end

return rest
