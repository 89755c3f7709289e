local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local s1 = (("hello world"):sub(5, math.type(-2.5) == 'integer' and 3 or 2)):sub(5, 3)
local r2 = {a = ((-1 * 1e15) - (1e14 ~ 0)), b = (-0.0 % 2^53), [2.5] = (0.5 + 0)}
local s3 = (string.format("%5.2f", #"")):gsub("^a", string.upper)
local t4 = {table.unpack({some((0/0)), 1e14}, 1, 2)}
print(pcall(function(...)
 do
  local c5 <close> = meta({}, {__close = function(o, e) print('close', 5, e) error('close5') end})
  s1 = string.format("%c", show((...)))
  for n6 = 2, 1 do
   if tick() then break end
   print((#"-7" * 2), (#s1 <= (#"-7" // 0)))
   print(table.remove(t4))
   for n7 = 1, 4 do
    if tick() then break end
    print(table.remove(t4))
   end
  end
  r2, s1 = r2, type(s3)
 end
 local t8 = {1.0, " 5 ", 2.5}
 local function f9(x10, x11)
  if tick() then return end
  do
   local c12 <close> = meta({}, {__close = function(o, e) print('close', 12, e) end})
   t8[#t8 + 1] = some(cut(math.max(2.5, 0x7f) .. (1.0 and "nan")))
  end
  print(show(r2.m), math.floor(3.7))
 end
 return math.fmod((1.0 << 0.5), (math.abs(0x7f) << (1e14 // math.mininteger))), (("\0\1" // 0x7fffffffffffffff) < 3)
end, not false, show(t4[0])))
print(pcall(function(...)
 print(123456789012, 7)
 local _ = #t4
 local function f13(x14, x15)
  if tick() then return end
  local co16 = coroutine.create(function(...)
   print((s1 * 1e-10), (3 - (1/3 // 3)))
   for n17 = 3, 5 do
    if tick() then break end
    r2 = {a = "0x10", b = show(r2.b), [1] = show(r2.m)}
    print(coroutine.yield(show(t4[0])))
   end
   return -0.0
  end)
  print(coroutine.resume(co16, math.huge))
  print(coroutine.resume(co16, show(r2)))
  print(coroutine.resume(co16, 2.5))
  print(coroutine.resume(co16, not true))
  print(coroutine.status(co16))
 end
 local n18 = (#s1 % 64)
end, s3, 2^53))
print(pcall(function(...)
 print(cut(cut(("10"):sub(2, 2) .. select('#', ...)) .. 1))
 print((math.tointeger((- 1e-10)) >> ((1.0 // -0.0) ^ 1e100)), -math.huge)
 r2.c = ((123456789012 & 2^53) or 1e15)
 print(table.remove(t4))
 return ((2^63 ^ (2.5 - 2^53)) ~= (10 + (123456789012 - 1e100))), (s1):byte(1)
end, 123456789012, (1 and -3)))
print(pcall(function(...)
 do
  for n19 = -3, 2.5, 1 do
   if tick() then break end
   for n20 = 1, 3 do
    if tick() then break end
    s3 = s3
   end
   do
    print(n19)
    print(table.remove(t4))
    print(math.tointeger((-1 - n19)))
   end
  end
  local n21 = 0
  repeat local inner = show(select(2, ...))
   n21 = n21 + 1
   print(table.remove(t4))
  until n21 > 2 or inner == 2
  for n22, x23 in ipairs(t4) do
   if tick() then break end
   r2.a = (n22 & #"key = value")
   if (("\0\1" >= s1) and (100 > 1e100)) then break end
   hold(function() return n22 end)
  end
 end
 t4 = {table.unpack({some(false), -3}, 1, 2)}
end, string.format("%.3s", 1e14), tonumber(s1)))
print(pcall(function(...)
 t4 = sorted({some(1e15), some(1.0), some(0x7f)})
 do
  if (1 and 2.5) then goto l1 end
  if (show(t4[3]) == (-0.0 - 1.0)) then
   local co24 = coroutine.create(function(...)
    if #t4 > 0 then t4[1 + math.type((-2.5 - 10)) == 'integer' and 3 or 2 % #t4] = some(show(t4)) end
    print(pcall(function() print(coroutine.yield(255))  end))
    return (s3 - (1.0 // 2))
   end)
   print(coroutine.resume(co24, s1))
   print(coroutine.resume(co24, (0.5 and "ä")))
   print(coroutine.status(co24))
   print(coroutine.close(co24))
   print((s3 - (" 5 " // math.huge)), (~ math.floor((3.7 << 2))))
  else
   do
    if (1/3 == 123456789012) then goto l2 end
    t4 = {table.unpack({some("ä"), -2.5}, 1, 2)}
    print((-2.5 / #s1))
    ::l2::
   end
   local f25 = function(x, y) return ((- math.maxinteger) and -1) end
  end
  for n26 = 3, 1 do
   if tick() then break end
   local function f27(x28, x29)
    if tick() then return end
    s3 = (("10"):rep(0, "-")):match("%d")
   end
  end
  ::l1::
 end
 local r30 = meta({a = 1e14, b = 2^63}, {
  __div = function(x, y)
   if tick() then return 1 end
   return (-2.5 * (-0.0 + 1))
  end,
  __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
  __shr = function(x, y)
   if tick() then return 1 end
   print((((math.huge % 0.5) & 0) % 1), (tostring(-0.0)):upper())
   return show(t4[1.0])
  end,
  __le = function(x, y)
   if tick() then return 1 end
   local r31 = r2
   return show(t4)
  end,
  __bnot = function(x, y)
   if tick() then return 1 end
   return show(t4)
  end,
  __call = function(x, y)
   if tick() then return 1 end
   print("\0\1", (0x7fffffffffffffff - tonumber("ä")))
   return 100
  end,
  __mul = function(x, y)
   if tick() then return 1 end
   return (("hello world"):sub(5, -2)):reverse()
  end,
  __add = function(x, y)
   if tick() then return 1 end
   return #s1
  end,
 })
 local function f32(x33, x34, ...)
  if tick() then return end
  print((s1 // (3.7 / 1e15)), ((math.huge and select('#', ...)) or math.ult(#s3, 255)))
  local function f35(x36, x37)
   if tick() then return end
   do
    local c38 <close> = meta({}, {__close = function(o, e) print('close', 38, e) end})
    r30.b = tonumber((s3):sub(5, -2))
    print((0 * (1e14 - math.huge)))
    if #t4 > 0 then t4[1 + 5 % #t4] = some((show(t4[2]) or s3)) end
   end
   local t39 = {2^63, "", 0.5}
   if (math.fmod(math.maxinteger, 1e100) ~= -1) then
    r30 = {a = show(t4[3]), b = (~ 3), [true] = show(t39[#{1, 2}])}
    print(((1e14 + -0.0) ^ -0.0))
    x37 = ((-1 / math.fmod(1e-10, math.maxinteger)) ^ 255)
   end
  end
  return cut((1e15 or 100) .. "-7"), (1 <= (-math.huge ^ 1e-10))
 end
end, string.format("%a", 0), (1e15 / math.huge)))
print(pcall(function(...)
 r2.b = table.concat(t4, "x,y,z")
 print("10", ("a"):rep(0, "-"))
 for n40 = 1, 2 do
  if tick() then break end
  do
   local c41 <close> = meta({}, {__close = function(o, e) print('close', 41, e) end})
   local n42 = 0
   while n42 < 3 do
    n42 = n42 + 1
    if tick() then break end
    print(table.remove(t4))
    print(cut(show((...)) .. (select('#', ...) or (true or 123456789012))))
    if (2^53 > tonumber(s3)) then break end
   end
  end
  local r43 = meta({a = (n40 ~ n40), b = (s3 * n40)}, {
   __lt = function(x, y)
    if tick() then return 1 end
    return ((n40 - n40) / math.huge)
   end,
   __bxor = function(x, y)
    if tick() then return 1 end
    table.insert(t4, some(math.type((10 ^ 3))))
    return ((n40 - n40) + tonumber(s1))
   end,
   __concat = function(x, y)
    if tick() then return 1 end
    return show(t4[3])
   end,
   __len = function(x, y)
    if tick() then return 1 end
    print((math.type((n40 * n40)) <= ((s1 + math.huge) - (2.5 >> math.mininteger))), tostring(show(t4[1.0])))
    return cut(cut(1 .. "hello world") .. (-1 ~= 3))
   end,
   __pow = function(x, y)
    if tick() then return 1 end
    return (n40 or (s1 - 0.5))
   end,
   __eq = function(x, y)
    if tick() then return 1 end
    print("nan", (n40 // (123456789012 / n40)))
    return ((s3):gsub("l-", "%1")):byte(-1)
   end,
  })
  local r44 = meta({a = (s3):lower(), b = math.min(n40, 2.5)}, {
   __eq = function(x, y)
    if tick() then return 1 end
    return type(function(x, y) return 2.5 end)
   end,
   __mod = function(x, y)
    if tick() then return 1 end
    return type(function(x, y) return 2^63 end)
   end,
   __pow = function(x, y)
    if tick() then return 1 end
    return show(r2)
   end,
  })
 end
end, show(t4[0]), table.concat(t4, "\0\1")))
print("s1", s1)
print("r2", pcall(function() return r2.a, r2.b, r2.c end))
print("s3", s3)
print("t4", pcall(table.concat, t4, ','))
