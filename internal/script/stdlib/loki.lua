--- @module assay.loki
--- @description Loki log aggregation. Push and query logs with LogQL, labels, series, tail, readiness, metrics.
--- @keywords loki, logs, log, logging, logql, labels, query, grafana, search-logs, observability
--- @synonyms log-lines, lines, line, grep, tail, follow, stream, search, find, errors, error, printed, output, stdout, stderr, messages, container, application-logs, app
--- @asked find log lines with an error; follow the logs of an application; which labels do logs have
--- @env LOKI_URL
--- @quickref M.selector(labels) -> string | Build a stream selector from a table of labels
--- @quickref c:push(stream_labels, entries) -> true | Send log lines, each a string or {ts, line} with ts in nanoseconds
--- @quickref c:query(logql, opts) -> [result] | Query at one time; opts: limit, time, direction
--- @quickref c:query_range(logql, opts) -> [result] | Query a range of time; opts: start, end_time, limit, step, direction
--- @quickref c:labels(opts) -> [string] | List names of labels; opts: start, end_time
--- @quickref c:label_values(label_name, opts) -> [string] | List values of a label; opts: start, end_time
--- @quickref c:series(match_selectors, opts) -> [labels] | List streams that match selectors; opts: start, end_time
--- @quickref c:tail(logql, opts) -> {streams} | Follow log lines as they come: the first message, or all until opts.on_message returns false; opts: limit, start, delay_for, on_message
--- @quickref c:ready() -> bool | Is the server ready
--- @quickref c:metrics() -> string | Get the server's own metrics

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("loki")
local get, path = api.get, api.path

local function data(client, where)
  return (get(client, where) or {}).data
end

function M.client(url)
  return setmetatable({ url = rest.base("loki.client", url or env.get("LOKI_URL"), "LOKI_URL") }, c)
end

function M.selector(labels)
  local terms = {}
  for name, value in pairs(labels) do
    terms[#terms + 1] = name .. "=" .. rest.quoted(value)
  end
  table.sort(terms)
  return "{" .. table.concat(terms, ",") .. "}"
end

function c:push(stream_labels, entries)
  local now = time()
  local seconds = math.floor(now)
  local nanos = math.floor((now - seconds) * 1e6) * 1000
  local values = {}
  for i, entry in ipairs(entries) do
    if type(entry) == "table" then
      values[i] = { rest.text(entry[1]), entry[2] }
    else
      -- A nanosecond apart, so that the lines keep their order. The two halves are
      -- printed apart: a float does not hold as many digits.
      values[i] = { string.format("%d%09d", seconds, nanos + (i - 1) % 1000), entry }
    end
  end
  local body = { streams = { { stream = stream_labels, values = values } } }
  api.call(self, "POST", "/loki/api/v1/push", body, "204")
  return true
end

function c:query(logql, opts)
  opts = rest.options("loki.query", opts, "limit time direction")
  local found = data(self, "/loki/api/v1/query" .. query("query", logql, "limit", opts.limit, "time", opts.time,
    "direction", opts.direction))
  return found and found.result
end

function c:query_range(logql, opts)
  opts = rest.options("loki.query_range", opts, "start end_time limit step direction")
  local found = data(self, "/loki/api/v1/query_range" .. query("query", logql, "start", opts.start, "end", opts.end_time,
    "limit", opts.limit, "step", opts.step, "direction", opts.direction))
  return found and found.result
end

function c:labels(opts)
  opts = rest.options("loki.labels", opts, "start end_time")
  return data(self, "/loki/api/v1/labels" .. query("start", opts.start, "end", opts.end_time))
end

function c:label_values(label_name, opts)
  opts = rest.options("loki.label_values", opts, "start end_time")
  return data(self, path("/loki/api/v1/label/{}/values", label_name) .. query("start", opts.start, "end", opts.end_time))
end

function c:series(match_selectors, opts)
  opts = rest.options("loki.series", opts, "start end_time")
  return data(self, "/loki/api/v1/series" .. query("match[]", match_selectors, "start", opts.start, "end", opts.end_time))
end

-- tail is a WebSocket, on which Loki sends {streams, dropped_entries} again and again.
function c:tail(logql, opts)
  opts = rest.options("loki.tail", opts, "limit start delay_for on_message")
  local where = "/loki/api/v1/tail"
    .. query("query", logql, "limit", opts.limit, "start", opts.start, "delay_for", opts.delay_for)
  local ok, result = pcall(function()
    local connection <close> = setmetatable({ ws.connect(self.url .. where) }, { __close = function(held) ws.close(held[1]) end })
    while true do
      local message = json.parse(ws.recv(connection[1]))
      if not opts.on_message or opts.on_message(message) == false then
        return message
      end
    end
  end)
  return ok and result or error("loki: tail " .. where .. ": " .. tostring(result), 0)
end

function c:ready()
  return api.send(self, "GET", "/ready").status == 200
end

function c:metrics()
  return rest.check(api.send(self, "GET", "/metrics"), "200", "loki: GET /metrics").body
end

return rest.module("loki", M, "url string")
