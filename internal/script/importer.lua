-- Files of requests (.http) and recordings of browsers (HAR 1.2, w3c.github.io/web-performance/specs/HAR/Overview.html) as OpenAPI, which
-- modules are written from. It has names alone: no value of a query, a header, a cookie or a body, because each may be a secret.

local METHODS = { GET = "get", POST = "post", PUT = "put", PATCH = "patch", DELETE = "delete" }
-- BROWSER are headers that clients set by themselves, or that are said in another place of the description.
local BROWSER = {}
for name in ([[accept accept-charset accept-encoding accept-language authorization cache-control connection content-length content-type cookie
  dnt host if-modified-since if-none-match keep-alive origin pragma priority proxy-authorization purpose referer te traceparent tracestate
  transfer-encoding upgrade upgrade-insecure-requests user-agent x-request-type x-requested-with]]):gmatch("%S+") do BROWSER[name] = true end
-- KEYS are names of what a client is known by, without signs: the first becomes an option of the client, others are parameters.
local KEYS = {}
for name in ("apikey xapikey key token xtoken accesstoken xaccesstoken authtoken xauthtoken privatetoken subscriptionkey"):gmatch("%S+") do KEYS[name] = true end
local CONSONANTS = ("[bcdfghjklmnpqrstvwxz]"):rep(6)
local TOKENS = { "^sk[-_]", "^pk[-_]", "^gh%l_", "^glpat", "^xox", "^AKIA", "^eyJ" }
local STATIC = { "^text/html", "^text/css", "javascript", "^image/", "^font/", "^video/", "^audio/" }

-- isName tells a name from a value that stands in its place: ?eyJhbGciOi….
local function isName(s)
  for _, token in ipairs(TOKENS) do
    if s:find(token) then return false end
  end
  for part in s:gmatch("[^-_.]+") do
    if #part > 20 or part:find("^%d+%a%a%a") or part:lower():find(CONSONANTS) then return false end
  end
  return #s <= 40 and s:find("^[%a_$][%w_.%-%[%]$]*$") and select(2, s:gsub("%d", "")) <= 3
end

-- isWord tells a word of a path from a value: a number, an id, a token. In doubt it is a value.
local function isWord(s)
  local parts, plain = 0, s:gsub("%.%w+$", "")
  for part in plain:gsub("(%l)(%u)", "%1-%2"):gmatch("[^-_.]+") do
    parts = parts + 1
    if #part > 20 or part:lower():find(CONSONANTS) then return false end
  end
  return #s <= 48 and s:find("^[%a_.~][%w_.~%-]*$") and select(2, s:gsub("%d", "")) <= 2 and (#plain < 8 or not plain:find("^%x+$")) and #plain / parts >= 3
    or s:find("^[%a]%w?%d?%d?$")
end

-- templated is a path with {name} for each value in it.
local function templated(path)
  local before, seen = "id", {}
  return (path:gsub("[^/]+", function(part)
    local name = part:match("^{{%s*[$%%]?([%w_.-]+).-}}$")
    if not name and not part:find("{{", 1, true) and isWord(part) then
      before = part:gsub("s$", "") .. "_id"
      return part
    end
    if not name then
      name = before
      seen[name] = (seen[name] or 0) + 1
      if seen[name] > 1 then name = name .. "_" .. seen[name] end
    end
    return "{" .. name:gsub("[^%w_-]", "_") .. "}"
  end))
end

