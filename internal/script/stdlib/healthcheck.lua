--- @module assay.healthcheck
--- @description Healthcheck of HTTP endpoints. Status, latency, JSON values, body text, many checks at once, waiting.
--- @keywords healthcheck, health, http, check, url, endpoint, service, uptime, latency, status, probe, wait, ready, smoke-test
--- @synonyms site, website, page, up, down, alive, reachable, respond, responds, answers, slow, fast, response-time, ping, monitor, api, field, works
--- @asked is the site up; how fast does it answer; wait until a service responds; does the page contain a text
--- @quickref M.http(url, opts) -> {ok, status, latency_ms, error} | Check a request; opts: method, body, headers, expected_status
--- @quickref M.json_path(url, path_expr, expected, opts) -> {ok, actual, expected, error} | Check a value in a JSON body by its dotted path; opts: headers
--- @quickref M.status_code(url, expected, opts) -> {ok, status, error} | Check the status; opts: headers
--- @quickref M.body_contains(url, pattern, opts) -> {ok, found, error} | Check that the body contains a text; opts: headers
--- @quickref M.endpoint(url, opts) -> {ok, status, latency_ms, error} | Check status and latency; opts: max_latency_ms, expected_status, headers
--- @quickref M.multi(checks) -> {ok, results, passed, failed, total} | Run checks, a list of {name, check}
--- @quickref M.wait(url, opts) -> {ok, status, attempts} | Wait for a status; opts: timeout, interval, expect_status, headers

local rest = require("assay._rest")

local M = {}

local methods = { GET = true, HEAD = true, POST = true, PUT = true, PATCH = true, DELETE = true }

-- fetch never raises: it gives a response or else nil and what went wrong, and the
-- milliseconds that it took.
local function fetch(url, opts)
  local method = (opts.method or "GET"):upper()
  if not methods[method] then
    return nil, "unsupported method " .. method, 0
  end
  local start = time()
  local ok, response = pcall(rest.request, method, url, opts.headers, opts.body)
  local latency_ms = math.max(0, (time() - start) * 1000)
  if ok then
    return response, nil, latency_ms
  end
  return nil, tostring(response), latency_ms
end

-- visit is fetch and its outcome as a result that is ok when the status is the one
-- expected.
local function visit(url, opts, expected)
  local response, failure, latency_ms = fetch(url, opts)
  local status = response and response.status or 0
  if response and status ~= expected then
    failure = "expected status " .. rest.text(expected) .. ", got " .. rest.text(status)
  end
  return { ok = failure == nil, status = status, latency_ms = latency_ms, error = failure }
end

-- body is the body of a GET, or else nil and what went wrong.
local function body(url, opts)
  local response, failure = fetch(url, { headers = opts.headers })
  if not response then
    return nil, failure
  elseif response.status ~= 200 then
    return nil, "HTTP " .. rest.text(response.status)
  end
  return response.body
end

local function equal(a, b)
  if type(a) == "table" and type(b) == "table" then
    return json.encode(a) == json.encode(b)
  end
  return a == b
end

function M.http(url, opts)
  opts = rest.options("healthcheck.http", opts, "expected_status method body headers")
  return visit(url, opts, opts.expected_status or 200)
end

function M.json_path(url, path_expr, expected, opts)
  opts = rest.options("healthcheck.json_path", opts, "headers")
  local text, failure = body(url, opts)
  if not text then
    return { ok = false, expected = expected, error = failure }
  end
  local ok, value = pcall(json.parse, text)
  if not ok then
    return { ok = false, expected = expected, error = "body is not JSON: " .. tostring(value) }
  end
  for key in path_expr:gmatch("[^.]+") do
    if type(value) ~= "table" then
      value = nil
      break
    end
    local member = value[key]
    if member == nil and key:find("^%d+$") then
      member = value[tonumber(key)]
    end
    value = member
  end
  if equal(value, expected) then
    return { ok = true, actual = value, expected = expected }
  end
  local message = path_expr .. " is " .. tostring(value) .. ", expected " .. tostring(expected)
  return { ok = false, actual = value, expected = expected, error = message }
end

function M.status_code(url, expected, opts)
  opts = rest.options("healthcheck.status_code", opts, "headers")
  local result = visit(url, { headers = opts.headers }, expected or 200)
  return { ok = result.ok, status = result.status, error = result.error }
end

function M.body_contains(url, pattern, opts)
  opts = rest.options("healthcheck.body_contains", opts, "headers")
  local text, failure = body(url, opts)
  if not text then
    return { ok = false, found = false, error = failure }
  elseif text:find(pattern, 1, true) then
    return { ok = true, found = true }
  end
  return { ok = false, found = false, error = "body does not contain " .. rest.quoted(pattern) }
end

function M.endpoint(url, opts)
  opts = rest.options("healthcheck.endpoint", opts, "max_latency_ms headers expected_status")
  local limit = opts.max_latency_ms or 5000
  local result = visit(url, { headers = opts.headers }, opts.expected_status or 200)
  if result.ok and result.latency_ms > limit then
    result.ok = false
    result.error = string.format("latency %.0f ms is over %.0f ms", result.latency_ms, limit)
  end
  return result
end

function M.multi(checks)
  local results, passed = {}, 0
  for i, check in ipairs(checks) do
    local ok, result = pcall(check.check)
    if not ok then
      result = { ok = false, error = tostring(result) }
    elseif type(result) ~= "table" then
      result = { ok = result and true or false }
    end
    result.name = check.name
    results[i] = result
    if result.ok then
      passed = passed + 1
    end
  end
  local failed = #results - passed
  return { ok = failed == 0, results = results, passed = passed, failed = failed, total = #results }
end

function M.wait(url, opts)
  opts = rest.options("healthcheck.wait", opts, "timeout interval expect_status headers")
  local timeout, interval, expected = opts.timeout or 60, opts.interval or 2, opts.expect_status or 200
  local attempts = math.max(1, math.ceil(timeout / interval))
  local deadline = time() + timeout
  for attempt = 1, attempts do
    local response = fetch(url, { headers = opts.headers })
    if response and response.status == expected then
      return { ok = true, status = response.status, attempts = attempt }
    elseif attempt == attempts or time() >= deadline then
      break
    end
    sleep(interval)
  end
  error("healthcheck.wait: " .. url .. " not healthy after " .. rest.text(timeout) .. "s", 0)
end

return M
