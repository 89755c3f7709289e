--- @module assay.tickets
--- @description tickets: Tickets of a help desk
--- @keywords tickets
--- @env TICKETS_URL, TICKETS_TOKEN
--- @auth { token = "..." }
--- @quickref c:list_tickets(opts) -> [ticket] | List tickets; opts: state, limit
--- @quickref c:create_ticket(body) -> ticket | Create a ticket

local M = {}
local c = {}
c.__index = c

local function escape(v)
  return (tostring(v):gsub("[^A-Za-z0-9%-._~]", function(byte) return string.format("%%%02X", byte:byte()) end))
end

-- query("a", 1, "b", nil, "c", { 2, 3 }) is "?a=1&c=2&c=3".
local function query(...)
  local args, out = { ... }, {}
  for i = 1, select("#", ...), 2 do
    local values = args[i + 1]
    if type(values) ~= "table" then values = { values } end
    for _, v in ipairs(values) do out[#out + 1] = escape(args[i]) .. "=" .. escape(v) end
  end
  return out[1] and "?" .. table.concat(out, "&") or ""
end

local function call(client, verb, path, body, headers)
  headers = headers or {}
  if client.token then headers["Authorization"] = "Bearer " .. client.token end
  local r
  if verb == "get" or verb == "delete" then
    r = http[verb](client.url .. path, { headers = headers })
  else
    r = http[verb](client.url .. path, body, { headers = headers })
  end
  if r.status < 200 or r.status > 299 then
    error("tickets: " .. verb:upper() .. " " .. path .. " HTTP " .. r.status .. ": " .. r.body, 0)
  end
  if r.body == "" then return nil end
  local ok, value = pcall(json.parse, r.body)
  if ok then return value end
  return r.body
end

-- What is not given comes from the environment.
function M.client(url, opts)
  opts = opts or { token = env.get("TICKETS_TOKEN") }
  url = url or env.get("TICKETS_URL") or nil
  if not url then error("tickets.client: url is required", 2) end
  return setmetatable({ url = (url:gsub("/+$", "")), token = opts.token }, c)
end

function c:list_tickets(opts)
  opts = opts or {}
  return call(self, "get", "/tickets" .. query("state", opts.state, "limit", opts.limit))
end

function c:create_ticket(body)
  return call(self, "post", "/tickets", body)
end

return M
