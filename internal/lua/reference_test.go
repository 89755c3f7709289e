package lua

// runner runs programs: what they emit, and "error" if they raise one.
const runner = `
local steps = 0
local function hooked(co)
  debug.sethook(co, function() steps = steps + 1 if steps > 300 then error("too long") end end, "", 1000)
  return co
end
local create = coroutine.create
coroutine.wrap = function(f)
  local co = hooked(create(f))
  return function(...)
    local r = table.pack(coroutine.resume(co, ...))
    if not r[1] then error(r[2], 0) end
    return table.unpack(r, 2, r.n)
  end
end
while true do
  local src = receive()
  local out = {}
  local f, err = load(src, "=x", "t")
  if not f then reply("syntax: " .. err) else
    emit = function(...)
      for i = 1, select("#", ...) do
        local v = select(i, ...)
        local k = type(v)
        if math.type(v) == "float" and v == math.floor(v) then v = string.format("%.0f", v) end
        out[#out+1] = (k == "table" or k == "function" or k == "thread" or k == "string" and not tonumber(v)) and k or tostring(v)
      end
      out[#out+1] = "\n"
    end
    steps = 0
    local co = hooked(create(function() return pcall(f) end))
    local alive, ok, err = coroutine.resume(co)
    if steps > 300 then out = {"too long"} elseif not ok then out[#out+1] = "error" end
    reply(table.concat(out, " "))
  end
end`
