local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local s1 = string.format("%d", (2^53 or 2^63))
local r2 = {a = ("x,y,z" * 1.0), b = tonumber(cut(-0.0 .. 3)), [2.5] = (100 and (0/0))}
local t3 = {-math.huge, "a", 3.7}
local f4 = function(x, y) return #"abc" end
print(pcall(function(...)
 local n5 = 0
 while n5 < 5 do
  n5 = n5 + 1
  if tick() then break end
  print((((7 - 0x7fffffffffffffff) * n5) & 64), select('#', ...))
 end
 local function f6(x7, x8, ...)
  if tick() then return end
  local r9 = {a = show(r2.b), b = show(r2.a), [true] = (-1 >= (- - 0.5))}
  print(show(f4(select('#', ...))), show(r2.a))
  t3, r2 = {n = 1, some(...)}, r2
  return show(select(2, ...))
 end
 local function f10(x11, x12)
  if tick() then return end
  print(pcall(function(...)
   print(f6((("hello world"):reverse()):gsub("(a*(.)%w(%s*))", "<%0>"), show(r2.b)))
   error((("\0\1" or nil)), 2)
  end))
  local n13 = 0
  while n13 < 3 do
   n13 = n13 + 1
   if tick() then break end
   for n14 = 0, 6 do
    if tick() then break end
    t3 = sorted({some(n14), some(n14), some(1.0)})
    local _ = -s1
   end
   hold(function() return n13 end)
  end
  return (tonumber("nan") + #"x,y,z")
 end
 for n15 = 1, 3 do
  if tick() then break end
  local _ = -s1
  print("", show(f6))
 end
 print((2^63 + #s1), math.floor((math.ult(-0.0, 123456789012) + 64)))
 return cut(show(f4(show((...)))) .. show(f6(("ä"):byte(0)))), "nan"
end, (-math.huge or " 5 "), #"1e1"))
print(pcall(function(...)
 print(cut(show(t3[-1]) .. #"3.0"), (((1e-10 << 10) == math.max(0, -1)) or (1.0 + 100)))
 print((("3.0" + (- - 1e15)) & math.abs((3.7 - math.mininteger))), (1e-10 >= 1e100))
 return show(t3[1.0]), (tostring(0x7f)):sub(2, math.type(2) == 'integer' and 3 or 2)
end, show(t3['a']), show(t3['a'])))
print(pcall(function(...)
 r2.c = show(f4(select('#', ...)))
 if not (math.huge or 2) then
  local _ = t3.a.b
  local co16 = coroutine.create(function(...)
   local f17 = function(x, y) return -1 end
   return math.tointeger(math.max(1e-10, 0x7fffffffffffffff))
  end)
  print(coroutine.resume(co16, show(r2)))
  print(coroutine.resume(co16, math.ceil(0.5)))
  print(coroutine.resume(co16, show(f4(1e100))))
  print(coroutine.status(co16))
  print(coroutine.close(co16))
  local n18 = 0
  repeat local inner = show(s1)
   n18 = n18 + 1
   s1 = type({a = ("\0\1" - -math.huge), b = " 5 ", [true] = 1.0})
  until n18 > 1 or inner == s1
 end
 local s19 = cut((show(s1) and (math.maxinteger % 100)) .. #s1)
 print(7, (- 100))
 return table.concat(t3, "abc"), show(f4(("x,y,z"):rep(1, nil)))
end, cut(3 .. "1e1"), show(f4(nil))))
print(pcall(function(...)
 print((table.concat(t3, "10")):sub(2, 0), -3)
 local function f20(x21, x22)
  if tick() then return end
  t3, t3[-1] = {table.unpack({some(255), 1.0}, 1, 2)}, some(show(r2.c))
  return (100 * 2.5), (7 or 123456789012)
 end
 do
  local c23 <close> = meta({}, {__close = function(o, e) print('close', 23, e) end})
  print(table.remove(t3))
  if (100 > ("" + 7)) then
   do
    local c24 <close> = meta({}, {__close = function(o, e) print('close', 24, e) end})
    print(f4(#s1, math.abs(-3)))
    f20 = function(x, y) return show(t3) end
   end
  else
   local r25 = meta({a = 1.0, b = (255 == -0.0)}, {
    __pow = function(x, y)
     if tick() then return 1 end
     return show(t3[1])
    end,
    __len = function(x, y)
     if tick() then return 1 end
     return table.concat({123456789012, "3.0", 0x7f}, "abc")
    end,
    __tostring = function() return table.concat({"a", "b"}, "1e1") end,
   })
   print((0/0), #" 5 ")
  end
  for n26 = math.maxinteger, 0x7f, -1 do
   if tick() then break end
   for i = 1, 2 do
    if tick() then break end
    if i % 2 == 0 then goto continue1 end
    r2.b = (s1 // (0 % n26))
    f20 = f4
    ::continue1::
   end
   local function f27(x28, x29)
    if tick() then return end
    print(s1)
   end
  end
 end
 for i = 1, 3 do
  if tick() then break end
  if i % 2 == 0 then goto continue2 end
  for n30 = 2, 4 do
   if tick() then break end
   s1 = cut(show(select(2, ...)) .. (n30 or (s1):gsub("l-", "x")))
   print(s1)
   local n31 = #" 5 "
  end
  ::continue2::
 end
 local function f32(x33, x34)
  if tick() then return end
  if ((1e15 + 123456789012) < -1) then
   x33 = ((3 | (math.huge - -1)) > -1)
   do
    local c35 <close> = meta({}, {__close = function(o, e) print('close', 35, e) error('close35') end})
    f4 = function(x, y) return show(x34) end
    error(((10 == 1)))
   end
   local n36 = 0
   repeat local inner = show(t3[1])
    n36 = n36 + 1
    print(f4((#"0x10" & 10), not 2^63))
   until n36 > 4 or inner == show(f20(false))
  else
   do
    local c37 <close> = meta({}, {__close = function(o, e) print('close', 37, e) end})
    f20 = f20
    r2 = {a = (123456789012 % -2.5), b = math.ult(math.abs(2.5), 10), [2.5] = -0.0}
   end
  end
  r2, x34 = r2, tostring((s1):byte(2))
  return f4(show(r2.b))
 end
 return show(f4(show(select(2, ...)))), show(select(2, ...))
end, math.max(3, 1e-10), (1.0 == -math.huge)))
print(pcall(function(...)
 s1, f4 = "x,y,z", function(x, y) return (-0.0 and false) end
 return tostring((show(t3[3]) and (0x7fffffffffffffff <= 0))), show(f4(0x7f))
end, 1/3, show(r2.a)))
print(pcall(function(...)
 local function f38(x39, x40)
  if tick() then return end
  local _ = x40 < show(r2)
  print(show(t3[3]), (math.huge ^ #s1))
  local co41 = coroutine.create(function(...)
   for n42 = 1, 4 do
    if tick() then break end
    r2.c = 1e-10
    if (n42 ~= math.type(3.7)) then break end
   end
   for n43 = 1, 3 do
    if tick() then break end
    s1 = s1
    t3[#t3 + 1] = some(show(t3['a']))
   end
   print(pcall(function() print(coroutine.yield(show(r2))) local x = nil + 1 end))
   return show(x40)
  end)
  print(coroutine.resume(co41, (-3 / math.huge)))
  print(coroutine.status(co41))
 end
 print((" 5 " // tonumber(tostring(nil))), show(r2.m))
 print(((0x7f ~ 0x7fffffffffffffff) and math.min(math.min(-3, 10), (2 / -3))), (((1e15 * -0.0) * math.ult(1e15, -0.0)) << 3))
 print(math.ceil(#s1), 2^53)
 r2, s1 = {a = show(f4(0.5)), b = s1, [true] = cut("" .. -1)}, type({a = nil, b = 123456789012, [2.5] = "3.0"})
end, (1/3 & 10), (false and false)))
print(pcall(function(...)
 local t44 = {some(#"0x10"), some(cut(show(r2.a) .. cut(10 .. math.maxinteger)))}
 f4, t3['a'] = f4, some(cut((2 & 0x7fffffffffffffff) .. (255 % 0x7fffffffffffffff)))
 for n45, x46 in ipairs({math.huge, "x,y,z", 1e-10}) do
  if tick() then break end
  print(show((...)), (- (3 & 64)))
 end
 local r47 = meta({a = (1e-10 / -3), b = show(t44)}, {
  __mul = function(x, y)
   if tick() then return 1 end
   return show(t44[3])
  end,
  __bxor = function(x, y)
   if tick() then return 1 end
   return "x,y,z"
  end,
 })
 return ((("x,y,z" ~= s1) and (-1 == -3)) or (cut("-7" .. "0x10") or show(r2.c))), 1.0
end, show(f4), show(t3[1])))
print(pcall(function(...)
 do
  local t48 = {2^53, "key = value", 255}
  s1 = cut((math.floor(3) ~= math.ceil((0/0))) .. show(r2.a))
 end
 local r49 = {a = show(r2.m), b = (("3.0"):lower() < (0/0)), [1] = (s1 // (-2.5 // -2.5))}
 local function f50(x51, x52)
  if tick() then return end
  do
   local c53 <close> = meta({}, {__close = function(o, e) print('close', 53, e) end})
   for i = 1, 4 do
    if tick() then break end
    if i % 2 == 1 then goto continue3 end
    x51 = 1e15
    ::continue3::
   end
  end
  r49, r2 = {a = show(t3[#{1, 2}]), b = 0, [1] = (1.0 % math.mininteger)}, {a = (3.7 >= 1), b = -3, [true] = (0x7f % 1)}
  for n54 = 0, 5 do
   if tick() then break end
   local function f55(x56, x57, ...)
    if tick() then return end
    print(show(x51))
    x56 = math.floor(0x7fffffffffffffff)
    r49.a = show(f4(1.0))
    return (math.max((n54 - n54), n54) ~= ((2^53 == 1) or not false))
   end
   print(pcall(function(...)
    x51 = show(f4)
   end))
   local t58 = t3
  end
  return f4(cut(0x7fffffffffffffff .. math.fmod(3.7, 2)))
 end
 print((((- - math.maxinteger) % 1e15) - 123456789012), ("-7"):len())
 return show(r2.b), "hello world"
end, 0x7fffffffffffffff, (100 % 123456789012)))
print(pcall(function(...)
 print(show(s1), (2^63 ^ ((1 - 3.7) + #s1)))
 print((tostring((0x7fffffffffffffff and "a"))):sub(1, math.type(math.mininteger) == 'integer' and 3 or 2), show(t3))
end, ("10"):sub(3, 5), (2^53 ^ (0/0))))
print(pcall(function(...)
 local r59 = meta({a = 1, b = 10}, {
  __sub = function(x, y)
   if tick() then return 1 end
   return math.huge
  end,
  __shr = function(x, y)
   if tick() then return 1 end
   return show(r2.a)
  end,
  __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
  __bnot = function(x, y)
   if tick() then return 1 end
   local n60 = (- - 0)
   return math.ult(10, math.type(0.5))
  end,
  __idiv = function(x, y)
   if tick() then return 1 end
   return show(f4((math.huge or 7)))
  end,
  __lt = function(x, y)
   if tick() then return 1 end
   return show(r2)
  end,
 })
 for n61 = 3, 2 do
  if tick() then break end
  s1 = (s1):byte(5)
  do
   local c62 <close> = meta({}, {__close = function(o, e) print('close', 62, e) error('close62') end})
   do
    local c63 <close> = meta({}, {__close = function(o, e) print('close', 63, e) end})
    local _ = -r59
    r59 = {a = 255, b = show(select(2, ...)), [2.5] = ("abc" - n61)}
    r2.c = (s1 - math.tointeger(n61))
   end
  end
 end
end, math.maxinteger, show(s1)))
print("s1", s1)
print("r2", pcall(function() return r2.a, r2.b, r2.c end))
print("t3", pcall(table.concat, t3, ','))
print("f4", type(f4))
