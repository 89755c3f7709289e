-- Messages of Protocol Buffers as tables, by their descriptors (protobuf.dev/programming-guides/encoding and /json).
-- It belongs to assay.grpc and is no module of its own.

local rest = require("assay._rest")

local M = {}
local types = {}
types.__index = types

local DOUBLE, FLOAT, INT64, UINT64, INT32, FIXED64, FIXED32, BOOL, STRING, GROUP, MESSAGE, BYTES, UINT32, ENUM, SFIXED32, SFIXED64, SINT32, SINT64 =
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18

local names = {
  "double", "float", "int64", "uint64", "int32", "fixed64", "fixed32", "bool", "string", "group", "message", "bytes", "uint32", "enum", "sfixed32",
  "sfixed64", "sint32", "sint64",
}

-- The kind of each type on the wire; 0 where it is not here.
local kinds = {
  [DOUBLE] = 1, [FIXED64] = 1, [SFIXED64] = 1, [STRING] = 2, [MESSAGE] = 2, [BYTES] = 2, [GROUP] = 3, [FLOAT] = 5, [FIXED32] = 5, [SFIXED32] = 5,
}

-- The numbers of fixed size, as string.pack has them.
local packed = { [DOUBLE] = "<d", [FLOAT] = "<f", [FIXED64] = "<i8", [SFIXED64] = "<i8", [FIXED32] = "<I4", [SFIXED32] = "<i4" }

local maxDepth = 100

local function fail(format, ...)
  error(string.format(format, ...), 0)
end

-- varint reads a number and returns the place behind it.
local function varint(s, at)
  local n, shift = 0, 0
  repeat
    local byte = s:byte(at)
    if not byte or shift > 63 then
      fail("a number in it does not end")
    end
    n = n | (byte & 0x7f) << shift
    at, shift = at + 1, shift + 7
  until byte < 0x80
  return n, at
end

-- field reads a field and returns its number, its kind, its value, and the place behind it. The value of a group is what is in it.
local function field(s, at, depth)
  local tag, value, start
  tag, at = varint(s, at)
  local number, kind, from = tag >> 3, tag & 7, at
  if kind == 0 then
    value, at = varint(s, at)
  elseif kind == 1 or kind == 5 then
    at = at + (kind == 1 and 8 or 4)
    value = s:sub(from, at - 1)
  elseif kind == 2 then
    value, from = varint(s, at)
    if value < 0 or value > #s then
      fail("a field of it is cut off")
    end
    at = from + value
    value = s:sub(from, at - 1)
  elseif kind == 3 and depth < maxDepth then
    local inner, ends
    repeat
      start = at
      inner, ends, _, at = field(s, at, depth + 1)
    until ends == 4
    if inner ~= number then
      fail("a group in it does not end")
    end
    value = s:sub(from, start - 1)
  elseif kind ~= 4 then
    fail("it has a field of kind %d", kind)
  end
  if number == 0 or number >= 1 << 29 or at > #s + 1 then
    fail("a field of it is cut off")
  end
  return number, kind, value, at
end

local nothing = {}
local lists = { __index = function() return nothing end }

-- values returns the values of a message by the numbers of their fields, each a list.
function M.values(s)
  local out, at = {}, 1
  while at <= #s do
    local number, kind, value
    number, kind, value, at = field(s, at, 0)
    if kind ~= 4 then
      out[number] = out[number] or {}
      table.insert(out[number], value)
    end
  end
  return setmetatable(out, lists)
end

local function object()
  return json.parse("{}")
end

local function camel(name)
  return (name:gsub("_+(%l?)", string.upper))
end

-- types returns no types yet.
function M.types()
  return setmetatable({ files = {}, messages = {}, enums = {}, services = {} }, types)
end

-- features returns the presence and the packing that a message of FeatureSet asks for, or those that are given.
local function features(s, presence, packing)
  local v = M.values(s or "")
  return v[1][1] or presence, v[3][1] or packing
end

