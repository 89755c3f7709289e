local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local f1 = function(x, y) return #"-7" end
local f2 = f1
local s3 = ((cut(math.huge .. 2)):sub(math.type(-2.5) == 'integer' and 3 or 2, 5)):gsub("%f[%w]%w+", "x")
local r4 = {a = 2.5, b = (string.format("%.3s", 1e14)):sub(1, -1), [2.5] = ((0.5 // 10) ~ 2^53)}
print(pcall(function(...)
 if not (nil and nil) then
  local function f5(x6, x7)
   if tick() then return end
   r4.c = math.floor((s3 - 123456789012))
   return ((0x7f - 255) * 1e14), (0/0)
  end
 elseif ((math.mininteger > 0) and (false or 123456789012)) then
  if (123456789012 <= tonumber(s3)) then
   local r8 = meta({a = (s3):gsub("[a", string.upper), b = 1.0}, {
    __sub = function(x, y)
     if tick() then return 1 end
     return #s3
    end,
    __mod = function(x, y)
     if tick() then return 1 end
     return " 5 "
    end,
    __concat = function(x, y)
     if tick() then return 1 end
     return -1
    end,
    __div = function(x, y)
     if tick() then return 1 end
     return (show(f2) and 1e14)
    end,
    __bor = function(x, y)
     if tick() then return 1 end
     return show(f2((s3):sub(2, -2)))
    end,
    __band = function(x, y)
     if tick() then return 1 end
     return show(f1(show(f1(1.0))))
    end,
   })
   do
    local c9 <close> = meta({}, {__close = function(o, e) print('close', 9, e) end})
    r8.a = math.mininteger
    s3 = "-7"
    s3 = cut(show(f2(show(f1("hello world")))) .. show(f1(math.huge)))
   end
   do
    r4.a = ((0.5 + 0) or "ä")
   end
  else
   print((s3 * (-math.huge ^ 7)), math.fmod(math.ult((s3 // 0x7f), tonumber("ä")), ((0 ~ 2^53) << 123456789012)))
  end
  for n10, x11 in ipairs({n = 1, some(...)}) do
   if tick() then break end
   for n12 = 255, 1e14, 2 do
    if tick() then break end
    local _ = n12 < n10
    s3 = table.concat({table.unpack({some("\0\1"), 7}, 1, 2)}, " 5 ")
    r4.c = type({0, "x,y,z", 2^63})
   end
  end
 else
  local s13 = cut(show(r4) .. ("abc"):gsub("()", function(m) return m .. "!" end))
 end
 print(pcall(function(...)
  print(7, show(s3))
  for n14, x15 in ipairs({n = 1, some(...)}) do
   if tick() then break end
   local n16 = (#" 5 " + 10)
   local f17 = f2
  end
 end))
 local co18 = coroutine.create(function(...)
  do
   for n19 = 2^63, 0, -1 do
    if tick() then break end
    f1 = function(x, y) return show(r4.a) end
    print(type({table.unpack({some("abc"), 2^53}, 1, 2)}))
    print(math.mininteger)
   end
   for i = 1, 3 do
    if tick() then break end
    if i % 2 == 0 then goto continue1 end
    r4 = {a = 2^53, b = 7, [2.5] = (show(f2(100)) and show(r4.b))}
    f1 = f1
    ::continue1::
   end
   local n20 = 0
   while n20 < 3 do
    n20 = n20 + 1
    if tick() then break end
    print(coroutine.yield(math.ceil(n20)))
    print(show(n20))
    print(f2(2.5, (s3):match(".")))
   end
  end
  local r21 = r4
  return math.huge
 end)
 print(coroutine.resume(co18, math.tointeger(1.0)))
 print(coroutine.resume(co18, -0.0))
 print(coroutine.resume(co18, (math.maxinteger == 3.7)))
 print(coroutine.status(co18))
 return 255, show(f1)
end, cut(7 .. 2), (1e15 / -math.huge)))
print(pcall(function(...)
 f2, f1 = f1, f2
 local n22 = 0
 repeat local inner = (#s3 >> (math.maxinteger - 10))
  n22 = n22 + 1
  local n23 = 0
  repeat local inner = ((math.huge << 0) - 0.5)
   n23 = n23 + 1
   print((type((-1 - 3))):reverse(), cut(show(r4.a) .. (#s3 // (1e14 // 3))))
  until n23 > 2 or inner == 10
  if ((1/3 - 1e-10) <= ((0/0) + 2.5)) then
   local n24 = 0
   repeat local inner = (math.fmod(0, 1) * math.ceil(2^63))
    n24 = n24 + 1
    s3 = s3
   until n24 > 2 or inner == show(f2((0/0)))
   local function f25(x26, x27)
    if tick() then return end
    r4.b = (255 - -1)
    print(f2(((math.maxinteger // -1) + 0.5), show(f1)))
    return f1((tonumber(s3) <= 3))
   end
  elseif (string.format("%e", -math.huge) <= ("x,y,z"):match("x*")) then
   local function f28(x29, x30)
    if tick() then return end
    local _ = f2 < 100
    return f2(show(f2(type(f1))))
   end
  else
   f2, f2 = function(x, y) return not nil end, function(x, y) return ("1e1"):reverse() end
  end
 until n22 > 4 or inner == (s3 > s3)
 return show(r4.b), show(f1(type(f2)))
end, table.concat({"a", "b"}, "ä"), (""):rep(3, "-")))
print(pcall(function(...)
 local s31 = ((cut("x,y,z" .. "")):reverse()):byte(1)
end, (1e15 & 2), "a"))
print(pcall(function(...)
 local co32 = coroutine.create(function(...)
  local r33 = meta({a = show((...)), b = (123456789012 or 100)}, {
   __eq = function(x, y)
    if tick() then return 1 end
    return ("1e1" - -3)
   end,
   __shl = function(x, y)
    if tick() then return 1 end
    local n34 = 0
    repeat local inner = #s3
     n34 = n34 + 1
     r4.a = show(f2(show(f2("0x10"))))
     print(tonumber((("3.0"):byte(1)):byte(3)))
    until n34 > 4 or inner == math.mininteger
    return not (nil or false)
   end,
   __band = function(x, y)
    if tick() then return 1 end
    r4.a = ((3 | 3.7) / (- - 10))
    return show(s3)
   end,
   __sub = function(x, y)
    if tick() then return 1 end
    return (cut(123456789012 .. 7) ~= 1e15)
   end,
   __idiv = function(x, y)
    if tick() then return 1 end
    print("nan", 2^53)
    return show(f1((10 // 2^53)))
   end,
   __len = function(x, y)
    if tick() then return 1 end
    return s3
   end,
   __unm = function(x, y)
    if tick() then return 1 end
    return (show(f2((0/0))) and 100)
   end,
  })
  local r35 = meta({a = (1/3 * -2.5), b = cut(true .. "1e1")}, {
   __div = function(x, y)
    if tick() then return 1 end
    print(tostring((-1 ^ 123456789012)), show(f1(3)))
    return ((-2.5 + 2^53) * 1e100)
   end,
   __eq = function(x, y)
    if tick() then return 1 end
    return show(f1)
   end,
   __len = function(x, y)
    if tick() then return 1 end
    return cut(show(r33) .. (-3 / 3.7))
   end,
   __shr = function(x, y)
    if tick() then return 1 end
    return 3.7
   end,
   __unm = function(x, y)
    if tick() then return 1 end
    return (3.7 & 2)
   end,
   __pow = function(x, y)
    if tick() then return 1 end
    f1, r4 = function(x, y) return cut(false .. nil) end, r4
    return (s3 * -2.5)
   end,
  })
  return -0.0
 end)
 print(coroutine.resume(co32, "key = value"))
 print(coroutine.resume(co32, show(f2(nil))))
 print(coroutine.resume(co32, show(f1(true))))
 print(coroutine.status(co32))
 return ((#s3 / tonumber(s3)) % 0.5), (-1 / 1e100)
end, type({"a", "b"}), show(f1("0x10"))))
print(pcall(function(...)
 local s36 = (tostring(("hello world"):rep(0, "-"))):byte(5)
 do
  local c37 <close> = meta({}, {__close = function(o, e) print('close', 37, e) error('close37') end})
  f1 = function(x, y) return -math.huge end
  print((math.mininteger - ((-1 ^ 10) | 7)), ("0x10" // math.tointeger(1e100)))
  error((type(s36)))
 end
 f2 = function(x, y) return 100 end
 return (#"ä" < math.floor((100 << -3))), ("hello world" or cut(1e-10 .. 2^63))
end, show(s3), (1/3 % 1)))
print(pcall(function(...)
 do
  local c38 <close> = meta({}, {__close = function(o, e) print('close', 38, e) end})
  print(pcall(function(...)
   local function f39(x40, x41)
    if tick() then return end
    r4.a = ((-0.0 == -1) or (nil and nil))
    print(f2(((1/3 << 0.5) * tonumber(s3)), tostring(1e15)))
    return (" 5 " <= s3)
   end
   do
    local _ = #s3
   end
  end))
  local s42 = string.format("%o", ((-math.huge + 100) - 0.5))
  print((tonumber((s3):rep(0, "-")) or (("key = value"):byte(-1)):byte(-2)), (-3 & (- - ((0/0) - 1e-10))))
  error((1e100))
 end
 return "\0\1", (show(r4) and string.format("%d", "a"))
end, show(s3), (1e14 ^ -3)))
print("f1", type(f1))
print("f2", type(f2))
print("s3", s3)
print("r4", pcall(function() return r4.a, r4.b, r4.c end))
