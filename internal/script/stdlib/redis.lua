--- @module assay.redis
--- @description Redis and Valkey. Get and set keys with expiry, counters, hashes, lists, sets, sorted sets, publish, scan, server info.
--- @keywords redis, valkey, cache, key-value, ttl, expiry, counter, hash, sorted-set, zset, pub-sub, scan
--- @synonyms cached, evict, leaderboard, score, expire, memcached, in-memory, members
--- @asked set a key that expires; get a value from the cache; push onto a list; count with a counter
--- @env REDIS_URL
--- @quickref c:ping() -> bool | Does the server answer
--- @quickref c:get(key) -> string or nil | Get the value of a key
--- @quickref c:set(key, value, opts) -> bool | Set a key, was it set; opts: seconds (of life), if_missing, if_there
--- @quickref c:delete(keys) -> number | Delete a key or a list of keys; how many there were
--- @quickref c:exists(key) -> bool | Does a key exist
--- @quickref c:expire(key, seconds) -> bool | Let a key live so long; does it exist
--- @quickref c:ttl(key) -> number or nil | Get the seconds that a key has left; nil if it has no limit or is not there
--- @quickref c:type(key) -> string | Get what a key holds: string, hash, list, set, zset, stream or none
--- @quickref c:increment(key, by) -> number | Add to a counter (1) and get it
--- @quickref c:keys(pattern, limit) -> [string] | List keys that match a pattern such as user:*, a part at a time (1000)
--- @quickref c:hash(key) -> table | Get the fields of a hash
--- @quickref c:hash_get(key, field) -> string or nil | Get a field of a hash
--- @quickref c:hash_set(key, fields) -> number | Set fields of a hash; how many are new
--- @quickref c:hash_delete(key, field) -> bool | Delete a field of a hash; was it there
--- @quickref c:push(key, value) -> number | Add a value to the end of a list; how long it is now
--- @quickref c:pop(key) -> string or nil | Take the first value of a list
--- @quickref c:list(key, first, last) -> [string] | Get the values of a list, from 0 to -1
--- @quickref c:length(key) -> number | Get how long a list is
--- @quickref c:add(key, member) -> bool | Add a member to a set; is it new
--- @quickref c:remove(key, member) -> bool | Remove a member of a set; was it there
--- @quickref c:members(key) -> [string] | List the members of a set
--- @quickref c:score(key, member, score) -> nil | Give a member of a sorted set a score
--- @quickref c:top(key, n) -> [{member, score}] | List the n members with the highest scores (10)
--- @quickref c:publish(channel, message) -> number | Publish a message; how many received it
--- @quickref c:size() -> number | Count the keys
--- @quickref c:info(section) -> table | Get what the server says of itself, a section such as replication
--- @quickref c:eval(script, keys, args) -> value | Run a script in the server
--- @quickref c:call(command, args) -> value | Send any command, its arguments as a list
--- @quickref c:close() -> nil | Close the connection

local rest = require("assay._rest")

local M = {}
local c = {}
c.__index = c

-- say is a value as a command has it.
local function say(v)
  if type(v) == "boolean" then
    return v and "1" or "0"
  end
  return rest.text(v)
end

-- send needs each of its arguments: a missing one would make another command of it.
local function send(client, command, ...)
  local words = { ... }
  for i = 1, select("#", ...) do
    if words[i] == nil then
      error("redis: " .. command .. " lacks argument " .. i, 0)
    end
    words[i] = say(words[i])
  end
  return redis.call(client.conn, command, table.unpack(words))
end

function M.client(url)
  url = rest.need(url or env.get("REDIS_URL"), "redis.client: url is required", "REDIS_URL")
  return setmetatable({ conn = redis.connect(url:find("://", 1, true) and url or "redis://" .. url) }, c)
end

function c:ping()
  return send(self, "PING") == "PONG"
end

function c:get(key)
  return send(self, "GET", key)
end