local function fieldOf(s, file)
  local v = M.values(s)
  local options = M.values(v[8][1] or "")
  local f = {
    name = v[1][1] or "", number = v[3][1] or 0, type = v[5][1] or 0, repeated = v[4][1] == 3, of = (v[6][1] or ""):gsub("^%.", ""),
    optional = v[17][1] == 1,
  }
  f.json = v[10][1] or camel(f.name)
  f.oneof = v[9][1] and v[9][1] + 1
  local presence, packing = features(options[21][1], file.presence, file.packing)
  if not file.editions then
    packing = options[2][1] or packing
  end
  f.has = not f.repeated and (f.oneof ~= nil or f.type == MESSAGE or f.type == GROUP or presence ~= 2 or v[4][1] == 2)
  f.packed = f.repeated and packing == 1 and (kinds[f.type] or 0) ~= 2 and f.type ~= GROUP
  if file.editions and f.type == MESSAGE and M.values(options[21][1] or "")[5][1] == 2 then
    f.type = GROUP
  end
  return f
end

local function enumOf(self, s, scope)
  local v = M.values(s)
  local e = { name = scope .. (v[1][1] or ""), values = {}, numbers = {} }
  for _, one in ipairs(v[2]) do
    local value = M.values(one)
    local name, number = value[1][1] or "", value[2][1] or 0
    e.values[name] = number
    e.numbers[number] = e.numbers[number] or name
  end
  self.enums[e.name] = e
end

local function messageOf(self, s, scope, file, depth)
  if depth > maxDepth then
    fail("messages are declared more than %d deep", maxDepth)
  end
  local v = M.values(s)
  local m = { name = scope .. (v[1][1] or ""), fields = {}, by = {}, numbers = {}, oneofs = {}, map = M.values(v[7][1] or "")[7][1] == 1 }
  local inner = setmetatable({}, { __index = file })
  inner.presence, inner.packing = features(M.values(v[7][1] or "")[12][1], file.presence, file.packing)
  for _, one in ipairs(v[8]) do
    table.insert(m.oneofs, M.values(one)[1][1] or "")
  end
  for _, one in ipairs(v[2]) do
    local f = fieldOf(one, inner)
    table.insert(m.fields, f)
    m.by[f.name], m.numbers[f.number] = f, f
  end
  for _, f in ipairs(m.fields) do
    m.by[f.json] = f
  end
  table.sort(m.fields, function(a, b) return a.number < b.number end)
  self.messages[m.name] = self.messages[m.name] or m -- so that nobody takes the place of a standard one
  for _, one in ipairs(v[3]) do
    messageOf(self, one, m.name .. ".", inner, depth + 1)
  end
  for _, one in ipairs(v[4]) do
    enumOf(self, one, m.name .. ".")
  end
end

-- add adds the types of a file, a FileDescriptorProto, and returns its name and those of the files that it imports.
function types:add(s)
  local v = M.values(s)
  local name = v[1][1] or ""
  if self.files[name] then
    return name, v[3]
  end
  self.files[name] = true
  local syntax = v[12][1] or "proto2"
  local file = { editions = syntax == "editions", presence = syntax == "proto3" and 2 or 1, packing = syntax == "proto2" and 2 or 1 }
  if file.editions then
    file.presence, file.packing = features(M.values(v[8][1] or "")[50][1], file.presence, file.packing)
  end
  local scope = v[2][1] and v[2][1] ~= "" and v[2][1] .. "." or ""
  for _, one in ipairs(v[4]) do
    messageOf(self, one, scope, file, 0)
  end
  for _, one in ipairs(v[5]) do
    enumOf(self, one, scope)
  end
  for _, one in ipairs(v[6]) do
    local service = M.values(one)
    local made = { name = scope .. (service[1][1] or ""), methods = {}, by = {} }
    for _, each in ipairs(service[2]) do
      local m = M.values(each)
      local method = {
        name = m[1][1] or "", input = (m[2][1] or ""):gsub("^%.", ""), output = (m[3][1] or ""):gsub("^%.", ""),
        client_streaming = m[5][1] == 1, server_streaming = m[6][1] == 1,
      }
      table.insert(made.methods, method)
      made.by[method.name] = method
    end
    self.services[made.name] = made
  end
  return name, v[3]
end

-- message returns a type that is there, or raises.
function types:message(name)
  return self.messages[name] or fail("the type %s is not known", name)
end

local function unsigned(n)
  if n >= 0 then
    return n
  end
  local tenth = (n >> 1) // 5
  return string.format("%d%d", tenth, n - tenth * 10) -- as text, because no integer is as large
