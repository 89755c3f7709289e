--- @module assay.snowflake
--- @description Snowflake by its SQL API. SQL with parameters, rows as tables, statements that run long, tables, columns.
--- @keywords snowflake, sql, query, warehouse, data-warehouse, statement, statements, schema, role, snowsql
--- @synonyms select, rows, columns, analytics, cancel, bind, semi-structured, variant
--- @asked run SQL in Snowflake; which tables and columns has Snowflake; start a statement that takes an hour and look later; cancel a statement of the warehouse
--- @env SNOWFLAKE_ACCOUNT, SNOWFLAKE_TOKEN
--- @auth { token = "...", warehouse = "...", role = "..." }
--- @quickref c:query(sql, opts) -> [row] | Run a query and get its rows by the names of their columns; opts: params (a list for ?), database, schema, warehouse, role, timeout (300 seconds), limit
--- @quickref c:execute(sql, opts) -> {numRowsInserted, numRowsUpdated, numRowsDeleted} | Run a statement that changes data; opts: params, database, schema, warehouse, role, timeout
--- @quickref c:start(sql, opts) -> string | Start a statement and get its handle at once; opts: params, database, schema, warehouse, role
--- @quickref c:status(handle) -> {done, message} | Is a statement done; raises if it failed
--- @quickref c:rows(handle, opts) -> [row] | Get the rows of a statement that is done; opts: limit
--- @quickref c:cancel(handle) -> nil | Cancel a statement
--- @quickref c:databases() -> [{name, owner}] | List databases
--- @quickref c:tables(database, schema) -> [{name, rows, bytes}] | List tables of a schema, or of the whole database
--- @quickref c:columns(name, opts) -> [{name, type}] | List columns of a table, as "db.schema.table"; opts: database, schema

local rest = require("assay._paged")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("snowflake", function(client)
  return {
    Accept = "application/json",
    Authorization = rest.authorization(client.token),
    ["X-Snowflake-Authorization-Token-Type"] = client.token_type,
  }
end)
local STATEMENTS = "/api/v2/statements"

function M.client(account, opts)
  opts = opts or {}
  account = rest.need(account or env.get("SNOWFLAKE_ACCOUNT"), "snowflake.client: account is required", "SNOWFLAKE_ACCOUNT")
  local host = account:gsub("_", "-") -- names of hosts have none
  return setmetatable({
    url = opts.endpoint and rest.base("snowflake.client", opts.endpoint) or "https://" .. host .. ".snowflakecomputing.com",
    token = rest.secret("snowflake.client", opts, "token", env.get("SNOWFLAKE_TOKEN"), "SNOWFLAKE_TOKEN"),
    token_type = opts.token_type,
    warehouse = opts.warehouse,
    database = opts.database,
    schema = opts.schema,
    role = opts.role,
  }, c)
end

local types = { string = "TEXT", boolean = "BOOLEAN", integer = "FIXED", float = "REAL" }

local function bindings(params)
  if params == nil or params == json.null then
    return nil
  end
  local out, count = {}, 0
  for i, v in ipairs(params) do
    local kind = v == json.null and "TEXT" or types[math.type(v) or type(v)]
    if not kind then
      error("snowflake: a " .. type(v) .. " cannot be a parameter", 0)
    end
    out[tostring(i)], count = { type = kind, value = v and rest.text(v) or v == false and "false" or json.null }, i
  end
  if count == 0 and next(params) ~= nil then
    error("snowflake: params are a list, for ? in the statement", 0)
  end
  return count > 0 and out or nil
end

-- send starts a statement and returns its handle; it does not wait, because the server would for longer than a request may take.
local function send(client, sql, opts)
  local found = api.call(client, "POST", STATEMENTS .. "?async=true", {
    statement = rest.need(sql, "snowflake: sql is required"),
    bindings = bindings(opts.params),
    database = opts.database or client.database,
    schema = opts.schema or client.schema,
    warehouse = opts.warehouse or client.warehouse,
    role = opts.role or client.role,
  }, "20[02]")
  return rest.need(found.statementHandle, "snowflake: the server named no statement")
end

-- look is a part of a statement's result, or nil with the message while it runs. The server compresses the later parts, asked or not.
local function look(client, handle, part)
  local where = api.path(STATEMENTS .. "/{}", handle) .. query("partition", part)
  local who = "snowflake: GET " .. where
  local response = rest.check(api.send(client, "GET", where), "20[02]", who)
  if response.body:sub(1, 2) == "\31\139" then
    response.body = gzip.decompress(response.body)
  end
  local found = rest.parse(response, who) or {}
  if response.status == 202 then
    return nil, found.message
  end
  return found
end

local function wait(client, handle, timeout)
  local found = rest.poll(timeout or 300, 1, function()
    return (look(client, handle))
  end)
  if not found then
    error("snowflake: the statement " .. rest.text(handle) .. " still runs after " .. rest.text(timeout or 300) .. "s", 0)
  end
  return found
end

