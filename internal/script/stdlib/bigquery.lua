--- @module assay.bigquery
--- @description BigQuery by access token. SQL with parameters, rows as tables, cost of a query, datasets, tables, jobs, inserts.
--- @keywords bigquery, bq, google, gcp, sql, query, warehouse, data-warehouse, dataset, datasets, table, tables, job, jobs, analytics, dry-run, bytes
--- @synonyms select, rows, columns, schema, cost, billed, scanned, report, cancel, stream, insert, events
--- @asked run SQL over the data warehouse of Google; what will the query cost before it runs; which columns has a table of a dataset; which queries run now and cancel one; stream rows into a table
--- @env GOOGLE_CLOUD_PROJECT, GOOGLE_OAUTH_ACCESS_TOKEN
--- @auth { token = "..." }
--- @quickref c:query(sql, opts) -> [row] | Run a query and get its rows by the names of their columns; opts: params ({name = value} for @name, or a list for ?), location, max_bytes, timeout (300 seconds), limit
--- @quickref c:execute(sql, opts) -> {affected, job} | Run a statement that changes data; opts: params, location, max_bytes, timeout
--- @quickref c:estimate(sql, opts) -> {bytes, schema} | How many bytes a query would read, without running it; opts: params, location
--- @quickref c:datasets() -> [dataset] | List datasets of the project
--- @quickref c:tables(dataset) -> [table] | List tables of a dataset
--- @quickref c:table(dataset, name) -> table or nil | Get a table: schema, numRows, numBytes
--- @quickref c:rows(dataset, name, opts) -> [row] | Read rows of a table without a query; opts: fields ("a,b"), limit
--- @quickref c:insert(dataset, name, rows) -> nil | Stream rows into a table, a table each
--- @quickref c:jobs(opts) -> [job] | List jobs, the newest first; opts: state ("running"), all_users, since (UNIX seconds), limit
--- @quickref c:job(id, location) -> job or nil | Get a job: status, statistics
--- @quickref c:cancel(id, location) -> job | Cancel a job

local rest = require("assay._paged")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("bigquery", rest.bearer)
local get = api.get

function M.client(project, opts)
  opts = opts or {}
  return setmetatable({
    url = rest.base("bigquery.client", opts.endpoint or "https://bigquery.googleapis.com"),
    project = rest.need(project or env.get("GOOGLE_CLOUD_PROJECT"), "bigquery.client: project is required", "GOOGLE_CLOUD_PROJECT"),
    token = rest.secret("bigquery.client", opts, "token", env.get("GOOGLE_OAUTH_ACCESS_TOKEN"), "GOOGLE_OAUTH_ACCESS_TOKEN"),
  }, c)
end

local function at(client, pattern, ...)
  return api.path("/bigquery/v2/projects/{}", client.project) .. api.path(pattern, ...)
end

-- Integers are 64 bits, as those of Lua. NUMERIC and what else a float would round stay text.
local readers = {
  INTEGER = function(v) return math.tointeger(tonumber(v)) or v end,
  FLOAT = function(v) return tonumber(v) or v end,
  BOOLEAN = function(v) return v == "true" end,
  TIMESTAMP = function(v)
    local micros = math.tointeger(tonumber(v))
    if not micros then
      return v
    end
    local seconds, rest_of = micros // 1000000, micros % 1000000
    local text = rest.rfc3339(seconds)
    return rest_of == 0 and text or text:sub(1, -2) .. string.format(".%06dZ", rest_of)
  end,
}
readers.INT64, readers.FLOAT64, readers.BOOL = readers.INTEGER, readers.FLOAT, readers.BOOLEAN

local record

local function value(field, v)
  if not v then
    return json.null
  elseif field.type == "RECORD" or field.type == "STRUCT" then
    return record(field.fields or {}, v)
  end
  local read = readers[field.type]
  if read then
    return read(v)
  end
  return v
end

-- record is a row {f = {{v}, …}} by the names of its fields.
function record(fields, row)
  local out = {}
  for i, field in ipairs(fields) do
    local v = ((row.f or {})[i] or {}).v
    if field.mode == "REPEATED" then
      local list = {}
      for n, one in ipairs(v or {}) do
        list[n] = value(field, one.v)
      end
      out[field.name] = list
    elseif field.name then
      out[field.name] = value(field, v)
    end
  end
  return out
end

local function records(schema, rows)
  local out = {}
  for i, row in ipairs(rows or {}) do
    out[i] = record((schema or {}).fields or {}, row)
  end
  return out
end

local types = { string = "STRING", boolean = "BOOL", integer = "INT64", float = "FLOAT64" }

local function typed(v)
  if v == json.null then
    return "STRING", { value = v }
  end
  local name = types[math.type(v) or type(v)]
  if not name then
    error("bigquery: a " .. type(v) .. " cannot be a parameter", 0)
  end
  return name, { value = rest.text(v) }
end

-- parameter is a value as the API takes it; a list is an array of what its first value is.
local function parameter(v)
  if type(v) ~= "table" or v == json.null then
    local name, sent = typed(v)
    return { parameterType = { type = name }, parameterValue = sent }
  end
  local name, values = "STRING", {}
  for i, one in ipairs(v) do
    local own, sent = typed(one)
    name, values[i] = i == 1 and own or name, sent
  end
  return { parameterType = { type = "ARRAY", arrayType = { type = name } }, parameterValue = { arrayValues = values } }
end