end

-- shortest is a number of 32 bits with no more digits than it takes to tell it apart.
local function shortest(n)
  local raw = string.pack("<f", n)
  for digits = 6, 9 do
    local short = tonumber(string.format("%." .. digits .. "g", n))
    if short and string.pack("<f", short) == raw then
      return short
    end
  end
  return n
end

local function signed32(n)
  n = n & 0xffffffff
  return n < 1 << 31 and n or n - (1 << 32)
end

-- scalar makes a value of one of the wire.
local function scalar(self, f, value)
  local t = f.type
  if packed[t] then
    value = string.unpack(packed[t], value)
  end
  if t == FLOAT then
    return shortest(value)
  elseif t == UINT64 or t == FIXED64 then
    return unsigned(value)
  elseif t == INT32 then
    return signed32(value)
  elseif t == UINT32 then
    return value & 0xffffffff
  elseif t == BOOL then
    return value ~= 0
  elseif t == BYTES then
    return base64.encode(value)
  elseif t == SINT64 or t == SINT32 then
    return value >> 1 ~ -(value & 1)
  elseif t == ENUM then
    value = signed32(value)
    if f.of == "google.protobuf.NullValue" then
      return json.null
    end
    local e = self.enums[f.of]
    return e and e.numbers[value] or value
  end
  return value
end

local function default(self, f)
  local t = f.type
  if t == STRING or t == BYTES then
    return ""
  elseif t == BOOL then
    return false
  elseif t == DOUBLE or t == FLOAT then
    return 0.0
  elseif t == ENUM then
    return scalar(self, f, 0)
  end
  return 0
end

local decode

-- one makes a value of a field that is no list.
local function one(self, f, value, depth)
  if f.type == MESSAGE or f.type == GROUP then
    return decode(self, value, self:message(f.of), depth + 1)
  end
  return scalar(self, f, value)
end

-- elements adds the values of a list that stand together.
local function elements(self, f, list, s)
  local at, size = 1, f.type and packed[f.type] and string.packsize(packed[f.type])
  while at <= #s do
    local value
    if size then
      value, at = s:sub(at, at + size - 1), at + size
      if #value < size then
        fail("a list in it is cut off")
      end
    else
      value, at = varint(s, at)
    end
    table.insert(list, scalar(self, f, value))
  end
end

