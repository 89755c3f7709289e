-- A break of an outer loop that comes before an inner loop leaves the outer one.
local n = 0
while n < 5 do
  n = n + 1
  if n == 2 then break end
  for i = 1, 3 do
    if i == 2 then break end
  end
end
print(n)
for i = 1, 3 do
  local held = function() return i end
  if i == 2 then print(held()) break end
  repeat local j = i local f = function() return j end until f() >= 1
end
-- What a list is written down with counts for its length, holes and all.
print(#{1, nil, 3}, #{nil, nil, 3}, #{nil, 3, nil}, #table.pack(1, nil, 3))
-- Limits that are no numbers, and powers.
for i = 1.0, 0/0 do print("once", i) end
print(10^255, 3.7^(3.7^3.7), (1e14)^3 % 1.5, math.maxinteger^-2.5)
print(math.max("10", "9"), pcall(math.max, 1, "x"))
print(pcall(table.sort, {1, "x", 2}))
-- Values wait in registers while what they are assigned to is computed.
local a, t = 1, {}
a = {a, a}
t.x, t.y = a[1], a
t = {t.x, t}
print(t[1], t[2].y[2])
-- A __close may yield while an error is on its way.
local co = coroutine.wrap(function()
  return pcall(function()
    local x <close> = setmetatable({}, {__close = function(_, e) coroutine.yield("closing " .. e) error("again", 0) end})
    error("first", 0)
  end)
end)
print(co()) print(co())
local ok, e = pcall(function()
  local x <close> = setmetatable({}, {__close = print})
  getmetatable(x).__close = nil
end)
print(ok, e)
