--- @module assay.grpc
--- @description gRPC by server reflection or descriptors. Unary calls and server streams, messages as tables.
--- @keywords grpc, protobuf, proto, grpcurl, reflection, rpc, protoc, buf, descriptor, h2c, metadata, deadline, unary, streaming, status-code, health
--- @synonyms remote-procedure-call, microservice, stub, service-definition
--- @asked call a gRPC method without generated code, as grpcurl does; list the services and methods of a gRPC server; which fields has the request message; send a protobuf message; health check of a gRPC service; read a server stream; use a descriptor set of protoc or buf where there is no reflection; send metadata, a token or a deadline with a call; plain text (h2c) or mTLS; handle NOT_FOUND or UNAVAILABLE and its details
--- @auth { bearer = "..." } or a credential, as http.client takes it
--- @quickref M.connect(target, opts) -> client | host:port with TLS, or a URL; opts: tls (false: plain text, or {ca_cert, client_cert, client_key}, also with _file), metadata, auth, timeout, descriptors (a file), unix
--- @quickref c:call(method, request, opts) -> response | "pkg.Service/Method" with a table; of a stream the list; opts: metadata, timeout, limit, on_message; an error is a table with code, number, message, details, method
--- @quickref c:services() -> [string] | List the services
--- @quickref c:describe(name) -> table | Get the methods of a service, the fields of a message, the values of an enum

local protobuf = require("assay._protobuf")

local M = {}
local c = {}
c.__index = c

local codes = {
  [0] = "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
}

-- The codes of answers that do not come from a server of gRPC (doc/http-grpc-status-mapping.md of gRPC).
local statuses = { [400] = 13, [401] = 16, [403] = 7, [404] = 12, [429] = 14, [502] = 14, [503] = 14, [504] = 14 }

local maxMessage = 16 << 20
local maxQuestions = 1000 -- about types: each answer may name further ones

local function fail(who, format, ...)
  error("grpc." .. who .. ": " .. string.format(format, ...), 0)
end

local learn

local function suggestion(name, names)
  local ok, message = pcall(assert.options, { [name] = 1 }, table.concat(names, " "), "")
  return ok and "" or message:match('"(: did you mean .*)$') or message:match('"(; use .*)$') or ""
end