local function entry(self, m, s, out, depth)
  local v = M.values(s)
  local k, f = m.numbers[1], m.numbers[2]
  local name, value = v[1][#v[1]], v[2][#v[2]]
  name = name == nil and default(self, k) or scalar(self, k, name)
  if value == nil and f.type ~= MESSAGE then
    value = default(self, f)
  else
    value = one(self, f, value or "", depth)
  end
  out[tostring(name)] = value
end

local special

-- decode makes a table of a message.
decode = function(self, s, m, depth)
  if depth > maxDepth then
    fail("messages nest more than %d deep", maxDepth)
  end
  local out, parts, at = object(), {}, 1
  while at <= #s do
    local number, kind, value
    number, kind, value, at = field(s, at, depth)
    local f = m.numbers[number]
    local wanted = f and (kinds[f.type] or 0)
    if f and f.oneof then
      for _, other in ipairs(m.fields) do
        if other.oneof == f.oneof and other ~= f then
          out[other.json], parts[other] = nil, nil
        end
      end
    end
    if not f or kind ~= wanted and not (kind == 2 and f.repeated and wanted ~= 3) then
      -- a field that is not known, or is something else
    elseif f.repeated then
      local of = f.type == MESSAGE and self:message(f.of)
      local list = out[f.json] or of and of.map and object() or {}
      if of and of.map then
        entry(self, of, value, list, depth)
      elseif kind ~= wanted then
        elements(self, f, list, value)
      else
        table.insert(list, one(self, f, value, depth))
      end
      out[f.json] = list
    elseif f.type == MESSAGE or f.type == GROUP then
      parts[f] = (parts[f] or "") .. value -- of which all are one message
    else
      out[f.json] = scalar(self, f, value)
    end
  end
  for f, part in pairs(parts) do
    out[f.json] = one(self, f, part, depth)
  end
  for _, f in ipairs(m.fields) do
    if out[f.json] == nil and f.repeated then
      local of = f.type == MESSAGE and self:message(f.of)
      out[f.json] = of and of.map and object() or {}
    elseif out[f.json] == nil and not f.has then
      out[f.json] = default(self, f)
    end
  end
  if special[m.name] then
    return special[m.name].read(self, out, depth)
  end
  return out
end

-- decode makes a table of a message of a type.
function types:decode(s, name)
  return decode(self, s, self:message(name), 0)
end

local encode

local function tag(number, kind)
  return number << 3 | kind
end

local function writeVarint(n)
  local out = {}
  repeat
    local byte = n & 0x7f
    n = n >> 7
    out[#out + 1] = string.char(n ~= 0 and byte | 0x80 or byte)
  until n == 0
  return table.concat(out)
end

-- The bounds of integers; those of 64 bits without sign are looked at where they are read.
local bounds = {
  [INT32] = { -(1 << 31), (1 << 31) - 1 }, [SFIXED32] = { -(1 << 31), (1 << 31) - 1 }, [SINT32] = { -(1 << 31), (1 << 31) - 1 },
  [UINT32] = { 0, (1 << 32) - 1 }, [FIXED32] = { 0, (1 << 32) - 1 },
}

-- integer reads a number of a field; a large one without sign may be text.
local function integer(f, v, path)
  local n = math.tointeger(v)
  if type(v) == "string" then
    n = math.tointeger(tonumber(v:match("^%-?%d+$")))
    local head, last = v:match("^(%d+)(%d)$")
    if not n and (f.type == UINT64 or f.type == FIXED64) and head and #v <= 20 and v <= ("18446744073709551615"):sub(1, #v) then
      return math.tointeger(tonumber(head)) * 10 + tonumber(last)
    end
  end
  local bound = bounds[f.type]
  if not n or bound and (n < bound[1] or n > bound[2]) or n < 0 and (f.type == UINT64 or f.type == FIXED64) then
    fail("%s must be %s %s, not %s", path, names[f.type]:find("^[iu]") and "an" or "a", names[f.type], type(v) == "table" and "a table" or tostring(v))
  end
  return n
end

local words = { NaN = 0 / 0, Infinity = 1 / 0, ["-Infinity"] = -1 / 0 }

-- write returns a value as it is on the wire, without its tag.
local function write(self, f, v, path, depth)
  local t = f.type
  local function wrong(what)
    fail("%s must be %s, not a %s", path, what, type(v))
  end
  if t == MESSAGE or t == GROUP then
    return encode(self, v, self:message(f.of), path, depth + 1)
  elseif t == STRING then
    if type(v) ~= "string" then
      wrong("a string")
    elseif not utf8.len(v) then
      fail("%s is not UTF-8", path)
    end
    return v
  elseif t == BYTES then
    if type(v) ~= "string" then
      wrong("base64 (base64.encode)")
    end
    local ok, bytes = pcall(base64.decode, v)
    return ok and bytes or fail("%s must be base64 (base64.encode)", path)
  elseif t == BOOL then
    if type(v) ~= "boolean" then
      wrong("true or false")
    end
    return writeVarint(v and 1 or 0)
  elseif t == DOUBLE or t == FLOAT then
    local n = words[v] or tonumber(v)
    return n and string.pack(packed[t], n) or wrong("a number")
  elseif t == ENUM then
    local e = self.enums[f.of]
    if v == json.null then
      v = 0
    end
    local n = e and e.values[v] or math.tointeger(v)
    if not n then
      local all = {}
      for name in pairs(e and e.values or {}) do
        all[#all + 1] = name
      end
      table.sort(all)
      fail("%s must be one of %s, not %s", path, table.concat(all, ", "), tostring(v))
    end
    return writeVarint(n)
  end
  local n = integer(f, v, path)
  if packed[t] then
    return string.pack(packed[t], n)
  elseif t == SINT32 or t == SINT64 then
    n = n << 1 ~ (n < 0 and -1 or 0)
  end
  return writeVarint(n)
end

-- whole returns a field with its tag.
local function whole(self, f, v, path, depth)
  local kind, bytes = kinds[f.type] or 0, write(self, f, v, path, depth)
  if kind == 2 then
    bytes = writeVarint(#bytes) .. bytes
  elseif kind == 3 then
    bytes = bytes .. writeVarint(tag(f.number, 4))
  end
  return writeVarint(tag(f.number, kind)) .. bytes
end

local function isList(v)
  return type(v) == "table" and (next(v) == nil or #v > 0)
end

-- many returns a list or a map with its tags.
local function many(self, f, v, path, depth)
  local of = f.type == MESSAGE and self:message(f.of)
  local out = {}
  if of and of.map then
    if type(v) ~= "table" then
      fail("%s must be a table", path)
    end
    local keys = {}
    for k in pairs(v) do
      keys[#keys + 1] = k
    end
    table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) -- so that a request is the same again
    for _, k in ipairs(keys) do
      local key, value = of.numbers[1], of.numbers[2]
      local name = k
      if key.type == STRING then
        name = tostring(k)
      elseif key.type == BOOL then
        name = tostring(k) == "true"
      end
      local pair = whole(self, key, name, path .. ": the key", depth) .. whole(self, value, v[k], path .. "." .. tostring(k), depth)
      out[#out + 1] = writeVarint(tag(f.number, 2)) .. writeVarint(#pair) .. pair
    end
  elseif not isList(v) then
    fail("%s must be a list", path)
  elseif f.packed then
    for i, e in ipairs(v) do
      out[i] = write(self, f, e, path .. "[" .. i .. "]", depth)
    end
    local all = table.concat(out)
    return all == "" and "" or writeVarint(tag(f.number, 2)) .. writeVarint(#all) .. all
  else
    for i, e in ipairs(v) do
      out[i] = whole(self, f, e, path .. "[" .. i .. "]", depth)
    end
  end
  return table.concat(out)
end

-- encode makes a message of a table.
encode = function(self, v, m, path, depth)
  if depth > maxDepth then
    fail("%s nests more than %d deep", m.name, maxDepth)
  end
  if special[m.name] then
    v = special[m.name].write(self, v, path, depth)
  end
  if type(v) ~= "table" then
    fail("%s must be a table, not a %s", path, type(v))
  end
  local known = {}
  for name in pairs(m.by) do
    known[#known + 1] = name
  end
  table.sort(known)
  assert.options(v, table.concat(known, " "), path)
  local out, set = {}, {}
  for _, f in ipairs(m.fields) do
    local value = v[f.json]
    if value == nil then
      value = v[f.name]
    end
    local where = path .. "." .. f.json
    if value ~= nil and (value ~= json.null or f.of == "google.protobuf.Value" or f.of == "google.protobuf.NullValue") then
      if f.oneof and set[f.oneof] then
        fail("%s: %s and %s exclude each other", path, set[f.oneof], f.json)
      end
      set[f.oneof or 0] = f.oneof and f.json
      if f.repeated then
        out[#out + 1] = many(self, f, value, where, depth)
      else
        local bytes = whole(self, f, value, where, depth)
        if f.has or bytes ~= whole(self, f, default(self, f), where, depth) then
          out[#out + 1] = bytes
        end
      end
    end
  end
  return table.concat(out)
end

-- encode makes a message of a type of a table.
function types:encode(v, name)
  return encode(self, v, self:message(name), name, 0)
end

-- The standard messages that have a form of their own: read makes it of their fields, and write the fields of it.
local function seconds(text, sign)
  local count, fraction = text:match("^(%d+)%.?(%d*)$")
  if not count or #fraction > 9 or #count > 12 then
    return nil
  end
  return sign * tonumber(count), sign * tonumber((fraction .. "000000000"):sub(1, 9))
end

local function fraction(nanos)
  local digits = string.format("%09d", nanos)
  for _, n in ipairs({ 0, 3, 6 }) do
    if digits:sub(n + 1) == ("0"):rep(9 - n) then
      return n == 0 and "" or "." .. digits:sub(1, n)
    end
  end
  return "." .. digits
end

local function wrapper()
  return { read = function(_, m) return m.value end, write = function(_, v) return { value = v } end }
end

-- days returns the days from 1970 to a date (Howard Hinnant, days_from_civil).
local function days(year, month, day)
  year = month <= 2 and year - 1 or year
  local era = year // 400
  local yoe = year - era * 400
  local doy = (153 * (month + (month > 2 and -3 or 9)) + 2) // 5 + day - 1
  return era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468
end

special = {
  ["google.protobuf.Timestamp"] = {
    read = function(_, m)
      if m.seconds < -62135596800 or m.seconds > 253402300799 or m.nanos < 0 or m.nanos > 999999999 then
        return m
      end
      return (rest.rfc3339(m.seconds):gsub("Z$", fraction(m.nanos) .. "Z"))
    end,
    write = function(_, v, path)
      local y, mo, d, h, mi, s, zone = tostring(v):match("^(%d%d%d%d)-(%d%d)-(%d%d)[Tt](%d%d):(%d%d):(%d%d%.?%d*)([Zz+-].*)$")
      local count, nanos = seconds(s or "", 1)
      local sign, zh, zm = (zone or ""):match("^([+-])(%d%d):(%d%d)$")
      if not count or not sign and not zone:find("^[Zz]$") then
        fail('%s must be a time such as "2024-02-29T12:00:00Z"', path)
      end
      local offset = sign and (tonumber(zh) * 3600 + tonumber(zm) * 60) * (sign == "-" and -1 or 1) or 0
      local at = days(tonumber(y), tonumber(mo), tonumber(d)) * 86400 + tonumber(h) * 3600 + tonumber(mi) * 60 + count - offset
      local ry, rm, rd = rest.date(at + offset)
      if ry ~= tonumber(y) or rm ~= tonumber(mo) or rd ~= tonumber(d) then
        fail("%s: there is no such day", path)
      end
      return { seconds = at, nanos = nanos }
    end,
  },
  ["google.protobuf.Duration"] = {
    read = function(_, m)
      local sign = (m.seconds < 0 or m.nanos < 0) and "-" or ""
      return string.format("%s%d%ss", sign, math.abs(m.seconds), fraction(math.abs(m.nanos) % 1000000000))
    end,
    write = function(_, v, path)
      local minus, text = tostring(v):match("^(-?)(.*)s$")
      local count, nanos = seconds(text or "", minus == "-" and -1 or 1)
      return count and { seconds = count, nanos = nanos } or fail('%s must be a duration such as "1.5s"', path)
    end,
  },
  ["google.protobuf.FieldMask"] = {
    read = function(_, m)
      for i, path in ipairs(m.paths) do
        m.paths[i] = camel(path)
      end
      return table.concat(m.paths, ",")
    end,
    write = function(_, v, path)
      if type(v) ~= "string" then
        fail('%s must be names such as "a,bC"', path)
      end
      local paths = {}
      for one in v:gmatch("[^,]+") do
        paths[#paths + 1] = one:gsub("%u", function(c) return "_" .. c:lower() end)
      end
      return { paths = paths }
    end,
  },
  ["google.protobuf.Struct"] = {
    read = function(_, m) return m.fields end,
    write = function(_, v) return { fields = v } end,
  },
  ["google.protobuf.ListValue"] = {
    read = function(_, m) return m.values end,
    write = function(_, v) return { values = v } end,
  },
  ["google.protobuf.Value"] = {
    read = function(_, m)
      local _, v = next(m)
      if math.type(v) == "float" then
        return math.tointeger(v) or v
      end
      return v == nil and json.null or v
    end,
    write = function(_, v, path)
      local kind = v == json.null and "null" or type(v)
      local member = ({ null = "nullValue", number = "numberValue", string = "stringValue", boolean = "boolValue" })[kind]
      if kind == "table" then
        member = json.encode(v):sub(1, 1) == "[" and "listValue" or "structValue"
      end
      return member and { [member] = v } or fail("%s cannot be a %s", path, kind)
    end,
  },
  ["google.protobuf.Any"] = {
    read = function(self, m, depth)
      local name = m.typeUrl:match("[^/]*$")
      local ok, v = false, nil
      if self.messages[name] or self.find and self.find(name) then
        ok, v = pcall(decode, self, base64.decode(m.value), self:message(name), depth + 1)
      end
      if not ok then
        return { ["@type"] = m.typeUrl, value = m.value } -- nobody knows it
      elseif special[name] then
        return { ["@type"] = m.typeUrl, value = v }
      end
      v["@type"] = m.typeUrl
      return v
    end,
    write = function(self, v, path, depth)
      local url = type(v) == "table" and v["@type"]
      if type(url) ~= "string" then
        fail('%s must be a table with "@type"', path)
      end
      local name = url:match("[^/]*$")
      if not self.messages[name] and self.find then
        self.find(name)
      end
      local inner = v.value
      if not special[name] then
        inner = object()
        for k, e in pairs(v) do
          if k ~= "@type" then
            inner[k] = e
          end
        end
      end
      return { typeUrl = url, value = base64.encode(encode(self, inner, self:message(name), path, depth + 1)) }
    end,
  },
}

for name in ("Double Float Int64 UInt64 Int32 UInt32 Bool String Bytes"):gmatch("%S+") do
  special["google.protobuf." .. name .. "Value"] = wrapper()
end

-- What the standard messages have, because a server may know others by their names: number, name, type, and of which type.
local standard = {
  Timestamp = { { 1, "seconds", INT64 }, { 2, "nanos", INT32 } },
  Duration = { { 1, "seconds", INT64 }, { 2, "nanos", INT32 } },
  FieldMask = { { 1, "paths", STRING, list = true } },
  Any = { { 1, "type_url", STRING }, { 2, "value", BYTES } },
  Empty = {},
  Struct = { { 1, "fields", MESSAGE, "Struct.FieldsEntry", list = true } },
  ["Struct.FieldsEntry"] = { { 1, "key", STRING }, { 2, "value", MESSAGE, "Value" }, map = true },
  ListValue = { { 1, "values", MESSAGE, "Value", list = true } },
  Value = {
    { 1, "null_value", ENUM, "NullValue", oneof = 1 }, { 2, "number_value", DOUBLE, oneof = 1 }, { 3, "string_value", STRING, oneof = 1 },
    { 4, "bool_value", BOOL, oneof = 1 }, { 5, "struct_value", MESSAGE, "Struct", oneof = 1 }, { 6, "list_value", MESSAGE, "ListValue", oneof = 1 },
  },
  DoubleValue = { { 1, "value", DOUBLE } }, FloatValue = { { 1, "value", FLOAT } }, Int64Value = { { 1, "value", INT64 } },
  UInt64Value = { { 1, "value", UINT64 } }, Int32Value = { { 1, "value", INT32 } }, UInt32Value = { { 1, "value", UINT32 } },
  BoolValue = { { 1, "value", BOOL } }, StringValue = { { 1, "value", STRING } }, BytesValue = { { 1, "value", BYTES } },
}

-- standards are the types that every server knows.
function M.standards()
  local self = M.types()
  for name, fields in pairs(standard) do
    local m = { name = "google.protobuf." .. name, fields = {}, by = {}, numbers = {}, oneofs = { "kind" }, map = fields.map }
    for i, one in ipairs(fields) do
      local f = { number = one[1], name = one[2], type = one[3], of = one[4] and "google.protobuf." .. one[4] or "", repeated = one.list, oneof = one.oneof }
      f.json = camel(f.name)
      f.has = one.oneof ~= nil or f.type == MESSAGE and not one.list
      m.fields[i], m.by[f.name], m.by[f.json], m.numbers[f.number] = f, f, f, f
    end
    self.messages[m.name] = m
  end
  return self
end

-- describe returns what a script may want to know of a name: a service, a method, a message or an enum.
function types:describe(name)
  local s, e, m = self.services[name], self.enums[name], self.messages[name]
  local function typeOf(f)
    local of = f.type == MESSAGE and self.messages[f.of]
    local kind = f.of ~= "" and f.of or names[f.type]
    if of and of.map then
      return "map<" .. names[of.numbers[1].type] .. ", " .. typeOf(of.numbers[2]) .. ">"
    end
    return (f.repeated and "repeated " or f.optional and "optional " or "") .. kind
  end
  if s then
    return { name = name, methods = s.methods }
  elseif e then
    return { name = name, values = e.values }
  elseif m then
    local out = { name = name, fields = {} }
    for i, f in ipairs(m.fields) do
      out.fields[i] = { name = f.json, type = typeOf(f), oneof = not f.optional and m.oneofs[f.oneof or 0] or nil }
    end
    return out
  end
end

return M