function c:set(key, value, opts)
  opts = rest.options("redis.set", opts, "seconds if_missing if_there")
  local words = {}
  if opts.seconds then
    words = { "PX", math.ceil(opts.seconds * 1000) }
  end
  if opts.if_missing then
    words[#words + 1] = "NX"
  elseif opts.if_there then
    words[#words + 1] = "XX"
  end
  return send(self, "SET", key, value, table.unpack(words)) == "OK"
end

function c:delete(keys)
  return send(self, "DEL", table.unpack(type(keys) == "table" and keys or { keys }))
end

function c:exists(key)
  return send(self, "EXISTS", key) == 1
end

function c:expire(key, seconds)
  return send(self, "PEXPIRE", key, math.ceil(rest.need(seconds, "redis: expire lacks its seconds") * 1000)) == 1
end

function c:ttl(key)
  local left = send(self, "PTTL", key)
  return left >= 0 and left / 1000 or nil
end

function c:type(key)
  return send(self, "TYPE", key)
end

function c:increment(key, by)
  by = by or 1
  return math.type(by) == "integer" and send(self, "INCRBY", key, by) or tonumber((send(self, "INCRBYFLOAT", key, by)))
end

-- keys asks with SCAN, which unlike KEYS lets others be served meanwhile. It may say a key
-- twice.
function c:keys(pattern, limit)
  limit = limit or 1000
  local out, seen, cursor = {}, {}, "0"
  repeat
    local page = send(self, "SCAN", cursor, "MATCH", pattern or "*", "COUNT", "1000")
    cursor = page[1]
    for _, key in ipairs(page[2]) do
      if not seen[key] and #out < limit then
        seen[key] = true
        out[#out + 1] = key
      end
    end
  until cursor == "0" or #out >= limit
  table.sort(out)
  return out
end

function c:hash(key)
  local out, flat = {}, send(self, "HGETALL", key)
  for i = 1, #flat, 2 do
    out[flat[i]] = flat[i + 1]
  end
  return out
end

function c:hash_get(key, field)
  return send(self, "HGET", key, field)
end

function c:hash_set(key, fields)
  local words = { rest.need(key, "redis: HSET lacks argument 1") }
  for field, value in pairs(rest.need(fields, "redis: hash_set lacks its fields")) do
    words[#words + 1], words[#words + 2] = say(field), say(value)
  end
  return redis.call(self.conn, "HSET", table.unpack(words))
end

function c:hash_delete(key, field)
  return send(self, "HDEL", key, field) == 1
end

function c:push(key, value)
  return send(self, "RPUSH", key, value)
end

function c:pop(key)
  return send(self, "LPOP", key)
end

function c:list(key, first, last)
  return send(self, "LRANGE", key, first or 0, last or -1)
end

function c:length(key)
  return send(self, "LLEN", key)
end

function c:add(key, member)
  return send(self, "SADD", key, member) == 1
end

function c:remove(key, member)
  return send(self, "SREM", key, member) == 1
end

function c:members(key)
  local out = send(self, "SMEMBERS", key)
  table.sort(out)
  return out
end

function c:score(key, member, score)
  send(self, "ZADD", key, score, member)
end

function c:top(key, n)
  local out, flat = {}, send(self, "ZREVRANGE", key, 0, (n or 10) - 1, "WITHSCORES")
  for i = 1, #flat, 2 do
    out[#out + 1] = { member = flat[i], score = tonumber(flat[i + 1]) }
  end
  return out
end

function c:publish(channel, message)
  return send(self, "PUBLISH", channel, message)
end

function c:size()
  return send(self, "DBSIZE")
end

function c:info(section)
  local out = {}
  for name, value in (section and send(self, "INFO", section) or send(self, "INFO")):gmatch("([%w_]+):([^\r\n]*)") do
    out[name] = tonumber(value) or value
  end
  return out
end

function c:eval(script, keys, args)
  local words = { rest.need(script, "redis: eval lacks its script"), say(#(keys or {})) }
  for _, list in ipairs({ keys or {}, args or {} }) do
    for _, v in ipairs(list) do
      words[#words + 1] = say(v)
    end
  end
  return redis.call(self.conn, "EVAL", table.unpack(words))
end

function c:call(command, args)
  local words = {}
  for i, v in ipairs(args or {}) do
    words[i] = say(v)
  end
  return redis.call(self.conn, rest.need(command, "redis: a command is required"), table.unpack(words))
end

function c:close()
  redis.close(self.conn)
end

return rest.module("redis", M, "url string")
