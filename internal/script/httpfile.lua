-- Files of requests as the REST Client of VS Code and the HTTP Client of JetBrains have them (.http, .rest). A file is read and
-- its requests are sent by a script, so that all limits of scripts hold for it. What is not taken is named, with its line.

local function trim(s) return (s:gsub("^%s+", ""):gsub("%s+$", "")) end

-- TAGS are what comments before a request may say of it. Those that are true are for editors.
local TAGS = { name = "name", ["no-redirect"] = "stays", ["no-cookie-jar"] = "jar", timeout = "timeout", prompt = true, note = true, ["no-log"] = true }

-- OTHERS begin lines that are no request of HTTP.
local OTHERS = { import = true, run = true, curl = true, WEBSOCKET = true, GRPC = true, RSOCKET = true }

-- parsed reads a file: its requests, its variables, and what is left out of it.
local function parsed(text)
  local file = { requests = {}, variables = {}, left = {} }
  local r, state, script
  local number = 0
  local function leave(what) table.insert(file.left, "line " .. number .. ": " .. what) end
  local function begin(title)
    if r and r.url then table.insert(file.requests, r) end
    r, state = { name = title ~= "" and title or nil, headers = {}, body = {} }, "head"
  end
  local function skipped(line) -- a script, or what is done with a response
    local marks, rest = line:match("^([<>]+!?)%s+(.*)$")
    if not marks or marks == "<" and state ~= "head" then return false end
    if rest:find("^{%%") then
      leave("the script " .. marks .. " {% … %} does not run")
      script = not rest:find("%%}", 3)
    elseif marks == "<" or marks == ">" then
      leave("the script " .. rest .. " does not run")
    else
      leave(marks .. " " .. rest .. ": responses are not kept in files")
    end
    return true
  end
  local function variable(line)
    local name, value = line:match("^@([%w_.-]+)%s*=%s*(.-)%s*$")
    if name then file.variables[name] = value end
    return name
  end
  local function head(line)
    local tag, said = line:match("^[#/]+%s*@([%w-]+)%s*(.-)%s*$")
    if variable(line) then
      return
    elseif tag and TAGS[tag] then
      if TAGS[tag] ~= true then r[TAGS[tag]] = said end
    elseif tag then
      leave("@" .. tag .. " is not known here")
    elseif line:find("^#") or line:find("^//") or line:find("^%s*$") or skipped(line) then
      return
    elseif OTHERS[line:match("^%S+")] then
      leave(line:match("^%S+") .. " is not taken")
      state = "skip"
    else
      local method, url = line:match("^([%u-]+)%s+(.-)%s*$")
      url = (url or trim(line)):gsub("%s+HTTP/[%d.]+$", "")
      if not method and not url:find("^%w+://") and not url:find("^{{") then
        leave("neither a request nor a comment: " .. trim(line))
        return
      end
      r.method, r.url, r.line, state = method or "GET", url, number, "url"
    end
  end
  begin("")
  for line in (text:gsub("^\u{feff}", "") .. "\n"):gmatch("(.-)\r?\n") do
    number = number + 1
    local title = line:match("^###+%s*(.-)%s*$")
    if script then
      script = not line:find("%%}")
    elseif title then
      begin(title)
    elseif state == "head" then
      head(line)
    elseif state == "url" and (line:find("^%s*[?&]") or line:find("^%s+%S")) then
      r.url = r.url .. trim(line)
    elseif state == "url" or state == "fields" then
      local name, value = line:match("^([%w!#$%%&'*+.^_`|~-]+)%s*:%s*(.-)%s*$")
      if line:find("^%s*$") then
        state = "body"
      elseif name and not line:find("^//") then
        state = "fields"
        table.insert(r.headers, { name = name, value = value })
      elseif not line:find("^#") and not line:find("^//") and not variable(line) and not skipped(line) then
        leave("not a header: " .. trim(line))
      end
    elseif state == "body" and not skipped(line) then
      table.insert(r.body, line)
    end
  end
  begin("")
  for _, one in ipairs(file.requests) do
    while one.body[1] and one.body[#one.body]:find("^%s*$") do one.body[#one.body] = nil end
  end
  return file
end

local UNITS = { ms = .001, s = 1, m = 60, h = 3600, d = 86400, w = 604800 }

-- chance is a number below n. It is the same where a run is repeated for an approval.
local function chance(n) return tonumber(crypto.hash(crypto.random(32)):sub(1, 12), 16) % n end

-- dated is a time of UTC as two formats have it (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days).
local function dated(at, rfc1123)
  local days = at // 86400
  local z = days + 719468
  local era, day = z // 146097, z % 146097
  local year = (day - day // 1460 + day // 36524 - day // 146096) // 365
  local ofYear = day - (365 * year + year // 4 - year // 100)
  local m = (5 * ofYear + 2) // 153
  local d, month = ofYear - (153 * m + 2) // 5 + 1, m < 10 and m + 3 or m - 9
  year = year + era * 400 + (month <= 2 and 1 or 0)
  local clock = ("%02d:%02d:%02d"):format(at // 3600 % 24, at // 60 % 60, at % 60)
  if not rfc1123 then return ("%04d-%02d-%02dT%sZ"):format(year, month, d, clock) end
  local name = ("JanFebMarAprMayJunJulAugSepOctNovDec"):sub(3 * month - 2, 3 * month)
  local weekday = ("ThuFriSatSunMonTueWed"):sub(days % 7 * 3 + 1, days % 7 * 3 + 3)
  return ("%s, %02d %s %04d %s GMT"):format(weekday, d, name, year, clock)
end

-- dynamic is the value of a variable that begins with $.
local function dynamic(name, dir)
  local word, rest = name:match("^%$([%w.]+)%s*%(?(.-)%)?%s*$")
  local from, to = rest:match("^(-?%d+)[%s,]+(-?%d+)$")
  local amount, unit = rest:match("(-?%d+)%s+(%a+)$")
  local at = time() + (tonumber(amount) or 0) * (UNITS[unit] or 0)
  if word == "guid" or word == "uuid" or word == "random.uuid" then
    local h = crypto.hash(crypto.random(32))
    return ("%s-%s-4%s-a%s-%s"):format(h:sub(1, 8), h:sub(9, 12), h:sub(13, 15), h:sub(16, 18), h:sub(19, 30))
  elseif (word == "randomInt" or word == "random.integer") and from and tonumber(to) > tonumber(from) then
    return tostring(math.tointeger(tonumber(from)) + chance(tonumber(to) - tonumber(from)))
  elseif word == "timestamp" and (rest == "" or UNITS[unit]) then
    return tostring(math.floor(at))
  elseif word == "isoTimestamp" or word == "datetime" and rest:find("^iso8601") and (rest == "iso8601" or UNITS[unit]) then
    return dated(math.floor(at))
  elseif word == "datetime" and rest:find("^rfc1123") and (rest == "rfc1123" or UNITS[unit]) then
    return dated(math.floor(at), true)
  elseif word == "processEnv" or word:find("^env%.") then
    return env.get(word == "processEnv" and rest or word:sub(5))
  elseif word == "dotenv" then
    for key, value in (fs.read(dir .. ".env") .. "\n"):gmatch("([%w_]+)%s*=%s*(.-)%s*\n") do
      if key == rest then return (value:gsub("^(['\"])(.*)%1$", "%2")) end
    end
  end
end

-- reached is what a path such as $.a[0].b leads to.
local function reached(value, path)
  for part in path:gsub("^%$", ""):gsub("%[['\"]?(.-)['\"]?%]", ".%1"):gmatch("[^.]+") do
    if type(value) ~= "table" then return nil end
    value = value[tonumber(part) and tonumber(part) + 1 or part]
  end
  if type(value) == "table" then return json.encode(value) end
  return value ~= nil and tostring(value) or nil
end

-- ofReply is a part of an earlier response: name.response.body.$.a or name.response.headers.A.
local function ofReply(name, replies)
  local of, part, path = name:match("^([%w_-]+)%.response%.(%a+)%.?(.*)$")
  local reply = replies[of]
  if not reply then
    return nil
  elseif part == "headers" then
    return reply.headers[path:lower()]
  elseif part == "body" and (path == "*" or path == "") then
    return reply.body
  elseif part == "body" and path:find("^%$") then
    return reached(json.parse(reply.body), path)
  end
end

-- expand puts in what {{name}} stands for: an argument, a variable of the file, an earlier response, or a variable of the environment.
local function expand(s, run, depth)
  if (depth or 0) > 20 then error("variables stand for each other", 0) end
  return (s:gsub("{{%s*(.-)%s*}}", function(name)
    local encode = name:find("^%%")
    if encode then name = name:sub(2) end
    local v = run.given[name]
    if v == nil and name:find("^%$") then v = dynamic(name, run.dir) end
    if v == nil and run.file.variables[name] then v = expand(run.file.variables[name], run, (depth or 0) + 1) end
    if v == nil then v = ofReply(name, run.replies) end
    if v == nil and name:find("^[%a_][%w_]*$") then v = env.get(name) end
    if v == nil then
      error("{{" .. name .. "}} has no value: " .. (name:find("%.response%.") and "its request has to come before this one" or "give " .. name .. "=VALUE as an argument, or set the environment variable"), 0)
    end
    if encode then v = v:gsub("[^%w%-._~]", function(c) return ("%%%02X"):format(c:byte()) end) end
    return v
  end))
end

-- body is the body of a request, "" for none. Lines that begin with < are files; <@ are those in which variables stand.
local function body(r, run, kind)
  local out = {}
  for i, line in ipairs(r.body) do
    local mark, path = line:match("^(<@?)%w*%s+(.-)%s*$")
    if mark then
      path = expand(path, run)
      line = fs.read(path:find("^/") and path or run.dir .. path)
    end
    out[i] = mark == "<" and line or expand(line, run)
  end
  if kind:find("^application/x%-www%-form%-urlencoded") then
    for i, line in ipairs(out) do out[i] = trim(line) end
    return table.concat(out)
  end
  local text = table.concat(out, kind:find("^multipart/") and "\r\n" or "\n")
  return kind:find("^multipart/") and text ~= "" and text .. "\r\n" or text
end

-- login reads the short forms of the header Authorization: the header, or the option auth.
local function login(value)
  local scheme, rest = value:match("^(%a+)%s+(.*)$")
  scheme = (scheme or ""):lower()
  local user, password = (rest or ""):match("^([^%s:]+)[%s:](.*)$")
  if scheme == "basic" and user then
    return "Basic " .. base64.encode(user .. ":" .. password)
  elseif scheme == "digest" and user and not rest:find("=") then
    return nil, { username = user, password = password, scheme = "digest" }
  elseif scheme == "aws" and user then
    local option = function(name) return rest:match(name .. ":(%S+)") end
    return nil, { sigv4 = { access_key = user, secret_key = password:match("^%S+"), session_token = option("token"), region = option("region") or "us-east-1", service = option("service") or "execute-api" } }
  end
  return value
end

-- sent sends a request.
local function sent(r, run)
  local url, headers, kind, graphql, auth = expand(r.url, run), {}, "", r.method == "GRAPHQL", nil
  for _, h in ipairs(r.headers) do
    local name, value = h.name:lower(), expand(h.value, run)
    if name == "x-request-type" and value:lower() == "graphql" then
      graphql = true
    elseif name == "authorization" then
      headers[h.name], auth = login(value)
    elseif name ~= "content-length" then
      headers[h.name] = headers[h.name] and headers[h.name] .. (name == "cookie" and "; " or ", ") .. value or value
    end
    if name == "content-type" then kind = value:lower() end
    if name == "host" and url:find("^/") then url = "http://" .. value .. url end
  end
  if not url:find("^%w+://") then url = "http://" .. url end
  local text, method = body(r, run, kind), r.method
  if graphql then
    local query, variables = (text .. "\n\n"):match("^(.-)\n%s*\n(.*)$")
    text = json.encode({ query = query, variables = variables:find("%S") and json.parse(variables) or nil })
    method, headers["Content-Type"] = method == "GRAPHQL" and "POST" or method, "application/json"
  end
  local options = { headers = headers, auth = auth, timeout = tonumber(r.timeout) }
  if r.stays then options.redirects = false end
  local client = r.jar and http.client() or run.client
  local reply = client:request(method, url, text ~= "" and text or nil, options)
  return { name = r.name, method = method, url = url, status = reply.status, headers = reply.headers, body = reply.body }
end

-- run sends the requests of a file, or those that arguments name. It prints the responses, or returns them if list is true.
local function run(name, dir, list, text, ...)
  local file = parsed(text)
  local state = { file = file, dir = dir, given = {}, replies = {}, client = http.client({ cookies = true }) }
  local wanted, known, out = {}, {}, {}
  for _, r in ipairs(file.requests) do known[r.name or ""] = true end
  for _, arg in ipairs({ ... }) do
    local key, value = arg:match("^([%a_][%w_.-]*)=(.*)$")
    if key then
      state.given[key] = value
    elseif known[arg] and arg ~= "" then
      wanted[arg] = true
    else
      error(name .. ": no request has the name " .. arg .. "; a variable is NAME=VALUE", 0)
    end
  end
  for _, left in ipairs(file.left) do log.warn(name .. ": " .. left) end
  if not file.requests[1] then error(name .. ": no request in it", 0) end
  for _, r in ipairs(file.requests) do
    if not next(wanted) or wanted[r.name] then
      local ok, reply = pcall(sent, r, state)
      if not ok then
        local place, message = tostring(reply):match("^(.-:%d+: )(.*)$") -- of this script, not of the file
        if place and place:sub(1, #name) == name then reply = message end
        error(name .. ":" .. r.line .. ": " .. tostring(reply), 0)
      end
      if r.name then state.replies[r.name] = reply end
      table.insert(out, reply)
      if not list then
        print(("%s%s %s %d"):format(r.name and "### " .. r.name .. "\n" or "", reply.method, reply.url, reply.status))
        if reply.body ~= "" then print(reply.body) end
      end
    end
  end
  return list and out or nil
end
