--- @module assay.url
--- @description Addresses: percent-encode a part or a query, take an address apart, resolve a relative one.
--- @keywords url, uri, address, percent, encode, decode, escape, unescape, query, path, resolve, relative, join, parse
--- @synonyms urlencode, urldecode, encodeuricomponent, quote, unquote, href, link, slash, parameter
--- @asked percent-encode a path segment; a name with spaces, slashes or umlauts in an address; URL-encode a value; decode %20; resolve a relative link or a Location against the page's address; join a base and a path; take host and port out of a URL; read the parameters of a query
--- @quickref M.escape(text, keep) -> string | Percent-encode all but letters, digits and -._~, and the characters in keep ("/" for a path)
--- @quickref M.unescape(text, plus) -> string | Decode %XX; plus = true: + is a space, as forms have it
--- @quickref M.query(params) -> string | "a=1&b=x%20y" of a table, by name; a list is the name once for each value, null is left out
--- @quickref M.params(query) -> {name = [string]} | Read a query or a form: a list of the values of each name
--- @quickref M.parse(address) -> {scheme, user, host, port, path, query, fragment} | Take an address apart; what it lacks is nil, port a number
--- @quickref M.resolve(base, reference) -> string | The address that a reference on the page base leads to (RFC 3986)

local rest = require("assay._rest")

local M = {}

local function written(who, v)
  if type(v) == "number" then
    return rest.text(v)
  elseif type(v) ~= "string" then
    error(who .. ": wants a string, got " .. type(v), 0)
  end
  return v
end

function M.escape(text, keep)
  keep = keep or ""
  return (written("url.escape", text):gsub("[^%w%-%._~]", function(c)
    return keep:find(c, 1, true) and c or ("%%%02X"):format(c:byte())
  end))
end

function M.unescape(text, plus)
  text = written("url.unescape", text)
  if plus then
    text = text:gsub("+", " ")
  end
  return (text:gsub("%%(%x%x)", function(hex)
    return string.char(tonumber(hex, 16))
  end))
end

function M.query(params)
  local names, parts = {}, {}
  for name in pairs(params) do
    names[#names + 1] = written("url.query", name)
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local values = params[name]
    if type(values) ~= "table" then
      values = { values }
    end
    for _, v in ipairs(values) do
      if v ~= json.null then
        parts[#parts + 1] = M.escape(name) .. "=" .. M.escape(type(v) == "boolean" and tostring(v) or v)
      end
    end
  end
  return table.concat(parts, "&")
end

function M.params(query)
  local out = {}
  for part in written("url.params", query):gsub("^%?", ""):gmatch("[^&]+") do
    local name, value = part:match("^([^=]*)=?(.*)$")
    name = M.unescape(name, true)
    out[name] = out[name] or {}
    table.insert(out[name], M.unescape(value, true))
  end
  return out
end

-- split is an address as RFC 3986 divides it (appendix B): scheme, authority, path, query, fragment.
local function split(address)
  local whole, fragment = address:match("^([^#]*)#?(.*)$")
  fragment = address:find("#", 1, true) and fragment or nil
  local before, query = whole:match("^([^?]*)%??(.*)$")
  query = whole:find("?", 1, true) and query or nil
  local scheme, behind = before:match("^(%a[%w+.-]*):(.*)$")
  local authority, path = (behind or before):match("^//([^/]*)(.*)$")
  return { scheme = scheme, authority = authority, path = path or behind or before, query = query, fragment = fragment }
end

function M.parse(address)
  local u = split(written("url.parse", address))
  local user, host = (u.authority or ""):match("^(.*)@(.*)$")
  host = host or u.authority
  local port = host and host:match(":(%d+)$")
  if host then
    host = host:gsub(":%d*$", ""):lower()
  end
  return { scheme = u.scheme and u.scheme:lower(), user = user, host = host, port = math.tointeger(tonumber(port)), path = u.path, query = u.query, fragment = u.fragment }
end

-- without_dots removes . and .. from a path (RFC 3986, section 5.2.4).
local function without_dots(path)
  local out, last = {}, ""
  for part in (path:gsub("^/", "") .. "/"):gmatch("([^/]*)/") do
    last = part
    if part == ".." then
      table.remove(out)
    elseif part ~= "." then
      out[#out + 1] = part
    end
  end
  local plain = table.concat(out, "/")
  if (last == "." or last == "..") and plain ~= "" then
    plain = plain .. "/"
  end
  return (path:sub(1, 1) == "/" and "/" or "") .. plain
end

function M.resolve(base, reference)
  local b, r = split(written("url.resolve", base)), split(written("url.resolve", reference))
  if not b.scheme then
    error("url.resolve: the base must be a whole address, with its scheme", 0)
  end
  local to = { scheme = r.scheme or b.scheme, authority = r.authority, path = r.path, query = r.query }
  if not r.scheme and not r.authority then
    to.authority = b.authority
    if r.path == "" then
      to.path, to.query = b.path, r.query or b.query
    elseif r.path:sub(1, 1) ~= "/" then
      to.path = (b.path == "" and b.authority) and "/" .. r.path or (b.path:match("^.*/") or "") .. r.path
    end
  end
  if not (not r.scheme and not r.authority and r.path == "") then
    to.path = without_dots(to.path)
  end
  return to.scheme .. ":" .. (to.authority and "//" .. to.authority or "") .. to.path .. (to.query and "?" .. to.query or "") .. (r.fragment and "#" .. r.fragment or "")
end

return M