-- headers are those of a call.
local function headers(self, who, metadata, timeout)
  local out = { ["content-type"] = "application/grpc", te = "trailers", ["grpc-accept-encoding"] = "identity" }
  for _, given in ipairs({ self.metadata or {}, metadata or {} }) do
    if type(given) ~= "table" then
      fail(who, "metadata must be a table")
    end
    for name, v in pairs(given) do
      name = tostring(name):lower()
      if name == "content-type" or name == "te" or name == "accept-encoding" or name:find("^grpc%-") then
        fail(who, "metadata: %q belongs to the protocol", name)
      elseif type(v) ~= "string" and type(v) ~= "number" then
        fail(who, "metadata: %s must be a string; a credential is given as the option auth of grpc.connect", name)
      end
      out[name] = name:find("%-bin$") and base64.encode(tostring(v)):gsub("=+$", "") or v
    end
  end
  if timeout then
    out["grpc-timeout"] = string.format("%dm", math.min(math.max(timeout * 1000 // 1, 1), 99999999))
  end
  return out
end

-- connect makes a client. It sends nothing: types are asked for when a call needs them.
function M.connect(target, opts)
  opts = assert.options(opts, "tls metadata auth timeout descriptors unix", "grpc.connect")
  local tls = opts.tls
  if tls ~= nil and type(tls) ~= "boolean" and type(tls) ~= "table" then
    fail("connect", "tls must be true, false or a table")
  end
  local scheme = tls == false and "http" or "https"
  local url = tostring(target)
  url = url:find("://", 1, true) and url or scheme .. "://" .. url
  local is, host = url:match("^(https?)://([^/?#@%s]+)/*$")
  if not is then
    fail("connect", "%q is not host:port, nor an http or https URL of a host", tostring(target))
  elseif tls ~= nil and is ~= scheme then
    fail("connect", "the option tls does not go with %s://", is)
  end
  local made = assert.options(type(tls) == "table" and tls or {},
    "ca_cert ca_cert_file client_cert client_key client_cert_file client_key_file insecure_skip_verify", "grpc.connect: tls")
  local via = { http2 = true, redirects = false, auth = opts.auth, unix = opts.unix }
  for name, v in pairs(made) do
    via[name] = v
  end
  local self = setmetatable({
    url = is .. "://" .. host, via = http.client(via), metadata = opts.metadata, timeout = opts.timeout, types = protobuf.standards(), questions = 0,
  }, c)
  if opts.descriptors then
    local found = protobuf.values(fs.read(opts.descriptors))[1]
    if #found == 0 then
      fail("connect", "%s has no descriptors: write it with protoc --descriptor_set_out=FILE --include_imports, or buf build -o FILE", opts.descriptors)
    end
    local imports = {}
    for _, file in ipairs(found) do
      local name, paths = self.types:add(file)
      for _, path in ipairs(paths) do
        imports[path] = name
      end
    end
    for path, name in pairs(imports) do
      if not self.types.files[path] and not path:find("^google/protobuf/") then
        fail("connect", "%s: %s imports %s, which is missing: add --include_imports", opts.descriptors, name, path)
      end
    end
    self.known = true
  end
  self.types.find = function(name)
    return not self.known and pcall(learn, self, name)
  end
  headers(self, "connect")
  return self
end

-- failure raises the error of a call.
local function failure(self, path, number, message, details)
  local code = codes[number] or "CODE_" .. tostring(number)
  local e = { code = code, number = number, message = message, method = path, details = {} }
  for i, any in ipairs(details or {}) do
    e.details[i] = self.types:decode(any, "google.protobuf.Any")
  end
  error(setmetatable(e, { __tostring = function() return "grpc: " .. path .. ": " .. code .. ": " .. message end }), 0)
end

-- finish looks how a call ended, and at problem, what was wrong with its messages.
local function finish(self, path, response, problem)
  local trailers, kind = response.trailers or {}, response.headers["content-type"] or ""
  if response.status ~= 200 then
    failure(self, path, statuses[response.status] or 2, "HTTP " .. response.status)
  elseif not kind:find("^application/grpc") or kind:find("^application/grpc%-web") then
    failure(self, path, 2, "the answer is not gRPC but " .. (kind == "" and "without a type" or kind))
  elseif problem then
    error(problem, 0)
  end
  local from = trailers["grpc-status"] and trailers or response.headers -- of an answer that is nothing but trailers
  local number = math.tointeger(tonumber(from["grpc-status"]))
  if not number then
    failure(self, path, 13, "the answer ends without a status")
  elseif number ~= 0 then
    local message = (from["grpc-message"] or ""):gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end)
    local bytes = (from["grpc-status-details-bin"] or ""):gsub("=+$", "")
    local ok, status = pcall(function() return protobuf.values(base64.decode(bytes .. ("="):rep(-#bytes % 4))) end)
    failure(self, path, number, message, ok and status[3] or {})
  end
end

-- messages returns a function that takes the bytes of an answer and gives on_message each message in them.
local function messages(self, path, on_message)
  local rest = {} -- what came, until there is a whole message
  local have, need = 0, 5
  return function(chunk)
    rest[#rest + 1] = chunk
    have = have + #chunk
    while have >= need do
      local all = table.concat(rest)
      local flag, size = string.unpack(">BI4", all)
      if flag ~= 0 then
        failure(self, path, 13, "a message is compressed, which nobody asked for")
      elseif size > maxMessage then
        failure(self, path, 8, string.format("a message of %d bytes is larger than %d", size, maxMessage))
      end
      need = 5 + size
      rest, have = { all }, #all
      if have < need then
        return true
      end
      rest, have = { all:sub(need + 1) }, have - need
      local going = on_message(all:sub(6, need))
      need = 5
      if going == false then
        return false
      end
    end
    return true
  end, function() return have == 0 end
end

-- send makes a call and gives on_message each message that comes, until it returns false.
local function send(self, who, path, message, opts, on_message)
  local timeout = opts.timeout or self.timeout or not opts.streams and 30 or nil
  local take, ended = messages(self, path, on_message)
  local stopped, raised
  local response
  local ok, err = pcall(function()
    response = self.via:post(self.url .. "/" .. path, string.pack(">BI4", 0, #message) .. message, {
      headers = headers(self, who, opts.metadata, timeout), timeout = timeout,
      on_chunk = function(chunk)
        local fine, going = pcall(take, chunk)
        if not fine then
          raised = going
        end
        stopped = not fine or going == false
        return not stopped
      end,
    })
  end)
  if not ok then
    local text = tostring(err):gsub("^.-http%.post failed: ", "")
    if text:find("the policy", 1, true) then
      fail(who, "%s", text)
    elseif text:find("not look like a TLS handshake", 1, true) or text:find("HTTP response to HTTPS", 1, true) then
      text = text .. " (tls = false is plain text)"
    end
    failure(self, path, text:find("deadline exceeded", 1, true) and 4 or 14, text)
  elseif response.headers["x-dry-run"] then
    on_message("")
    return
  elseif stopped and not raised then
    return
  end
  finish(self, path, response, raised)
  if not ended() then
    failure(self, path, 13, "the answer ends within a message")
  end
end

-- ask asks the server about its types (grpc.reflection.v1, or else v1alpha): with one request of the stream, which is whole then.
local function ask(self, number, text)
  self.questions = self.questions + 1
  if self.questions > maxQuestions then
    fail("connect", "the server was asked about its types more than %d times", maxQuestions)
  end
  local question = string.char(number << 3 | 2) .. string.char(#text & 0x7f | (#text > 127 and 0x80 or 0)) .. (#text > 127 and string.char(#text >> 7) or "") .. text
  for _, version in ipairs(self.version and { self.version } or { "v1", "v1alpha" }) do
    local answer
    local ok, err = pcall(send, self, "connect", "grpc.reflection." .. version .. ".ServerReflection/ServerReflectionInfo", question, {}, function(message)
      answer = protobuf.values(message)
      return false
    end)
    if answer then
      self.version = version
      if answer[7][1] then
        fail("connect", "the server says: %s", protobuf.values(answer[7][1])[2][1] or "it knows nothing")
      end
      return answer
    elseif not ok and (type(err) ~= "table" or err.code ~= "UNIMPLEMENTED") then
      error(err, 0)
    elseif ok then
      fail("connect", "the server did not answer about its types")
    end
  end
  fail("connect", "the server has no reflection: give the option descriptors")
end

-- learn asks for the files that declare a name, and for those that they import.
learn = function(self, name)
  local number, text, wanted, asked = 4, name, {}, {}
  repeat
    local answer = ask(self, number, text)
    local found = answer[4][1] and protobuf.values(answer[4][1])[1] or {}
    if #found == 0 then
      fail("connect", "the server did not send the types of %s", text)
    end
    for _, file in ipairs(found) do
      local _, imports = self.types:add(file)
      for _, path in ipairs(imports) do
        wanted[#wanted + 1] = path
      end
    end
    number, text = 3, nil
    while #wanted > 0 and not text do
      local path = table.remove(wanted)
      if not self.types.files[path] and not asked[path] and not path:find("^google/protobuf/") then
        text, asked[path] = path, true
      end
    end
  until not text
end

-- known finds a service or a type, and raises for one that there is not.
local function known(self, who, name)
  local t = self.types
  local function find()
    return t.services[name] or t:describe(name)
  end
  local found = find()
  if not found and not self.known then
    local ok, err = pcall(learn, self, name)
    found = find()
    if not found and not ok and (type(err) == "table" or not tostring(err):find("the server says", 1, true)) then
      error(err, 0)
    end
  end
  return found or fail(who, "unknown service or type %q%s", name, suggestion(name, self:services()))
end

function c:services()
  local names = {}
  if self.known then
    for name in pairs(self.types.services) do
      names[#names + 1] = name
    end
  else
    for _, list in ipairs(ask(self, 7, "*")[6]) do
      for _, one in ipairs(protobuf.values(list)[1]) do
        names[#names + 1] = protobuf.values(one)[1][1]
      end
    end
  end
  table.sort(names)
  return names
end

function c:describe(name)
  local service, method = tostring(name):match("^/?([^/]+)/([^/]+)$")
  if not service then
    known(self, "describe", name)
    return self.types:describe(name)
  end
  for _, m in ipairs(known(self, "describe", service).methods or {}) do
    if m.name == method then
      return m
    end
  end
  fail("describe", "%s has no method %q", service, method)
end

function c:call(method, request, opts)
  opts = assert.options(opts, "metadata timeout limit on_message", "grpc.call")
  local service, name = tostring(method):match("^/?([^/]+)/([^/]+)$")
  if not service then
    fail("call", "%q is no method: write pkg.Service/Method", tostring(method))
  end
  local s = known(self, "call", service)
  if not s.by then
    fail("call", "%s is not a service", service)
  end
  local m = s.by[name]
  if not m then
    local names = {}
    for i, one in ipairs(s.methods) do
      names[i] = one.name
    end
    fail("call", "%s has no method %q%s", service, name, suggestion(name, names))
  elseif m.client_streaming then
    fail("call", "%s/%s takes a stream of requests: only methods that take one request can be called", service, name)
  elseif (opts.limit or opts.on_message) and not m.server_streaming then
    fail("call", "limit and on_message are for streams, which %s/%s has not", service, name)
  end
  if opts.limit ~= nil and (math.tointeger(opts.limit) or 0) < 1 then
    fail("call", "limit must be a positive integer")
  end
  if request ~= nil and type(request) ~= "table" then
    fail("call", "the request must be a table, not a %s", type(request))
  end
  local ok, message = pcall(self.types.encode, self.types, request or {}, m.input)
  if not ok then
    error(type(message) == "string" and "grpc.call: " .. message or message, 0)
  end
  local path, out = service .. "/" .. name, {}
  send(self, "call", path, message, { metadata = opts.metadata, timeout = opts.timeout, streams = opts.on_message ~= nil }, function(bytes)
    if not m.server_streaming and #out > 0 then
      failure(self, path, 13, "the server sent more than one message")
    end
    local fine, v = pcall(self.types.decode, self.types, bytes, m.output)
    if not fine then
      failure(self, path, 13, "the answer is no " .. m.output .. ": " .. tostring(v))
    elseif opts.on_message then
      return opts.on_message(v)
    end
    out[#out + 1] = v
    return #out ~= opts.limit
  end)
  if m.server_streaming then
    return not opts.on_message and out or nil
  elseif #out == 0 then
    failure(self, path, 13, "the server sent no message")
  end
  return out[1]
end

return M
