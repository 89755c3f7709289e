local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local s1 = "ä"
local f2 = function(x, y) return ((s1 // 0) ~ #s1) end
local f3 <const> = function(x, y) return (s1 and " 5 ") end
local t4 = {table.unpack({some(nil), 1e14}, 1, 2)}
local t5 = t4
print(pcall(function(...)
 local function f6(x7, x8)
  if tick() then return end
  print(f3("10", show(s1)))
  local function f9(x10, x11, ...)
   if tick() then return end
   print((0x7f // (3 % 7)), ((1.0 // 255) & 1e100))
   local _ = f3.a.b
   return f2(show(f3))
  end
  print(((-1 ^ 100) / (math.ceil(10) | (- - 2^53))))
 end
 local co12 = coroutine.create(function(...)
  local n13 = 0
  while n13 < 3 do
   n13 = n13 + 1
   if tick() then break end
   print((s1 * n13))
   local r14 = {a = ((1/3 - 3.7) >> (1 // n13)), b = -0.0, ["c"] = tonumber("\0\1")}
   hold(function() return n13 end)
  end
  if (math.fmod(-1, 1e100) > (math.mininteger & 0)) then
   print(pcall(function(...)
    print(((s1):gsub(".", "%%")):gsub("%b()", "%1"))
    error(((s1 // 3.7)), 2)
   end))
   local function f15(x16, x17, ...)
    if tick() then return end
    x16 = (- - -math.huge)
    return f6(("-7" + #"x,y,z"))
   end
   do
    f6 = function(x, y) return tonumber(tostring(0x7f)) end
    print(table.remove(t4))
   end
  elseif (("3.0"):byte(-2) == show(f2(-1))) then
   print(tonumber(cut(math.floor(1/3) .. 1.0)), " 5 ")
  end
  local r18 = meta({a = show(f6("x,y,z")), b = show(t4[1.0])}, {
   __bor = function(x, y)
    if tick() then return 1 end
    return (math.huge - (0x7f + -2.5))
   end,
   __mul = function(x, y)
    if tick() then return 1 end
    return math.tointeger((10 + 10))
   end,
   __shl = function(x, y)
    if tick() then return 1 end
    return string.format("%10.4s|", show(t5[1]))
   end,
   __bxor = function(x, y)
    if tick() then return 1 end
    return ((0/0) + 2)
   end,
  })
  return cut(("x,y,z" - -1) .. show(f2))
 end)
 print(coroutine.resume(co12, show(t5[3])))
 print(coroutine.resume(co12, -1))
 print(coroutine.resume(co12, ("\0\1"):find("(a*(.)%w(%s*))")))
 print(coroutine.resume(co12, show(t5)))
 print(coroutine.status(co12))
 print(coroutine.close(co12))
 local co19 = coroutine.create(function(...)
  print("ä", 123456789012)
  print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + 255)
  return -3
 end)
 print(coroutine.resume(co19, "ä"))
 print(coroutine.resume(co19, ("nan" and 123456789012)))
 print(coroutine.status(co19))
end, ("1e1"):sub(3, 5), #"1e1"))
print(pcall(function(...)
 if ((s1 ~= " 5 ") and not nil) then
  do
   local _ = s1 .. #s1
   f2, t4[-1] = f3, some(show(t5[2.5]))
  end
  t4 = {255, "0x10", 3.7}
 else
  print(math.fmod(tonumber(s1), math.type(2^53)), cut(((false and true) and (s1 * 10)) .. show((...))))
 end
end, -1, math.ult(-3, -2.5)))
print(pcall(function(...)
 print(show(select(2, ...)), show(f3(#"x,y,z")))
 for i = 1, 3 do
  if tick() then break end
  if i % 2 == 1 then goto continue1 end
  local t20 = {n = 1, some(...)}
  ::continue1::
 end
 print(pcall(function(...)
  local n21 = 0
  repeat local inner = show(f2(show((...))))
   n21 = n21 + 1
   t5 = {math.huge, "10", -3}
   s1, f2 = type({1e100, "x,y,z", 1e-10}), f2
  until n21 > 1 or inner == (""):rep(3, "-")
  print((string.format("%#x", show((...)))):gsub("%a+", "x"))
  for n22 = 0, 4 do
   if tick() then break end
   print(math.fmod(1.0, 255), show((...)))
  end
 end))
 local function f23(x24, x25)
  if tick() then return end
  x25, s1 = ("nan" * tonumber(" 5 ")), (s1):find(".")
  return f2((show(f3(0)) or type(1)))
 end
 f2, t4[1] = function(x, y) return (1e15 / math.huge) end, some(type(""))
 return show(t5[1]), show(f23(show(t4[2.5])))
end, math.min(0.5, 2^53), type("")))
print(pcall(function(...)
 print(pcall(function(...)
  print(-math.huge, (((7 | 2^53) / ("ä" // 7)) % 1e100))
  print(pcall(function(...)
   local s26 = s1
   print(table.concat(sorted({some(1e100), some(2.5), some(2^63)}), "ä"))
  end))
 end))
 s1, f2 = (("0x10"):sub(-1, -1)):byte(0), f3
 print((((100 * 255) * (0x7f * 1)) <= ("key = value" + tonumber(s1))), cut(string.format("%s", ("hello world" * (0/0))) .. show(t4[1.0])))
 do
  t5[#t5 + 1] = some(cut((math.maxinteger // -3) .. (false and "ä")))
  print(show(f3(2^53)), (((1e14 * 2^63) << 10) ~ (0/0)))
  print(show(f2(((1 ~= -1) or (10 ~= 3)))))
 end
end, show(f2), (- - -3)))
print(pcall(function(...)
 do
  local c27 <close> = meta({}, {__close = function(o, e) print('close', 27, e) end})
  print((((- - 7) * (2^63 & 7)) + math.fmod((123456789012 ^ -math.huge), (- - (0/0)))), "nan")
  local r28 = meta({a = ("\0\1"):rep(0, ""), b = (2^63 == -1)}, {
   __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
   __tostring = function() return cut(1.0 .. 2^63) end,
   __bor = function(x, y)
    if tick() then return 1 end
    return cut(cut(nil .. "-7") .. (100 % 3))
   end,
  })
  local function f29(x30, x31)
   if tick() then return end
   local r32 = meta({a = -math.huge, b = cut(1e100 .. "abc")}, {
    __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
    __mod = function(x, y)
     if tick() then return 1 end
     local _ = x30.a.b
     return (-3 % (math.mininteger - 1))
    end,
    __sub = function(x, y)
     if tick() then return 1 end
     return show(r28.m)
    end,
    __le = function(x, y)
     if tick() then return 1 end
     print(table.remove(t5))
     return show(f3(show(r28.b)))
    end,
    __shl = function(x, y)
     if tick() then return 1 end
     t4 = sorted({some(-2.5), some(0x7fffffffffffffff), some(2)})
     return 123456789012
    end,
   })
   t5[#t5 + 1] = some(math.type((7 // -0.0)))
   print(show(r28.m), s1)
   return (s1):rep(3, nil)
  end
  error((cut(3.7 .. 1e15)))
 end
 if ((10 << 10) > math.max(math.huge, 1)) then
  local s33 = cut(show(f3) .. (s1):len())
  local function f34(x35, x36)
   if tick() then return end
   print(table.remove(t4))
   if (show(f2(1.0)) == string.format("%e", 2^53)) then
    print("a")
    print(f3(2.5, ("" ~= s33)))
   else
    local _ = s33.a.b
   end
  end
  for n37 = 0, 4 do
   if tick() then break end
   local function f38(x39, x40)
    if tick() then return end
    print(f34(math.abs(n37), n37))
    return (- (n37 - math.ceil(100)))
   end
   local s41 = (cut((-0.0 - -1) .. n37)):sub(math.type(tonumber("key = value")) == 'integer' and 3 or 2, -2)
   hold(function() return n37 end)
  end
 else
  print(((2^63 * 0x7fffffffffffffff) - -2.5), show(f3(cut(" 5 " .. show(f3("x,y,z"))))))
  do
   local c42 <close> = meta({}, {__close = function(o, e) print('close', 42, e) end})
   print(pcall(function(...)
    t5 = {some(2), some((cut("abc" .. "3.0")):sub(2, -1))}
   end))
  end
 end
 t4 = t4
end, (s1):byte(5), show(t5['a'])))
print(pcall(function(...)
 for n43, x44 in ipairs({n = 1, some(...)}) do
  if tick() then break end
  local r45 = meta({a = ("hello world" * -0.0), b = math.huge}, {
   __pow = function(x, y)
    if tick() then return 1 end
    return cut(n43 .. (s1):byte(-2))
   end,
   __bnot = function(x, y)
    if tick() then return 1 end
    return s1
   end,
   __mul = function(x, y)
    if tick() then return 1 end
    return (math.ult(1/3, 7) * 0.5)
   end,
   __bxor = function(x, y)
    if tick() then return 1 end
    return show(f2((s1):byte(0)))
   end,
   __add = function(x, y)
    if tick() then return 1 end
    return n43
   end,
   __tostring = function() return cut(false .. true) end,
   __sub = function(x, y)
    if tick() then return 1 end
    print(pcall(function(...)
     print(n43)
    end))
    return 10
   end,
   __shl = function(x, y)
    if tick() then return 1 end
    return s1
   end,
  })
  for n46, x47 in ipairs(t4) do
   if tick() then break end
   print(show(f3(((n46 % -1) or n46))), show(t5[#{1, 2}]))
   print(f3((math.tointeger(n46) <= (1 & 0.5)), ("x,y,z"):sub(1, -1)))
  end
 end
 return string.format("%o", (tonumber(" 5 ") / -1)), (cut(nil .. 1e100) == ("ä"):gsub("x*", "%%"))
end, (-3 < 0.5), show(s1)))
print(pcall(function(...)
 local r48 = meta({a = -math.huge, b = (2 // 1e-10)}, {
  __bor = function(x, y)
   if tick() then return 1 end
   return math.min((s1 - 2), (1e100 + 1/3))
  end,
  __bxor = function(x, y)
   if tick() then return 1 end
   do
    local c49 <close> = meta({}, {__close = function(o, e) print('close', 49, e) end})
    for n50 = 1, 5 do
     if tick() then break end
     print(((("0x10"):match("[^%s]+")):match("[^%s]+")):byte(0))
     print((((1e-10 ~= 1.0) ~= n50) and not (true == "3.0")))
    end
    local co51 = coroutine.create(function(...)
     print(-0.0)
     print(show(select(2, ...)))
     print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + (s1):gsub("x*", string.upper))
     return (("10"):byte(3)):match("x*")
    end)
    print(coroutine.resume(co51, (~ 0x7fffffffffffffff)))
    print(coroutine.resume(co51, cut(math.maxinteger .. 0x7fffffffffffffff)))
    print(coroutine.resume(co51, show(f2(-2.5))))
    print(coroutine.status(co51))
    local t52 = {some((("3.0" + 1e100) % -1)), some(type(f2))}
    error((show(t4[3])))
   end
   return ((10 // 123456789012) * #s1)
  end,
 })
end, tonumber(s1), show(f2)))
print(pcall(function(...)
 do
  local c53 <close> = meta({}, {__close = function(o, e) print('close', 53, e) end})
  table.insert(t4, some((-3 / 1e14)))
  print(show(t4['a']), show(t4))
 end
 print(math.tointeger(("key = value" + 255)), show(select(2, ...)))
 print("ä", table.concat(t5, "nan"))
 local _ = t5()
 do
  local c54 <close> = meta({}, {__close = function(o, e) print('close', 54, e) end})
  local co55 = coroutine.create(function(...)
   if (cut(7 .. -1) <= cut(2^63 .. 2^63)) then
    print(coroutine.yield(math.ult((123456789012 * 0.5), #s1)))
    print(2)
    print(tonumber(s1))
   elseif ((- math.huge) <= -2.5) then
    f2 = f2
   else
    print(f2(((math.mininteger > 0) or (0 <= 1.0)), 3.7))
   end
   print(1.0, 3)
   return math.floor(10)
  end)
  print(coroutine.resume(co55, (2^63 % 10)))
  print(coroutine.status(co55))
 end
 return math.floor(1), #s1
end, cut(nil .. true), 123456789012))
print(pcall(function(...)
 local r56 = {a = (tonumber("0x10") > (123456789012 * 3)), b = (type({a = " 5 ", b = "hello world", [true] = 10}) < #"ä"), [2.5] = 100}
 local n57 = 0
 while n57 < 4 do
  n57 = n57 + 1
  if tick() then break end
  if not (0 >= math.huge) then
   print(tonumber((cut(1 .. -2.5)):upper()), ((#"-7" ^ (n57 % 255)) ~= 100))
   do
    local c58 <close> = meta({}, {__close = function(o, e) print('close', 58, e) end})
    print(f2(n57, show(r56)))
    error(((-math.huge and (0/0))))
   end
   f2, r56 = f3, r56
  end
  do
   if (math.huge > 3) then goto l2 end
   print((((" 5 "):gsub("%", function(m) return m .. "!" end)):gsub("(%w)(%w)", "<%0>")):match("(a*(.)%w(%s*))"), show(select(2, ...)))
   ::l2::
  end
 end
 local _ = t4 < (s1 + 2^63)
end, (math.huge + 0x7fffffffffffffff), show(f2("10"))))
print("s1", s1)
print("f2", type(f2))
print("f3", type(f3))
print("t4", pcall(table.concat, t4, ','))
print("t5", pcall(table.concat, t5, ','))
