-- C Lua keeps a frame of its own for each pcall, and so limits how many are in each other.
local n = 0
local function f() n = n + 1; return pcall(f) end
print(select('#', pcall(f)), n)
print(select(-2, pcall(f)))
n = 0
local function caught() n = n + 1; local ok, e = pcall(caught); if not ok then return tostring(e) end return e end
print(caught(), n)
n = 0
local function raised() n = n + 1; local ok, e = pcall(raised); if not ok then error(e, 0) end end
print(pcall(raised)) print(n)
n = 0
local function handled() n = n + 1; return xpcall(handled, function(m) return m end) end
print(select(-2, handled())) print(n)
n = 0
local function coroutines() n = n + 1; return coroutine.wrap(function() return pcall(coroutines) end)() end
print(select(-2, pcall(coroutines))) print(n)
n = 0
local function called() n = n + 1; return (string.gsub("a", "a", function() local _, e = pcall(called); return tostring(e) end)) end
print(pcall(called)) print(n)
-- What has ended counts no more, however it ended.
for _ = 1, 500 do
  pcall(error, "x")
  pcall(function() local ok = pcall(error); error(ok) end)
  xpcall(error, print == nil and print or tostring, "y")
  local co = coroutine.wrap(function() pcall(coroutine.yield) return pcall(error) end)
  co() co()
end
n = 0
print(select('#', pcall(f)), n)
-- The last one has room for a call, and for no iterator or metamethod.
local function last(f)
  local results = {}
  local function within() results[#results + 1] = tostring(select(2, pcall(f))) return pcall(within) end
  pcall(within)
  return results[#results - 2], results[#results - 1], results[#results], #results
end
local t = setmetatable({}, { __add = function() return "sum" end, __index = function() return "field" end })
print(last(function() for _, v in ipairs({ "of ipairs" }) do
  return v
end end))
print(last(function() for _, v in pairs({ "of pairs" }) do
  return v
end end))
print(last(function() return t + 1 end))
print(last(function() return t.x end))
print(last(function() return "called" end))
print(last(function() return (string.gsub("a", "a", function() return "replaced" end)) end))
print(last(function() return coroutine.wrap(function() return "coroutine" end)() end))
