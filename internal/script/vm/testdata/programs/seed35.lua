local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local r1 <const> = {a = (math.ult(0x7fffffffffffffff, 1e100) // (-2.5 % -math.huge)), b = (type(function(x, y) return -math.huge end) and math.max(1e14, 7)), [true] = ("ä" * 1/3)}
local t2 = sorted({some(0), some(0), some(2)})
local n3 = 1.0
local s4 = " 5 "
local n5 = (s4 * ((~ n3) - 0))
print(pcall(function(...)
 local r6 = meta({a = (1 >= 3.7), b = n5}, {
  __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
 })
 r6, n3 = {a = 1e14, b = show(t2[#{1, 2}]), [2.5] = show(t2[1])}, 1e15
end, math.ult(n5, n3), ("1e1"):gsub("[a", "%%")))
print(pcall(function(...)
 s4, n3 = cut(show(select(2, ...)) .. 100), ((n5 // 1) - 1)
 s4, n3 = s4, tonumber((s4):sub(2, 2))
 print(math.floor((math.tointeger((0/0)) / (1e100 / n5))))
 local _ = n3.a.b
 do
  table.insert(t2, some((0x7f or cut(2^53 .. -0.0))))
  do
   local c7 <close> = meta({}, {__close = function(o, e) print('close', 7, e) end})
   local r8 = {a = ((n3 / 2) + tonumber(s4)), b = (show(s4) or 1e100), [1] = (#s4 % math.min(n5, -0.0))}
   t2, n3 = {n = 1, some(...)}, 0.5
  end
  local co9 = coroutine.create(function(...)
   print((cut("nan" .. string.format("%+d", "a"))):lower(), (cut((3.7 - n3) .. tonumber(s4)) and ((1e15 // n5) + 123456789012)))
   print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + show(s4))
   return type(function(x, y) return nil end)
  end)
  print(coroutine.resume(co9, (100 / n3)))
  print(coroutine.resume(co9, "3.0"))
  print(coroutine.resume(co9, s4))
  print(coroutine.resume(co9, show(r1.m)))
  print(coroutine.status(co9))
 end
 return n5, ((- - n5) < #s4)
end, type(1e-10), (3 // n5)))
print(pcall(function(...)
 print(n3, math.tointeger(1e15))
end, n3, n3))
print(pcall(function(...)
 print(n3, show(r1.b))
 local function f10(x11, x12)
  if tick() then return end
  local r13 = r1
  print(table.remove(t2))
  return n3
 end
end, ((0/0) and false), show(n5)))
print(pcall(function(...)
 local function f14(x15, x16)
  if tick() then return end
  local r17 = meta({a = show(r1.m), b = -1}, {
   __index = function(x, y)
    if tick() then return 1 end
    x15, x16 = 1e15, ((s4):len()):sub(0, 2)
    return math.abs(tonumber(s4))
   end,
  })
  do
   print((show(t2[#{1, 2}]) or 2))
   if ((math.maxinteger * 2) < (0 - 1e14)) then
    print((show(x15) or show(r1.a)))
   else
    x16 = (cut(cut(0.5 .. 1e-10) .. 255)):sub(math.type(n5) == 'integer' and 3 or 2, 3)
    local _ = -r17
   end
   do
    local _ = x16:m()
    r17.a = n5
    r17.b = 0
   end
  end
  return #s4
 end
 do
  if not true then goto l1 end
  do
   local c18 <close> = meta({}, {__close = function(o, e) print('close', 18, e) end})
   local n19 = 0
   while n19 < 1 do
    n19 = n19 + 1
    if tick() then break end
    n3 = #s4
    f14 = f14
    local _ = global_r1.x
    if ((n19 > 0x7fffffffffffffff) or (n19 <= -1)) then break end
   end
   do
    r1.c = 1
    table.insert(t2, some(select('#', ...)))
    print(f14(#s4, show(r1.c)))
    n3 = (((n3 % 64) * #"1e1") + 1e15)
   end
   error((math.max(n3, n3)))
  end
  print(show(t2[1]), show((...)))
  ::l1::
 end
 n3 = (tonumber(table.concat(t2, "key = value")) * 3)
 n3 = tonumber(table.concat({123456789012, "0x10", math.mininteger}, "ä"))
 local function f20(x21, x22, ...)
  if tick() then return end
  local t23 = t2
  print(show(t2), show(r1.a))
  return f14((show(r1.m) or ("abc" or nil)))
 end
 return (show(r1.a) or (math.ceil(10) - (-0.0 // 1/3))), select('#', ...)
end, (math.mininteger // math.mininteger), n5))
print(pcall(function(...)
 for n24 = -0.0, 2^63, 2 do
  if tick() then break end
  local function f25(x26, x27, ...)
   if tick() then return end
   local co28 = coroutine.create(function(...)
    print(show(r1.c))
    r1.m = tonumber("3.0")
    print(pcall(function() print(coroutine.yield(show(r1.c))) error('inside') end))
    return (n24 ^ -math.huge)
   end)
   print(coroutine.resume(co28, show(x27)))
   print(coroutine.status(co28))
   local n29 = 0
   while n29 < 3 do
    n29 = n29 + 1
    if tick() then break end
    print(string.format("%10.4s|", ("\0\1" + math.abs(n24))))
    hold(function() return n29 end)
   end
   return show(r1.b)
  end
  if (n5 ~= 0) then
   local n30 = (~ n3)
   do
    local c31 <close> = meta({}, {__close = function(o, e) print('close', 31, e) end})
    r1.b = show(f25((s4):lower()))
    s4 = "a"
    error((n24))
   end
   local function f32(x33, x34, ...)
    if tick() then return end
    n30 = #"key = value"
    r1.b = ((0x7fffffffffffffff - n5) + tonumber(" 5 "))
    print(s4)
    return (show(r1.b) or (1.0 ^ 1e14)), show((...))
   end
  end
  local s35 = (s4):rep(2, "")
 end
end, show(s4), 2^63))
print("r1", pcall(function() return r1.a, r1.b, r1.c end))
print("t2", pcall(table.concat, t2, ','))
print("n3", n3)
print("s4", s4)
print("n5", n5)