local function sortedKeys(t)
  local out = {}
  for key in pairs(t) do out[#out + 1] = key end
  table.sort(out)
  return out
end

-- shape is a schema with the names of an object's members.
local function shape(text)
  local ok, value = pcall(json.parse, text or "")
  local list = ok and type(value) == "table" and value[1]
  if type(list) == "table" then value = list end
  if not ok or type(value) ~= "table" then return nil end
  local properties, any = {}, false
  for key in pairs(value) do
    if type(key) == "string" and isName(key) then properties[key], any = json.parse("{}"), true end
  end
  local schema = any and { type = "object", properties = properties } or { type = "object" }
  return list and { type = "array", items = schema } or schema
end

-- described makes an OpenAPI document of calls: method, url, title, headers (names), kind and body of the request, auth, and the reply.
local function described(title, calls, left)
  local count, base = {}, nil
  local function leave(call, why) left[#left + 1] = call.method .. " " .. call.origin .. call.path .. ": " .. why end
  for _, c in ipairs(calls) do
    local rest
    c.origin, rest = c.url:gsub("#.*$", ""):match("^(%w+://[^/?]+)(.*)$")
    if not c.origin then c.origin, rest = c.url:match("^({{.-}})(.*)$") end
    if not c.origin then c.origin, rest = "", c.url end
    c.origin = c.origin:gsub("//[^/@]*@", "//")
    c.path, c.query = rest:match("^([^?]*)%??(.*)$")
    c.path = templated(c.path == "" and "/" or c.path)
    if not c.static then
      count[c.origin] = (count[c.origin] or 0) + 1
      if not base or count[c.origin] > count[base] then base = c.origin end
    end
  end
  local document = { openapi = "3.0.0", info = { title = title }, paths = json.parse("{}"), components = { securitySchemes = json.parse("{}") } }
  if base and base:find("://") and not base:find("{{") then document.servers = { { url = base } } end
  local odd, statics, schemes = {}, 0, document.components.securitySchemes
  for _, c in ipairs(calls) do
    local verb = METHODS[c.method]
    if c.static then
      statics = statics + 1
    elseif c.origin ~= base then
      leave(c, "of another server than " .. base)
    elseif not verb then
      leave(c, "no function has this method")
    else
      local path = document.paths[c.path] or {}
      document.paths[c.path] = path
      if path[verb] and c.title and path[verb].operationId ~= c.title then leave(c, c.title .. " is the same function as " .. (path[verb].operationId or "another")) end
      local op = path[verb] or { operationId = c.title, summary = c.title, parameters = {}, responses = json.parse("{}") }
      path[verb] = op
      local function parameter(name, place)
        for _, p in ipairs(op.parameters) do
          if p.name == name and p["in"] == place then return end
        end
        table.insert(op.parameters, { name = name, ["in"] = place })
      end
      for pair in c.query:gmatch("[^&]+") do
        local name = pair:match("^[^=]*"):gsub("%%(%x%x)", function(h) return string.char(tonumber(h, 16)) end)
        local key = schemes.key
        if not isName(name) then
          leave(c, "a parameter of its query whose name looks like a value")
        elseif KEYS[name:lower():gsub("[-_]", "")] and not key then
          schemes.key = { type = "apiKey", ["in"] = "query", name = name }
        elseif not key or key.name ~= name then
          parameter(name, "query")
        end
      end
      for _, name in ipairs(c.headers) do
        if KEYS[name:lower():gsub("[-_]", "")] and not schemes.key and isName(name) then
          schemes.key = { type = "apiKey", ["in"] = "header", name = name }
        elseif name:lower() == "cookie" then
          parameter("Cookie", "header")
        elseif schemes.key and schemes.key.name == name then
          -- The client sends it.
        elseif not BROWSER[name:lower()] and not name:find("^:") and not name:lower():find("^sec%-") then
          if isName(name) then parameter(name, "header") else leave(c, "a header whose name looks like a value") end
        elseif name:lower() ~= "authorization" and name:lower() ~= "content-type" and not name:find("^:") then
          odd[name:lower()] = true
        end
      end
      if c.body and c.body ~= "" then
        op.requestBody = { content = { [c.kind ~= "" and c.kind or "application/json"] = { schema = shape(c.body) or json.parse("{}") } } }
        local names = shape(c.body)
        names = names and sortedKeys((names.items or names).properties or {}) or {}
        if names[1] and not op.summary then op.summary = c.method .. " " .. c.path .. "; body: " .. table.concat(names, ", ", 1, math.min(#names, 8)) end
        if verb == "get" or verb == "delete" then leave(c, "its body, because no function for this method has one") end
      end
      if c.status and c.status >= 200 and c.status < 300 then
        op.responses[tostring(c.status)] = c.reply and { content = { ["application/json"] = { schema = shape(c.reply) or json.parse("{}") } } } or { description = "" }
      end
      if c.auth == "basic" or c.auth == "bearer" then
        schemes[c.auth] = { type = "http", scheme = c.auth }
      elseif c.auth and not schemes.key then
        schemes.key = { type = "apiKey", ["in"] = "header", name = "Authorization" }
      elseif c.auth and schemes.key.name ~= "Authorization" then
        leave(c, "its header Authorization, which is neither Basic nor Bearer")
      end
    end
  end
  if statics > 0 then left[#left + 1] = statics .. " requests for pages, scripts, styles, images and the like" end
  local names = sortedKeys(odd)
  if names[1] then left[#left + 1] = "headers that clients set by themselves: " .. table.concat(names, ", ") end
  if calls[1] then left[#left + 1] = "all values of queries, headers, cookies and bodies, which are parameters" end
  return { openapi = json.encode(document), left = left }
end

local function scheme(value)
  local word = value:lower():match("^%S+") or ""
  return word ~= "" and word or "none"
end

-- fromHTTP describes the requests of a .http file.
local function fromHTTP(text)
  local file, calls = parsed(text), {}
  for _, r in ipairs(file.requests) do
    local call = { title = r.name, method = r.method, headers = {}, kind = "", url = r.url, body = table.concat(r.body, "\n") }
    if not call.url:find("^%w+://") and not call.url:find("^[{/]") then call.url = "http://" .. call.url end
    for _ = 1, 10 do -- only the beginning: other variables are parameters
      call.url = call.url:gsub("^{{%s*([%w_.-]+)%s*}}", file.variables)
    end
    for _, h in ipairs(r.headers) do
      table.insert(call.headers, h.name)
      if h.name:lower() == "content-type" then call.kind = h.value:lower():match("^[%w./+-]*") end
      if h.name:lower() == "authorization" then call.auth = scheme(h.value) end
    end
    table.insert(calls, call)
  end
  return described("requests of a file", calls, file.left)
end

-- fromHAR describes the requests of a recording.
local function fromHAR(text)
  local har, calls, left = json.parse(text), {}, {}
  local log = type(har) == "table" and har.log
  if type(log) ~= "table" or type(log.entries) ~= "table" then error("not a HAR file: it has no log.entries", 0) end
  for _, entry in ipairs(log.entries) do
    local q, a = entry.request, entry.response or {}
    local content, kind = a.content or {}, ""
    if type(q) ~= "table" or type(q.url) ~= "string" or type(q.method) ~= "string" then error("not a HAR file: an entry has no request with a method and a url", 0) end
    local call = { method = q.method:upper(), headers = {}, kind = "", url = q.url, status = math.tointeger(a.status) }
    for _, h in ipairs(q.headers or {}) do
      table.insert(call.headers, h.name)
      if h.name:lower() == "authorization" then call.auth = scheme(h.value) end
    end
    if q.cookies and q.cookies[1] then table.insert(call.headers, "Cookie") end
    if q.postData then
      call.kind = (q.postData.mimeType or ""):lower():match("^[%w./+-]*")
      call.body = q.postData.text or "?"
    end
    kind = (content.mimeType or ""):lower()
    if kind:find("json") then call.reply = content.text or "{}" end
    for _, pattern in ipairs(STATIC) do
      call.static = call.static or call.method == "GET" and kind:find(pattern) ~= nil
    end
    if call.url:find("^wss?:") then
      table.insert(left, "a web socket")
    else
      table.insert(calls, call)
    end
  end
  return described("requests of a recording", calls, left)
end