-- clock writes seconds with their fraction, as the server has them, shifted by minutes and with a zone at the end.
local function clock(v, minutes, zone)
  local seconds, fraction = v:match("^(-?%d+)(%.?%d*)")
  fraction = (fraction or ""):gsub("0+$", ""):gsub("^%.$", "")
  return rest.rfc3339(math.tointeger(tonumber(seconds)) + minutes * 60):sub(1, -2) .. fraction .. zone
end

-- Integers are 64 bits; other decimal numbers stay text, because a float would round them.
local readers = {
  fixed = function(v, column) return (column.scale or 0) == 0 and math.tointeger(tonumber(v)) or v end,
  real = function(v) return tonumber(v) or v end,
  boolean = function(v) return v == "true" or v == true end,
  date = function(v) return rest.rfc3339(math.tointeger(tonumber(v)) * 86400):sub(1, 10) end,
  time = function(v) return clock(v, 0, ""):sub(12) end,
  timestamp_ntz = function(v) return clock(v, 0, "") end,
  timestamp_ltz = function(v) return clock(v, 0, "Z") end,
  timestamp_tz = function(v)
    local minutes = math.tointeger(tonumber(v:match(" (%d+)$") or 1440)) - 1440
    return clock(v, minutes, string.format("%s%02d:%02d", minutes < 0 and "-" or "+", math.abs(minutes) // 60, math.abs(minutes) % 60))
  end,
}

-- A variant may say undefined, which is no JSON.
local function variant(v)
  local ok, parsed = pcall(json.parse, v)
  if ok then
    return parsed
  end
  return v
end
readers.variant, readers.object, readers.array = variant, variant, variant

-- columns are those of a result; of two with one name the second has a number, so that no value is lost.
local function columns(found)
  local out, seen = {}, {}
  for i, column in ipairs((found.resultSetMetaData or {}).rowType or {}) do
    local name = column.name or "?"
    seen[name] = (seen[name] or 0) + 1
    out[i] = { name = seen[name] > 1 and name .. "_" .. seen[name] or name, read = readers[(column.type or ""):lower()], scale = column.scale }
  end
  return out
end

local function records(list, data)
  local out = {}
  for n, values in ipairs(type(data) == "table" and data or {}) do
    local row = {}
    for i, column in ipairs(list) do
      local v = values[i]
      if v == nil or v == json.null then
        row[column.name] = json.null
      elseif column.read then
        row[column.name] = column.read(v, column)
      else
        row[column.name] = v
      end
    end
    out[n] = row
  end
  return out
end

local function rows(client, handle, first, opts)
  local list = columns(first)
  local parts = #((first.resultSetMetaData or {}).partitionInfo or {})
  return rest.all(opts, function(part)
    local found = first
    if part then
      found = look(client, handle, part) or {}
    end
    local following = (part or 0) + 1
    return records(list, found.data), following < parts and following
  end)
end

local PLACE = "params database schema warehouse role"

function c:query(sql, opts)
  opts = rest.options("snowflake.query", opts, PLACE .. " timeout limit")
  local handle = send(self, sql, opts)
  return rows(self, handle, wait(self, handle, opts.timeout), opts)
end

function c:execute(sql, opts)
  opts = rest.options("snowflake.execute", opts, PLACE .. " timeout")
  return wait(self, send(self, sql, opts), opts.timeout).stats or {}
end

function c:start(sql, opts)
  return send(self, sql, rest.options("snowflake.start", opts, PLACE))
end

function c:status(handle)
  local found, message = look(self, handle)
  return { done = found ~= nil, message = found and found.message or message }
end

function c:rows(handle, opts)
  opts = rest.options("snowflake.rows", opts, "limit")
  local found = look(self, handle)
  if not found then
    error("snowflake.rows: the statement " .. rest.text(handle) .. " still runs", 0)
  end
  return rows(self, handle, found, opts)
end

function c:cancel(handle)
  api.call(self, "POST", api.path(STATEMENTS .. "/{}/cancel", handle))
end

-- named is an identifier: in quotes where it needs them, because they would keep its case.
local function named(name)
  name = rest.text(rest.need(name, "snowflake: a name is required"))
  return name:find("^[%a_][%w_$]*$") and name or '"' .. name:gsub('"', '""') .. '"'
end

function c:databases()
  return self:query("SHOW DATABASES")
end

function c:tables(database, schema)
  local place = schema and "SCHEMA " .. named(database) .. "." .. named(schema) or "DATABASE " .. named(database)
  return self:query("SHOW TABLES IN " .. place)
end

function c:columns(name, opts)
  opts = rest.options("snowflake.columns", opts, "database schema")
  local parts = {}
  for part in rest.text(rest.need(name, "snowflake: name is required")):gmatch("[^.]+") do
    parts[#parts + 1] = named(part)
  end
  return self:query("DESCRIBE TABLE " .. table.concat(parts, "."), opts)
end

return rest.module("snowflake", M, "account string", "opts table: token token_type warehouse database schema role endpoint")