local function parameters(params)
  if params == nil then
    return nil, nil
  elseif params[1] ~= nil then
    local list = {}
    for i, v in ipairs(params) do
      list[i] = parameter(v)
    end
    return "POSITIONAL", list
  end
  local names, list = {}, {}
  for name in pairs(params) do
    names[#names + 1] = name
  end
  table.sort(names)
  for i, name in ipairs(names) do
    list[i] = parameter(params[name])
    list[i].name = name
  end
  return "NAMED", list
end

-- run starts a query and waits until it is done; the answer has its first rows.
local function run(client, sql, opts, more)
  local mode, list = parameters(opts.params)
  local body = {
    query = rest.need(sql, "bigquery: sql is required"),
    useLegacySql = false,
    location = opts.location,
    parameterMode = mode,
    queryParameters = list,
    maximumBytesBilled = opts.max_bytes and rest.text(opts.max_bytes),
    formatOptions = { useInt64Timestamp = true },
  }
  for name, v in pairs(more) do
    body[name] = v
  end
  local found = api.call(client, "POST", at(client, "/queries"), body)
  if found.jobComplete ~= false then
    return found
  end
  local job = found.jobReference or {}
  local done = rest.poll(opts.timeout or 300, 1, function()
    found = get(client, at(client, "/queries/{}", job.jobId) .. query("location", job.location, "timeoutMs", 10000,
      "maxResults", more.maxResults, "formatOptions.useInt64Timestamp", true))
    return found.jobComplete
  end)
  if not done then
    error("bigquery: the job " .. rest.text(job.jobId) .. " still runs after " .. rest.text(opts.timeout or 300) .. "s", 0)
  end
  return found
end

function c:query(sql, opts)
  opts = rest.options("bigquery.query", opts, "params location max_bytes timeout limit")
  local size = rest.size(opts, 10000)
  local first = run(self, sql, opts, { maxResults = size })
  local job = first.jobReference or {}
  return rest.all(opts, function(cursor)
    local found = first
    if cursor then
      found = get(self, at(self, "/queries/{}", job.jobId)
        .. query("location", job.location, "pageToken", cursor, "maxResults", size, "formatOptions.useInt64Timestamp", true))
    end
    return records(first.schema, found.rows), found.pageToken
  end)
end

function c:execute(sql, opts)
  opts = rest.options("bigquery.execute", opts, "params location max_bytes timeout")
  local found = run(self, sql, opts, {})
  return { affected = math.tointeger(tonumber(found.numDmlAffectedRows)), job = (found.jobReference or {}).jobId }
end

function c:estimate(sql, opts)
  opts = rest.options("bigquery.estimate", opts, "params location")
  local found = run(self, sql, opts, { dryRun = true })
  return { bytes = math.tointeger(tonumber(found.totalBytesProcessed)), schema = found.schema }
end

local function list(client, where, own, opts, member, most)
  return rest.all(opts, function(cursor)
    local found = get(client, where .. rest.join(own, query("maxResults", rest.size(opts, most), "pageToken", cursor)))
    return found[member], found.nextPageToken
  end)
end

function c:datasets()
  return list(self, at(self, "/datasets"), "", {}, "datasets", 1000)
end

function c:tables(dataset)
  return list(self, at(self, "/datasets/{}/tables", dataset), "", {}, "tables", 1000)
end

function c:table(dataset, name)
  return api.find(self, at(self, "/datasets/{}/tables/{}", dataset, name))
end

function c:rows(dataset, name, opts)
  opts = rest.options("bigquery.rows", opts, "fields limit")
  local found = self:table(dataset, name)
  if not found then
    error("bigquery.rows: there is no table " .. rest.text(dataset) .. "." .. rest.text(name), 0)
  end
  local schema = found.schema or {}
  if opts.fields then
    local wanted, fields = "," .. opts.fields:gsub("%s", "") .. ",", {}
    for _, field in ipairs(schema.fields or {}) do
      if wanted:find("," .. field.name .. ",", 1, true) then
        fields[#fields + 1] = field
      end
    end
    schema = { fields = fields }
  end
  return rest.all(opts, function(cursor)
    local page = get(self, at(self, "/datasets/{}/tables/{}/data", dataset, name) .. query("selectedFields", opts.fields,
      "maxResults", rest.size(opts, 10000), "pageToken", cursor, "formatOptions.useInt64Timestamp", true))
    return records(schema, page.rows), page.pageToken
  end)
end

function c:insert(dataset, name, rows)
  local sent = {}
  for i, row in ipairs(rest.need(rows, "bigquery: rows are required")) do
    sent[i] = { json = row }
  end
  local found = api.call(self, "POST", at(self, "/datasets/{}/tables/{}/insertAll", dataset, name), { rows = sent })
  local failed = (found.insertErrors or {})[1]
  if failed then
    local why = (failed.errors or {})[1] or {}
    error("bigquery.insert: row " .. rest.text((failed.index or 0) + 1) .. ": " .. rest.text(why.message or why.reason or "refused"), 0)
  end
end

function c:jobs(opts)
  opts = rest.options("bigquery.jobs", opts, "state all_users since limit")
  local since = opts.since and rest.text(math.floor(opts.since * 1000))
  return list(self, at(self, "/jobs"), query("stateFilter", opts.state, "allUsers", opts.all_users, "minCreationTime", since, "projection", "full"), opts, "jobs", 1000)
end

function c:job(id, location)
  return api.find(self, at(self, "/jobs/{}", id) .. query("location", location))
end

function c:cancel(id, location)
  return api.call(self, "POST", at(self, "/jobs/{}/cancel", id) .. query("location", location)).job
end

return rest.module("bigquery", M, "project string", "opts table: token endpoint")
