local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local t1 = {table.unpack({some(2^63), 2}, 1, 2)}
local n2 = (1e15 // (- (1 | 2)))
local r3 = {a = show(n2), b = #"hello world", ["c"] = show(t1[-1])}
local t4 = t1
print(pcall(function(...)
 print(show(r3), n2)
 local s5 = type("1e1")
 return 1e15, ((0.5 * n2) and (s5):byte(-2))
end, "ä", n2))
print(pcall(function(...)
 print(math.ult(#"ä", ("0x10" + 1.0)))
 local r6 = meta({a = n2, b = 1e15}, {
  __index = function(x, y)
   if tick() then return 1 end
   return (n2 and cut(nil .. 3.7))
  end,
  __pow = function(x, y)
   if tick() then return 1 end
   return (tonumber("nan") * (-0.0 // n2))
  end,
  __eq = function(x, y)
   if tick() then return 1 end
   return show(t4)
  end,
  __band = function(x, y)
   if tick() then return 1 end
   r3.b = type(t1)
   return (math.ult(-3, math.maxinteger) and (""):len())
  end,
  __call = function(x, y)
   if tick() then return 1 end
   return string.format("%o", ("1e1" - 1.0))
  end,
  __div = function(x, y)
   if tick() then return 1 end
   return ((n2 / n2) + (0x7f % math.huge))
  end,
 })
 print(pcall(function(...)
  do
   if ("0x10" == "hello world") then goto l1 end
   local co7 = coroutine.create(function(...)
    r6 = {a = show(r3), b = table.concat({table.unpack({some(2^53), 0}, 1, 2)}, " 5 "), [true] = (show((...)) or 0x7f)}
    r3 = r3
    print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + show(r3.m))
    return cut(n2 .. (1.0 * 1e15))
   end)
   print(coroutine.resume(co7, ("key = value" or math.mininteger)))
   print(coroutine.resume(co7, select('#', ...)))
   print(coroutine.resume(co7, ("x,y,z"):match("%s*$")))
   print(coroutine.resume(co7, show(t1)))
   print(coroutine.status(co7))
   ::l1::
  end
  print(cut(" 5 " .. show(t4)))
  do
   local c8 <close> = meta({}, {__close = function(o, e) print('close', 8, e) end})
   t4, r3 = t4, {a = "10", b = (0/0), [1] = show(r6)}
   if ((nil or nil) and ("10" < "3.0")) then
    t1 = {some((2.5 & -1)), some(cut(n2 .. 123456789012))}
    t4[#t4 + 1] = some(((n2 / n2) <= (n2 * n2)))
    r6.a = ("1e1" >= ("3.0"):gsub("(.)%1", function(m) return m .. "!" end))
   elseif ((-1 < 0) or (n2 == n2)) then
    if #t4 > 0 then t4[1 + 5 % #t4] = some((n2 or 0.5)) end
   else
    print(show(r6.m))
   end
   table.insert(t1, some(("hello world"):rep(3, nil)))
  end
 end))
 print(show(t1[0]), 3)
 if (("ä"):sub(3, 0) == show(r6.b)) then
  do
   print((- tonumber(("nan"):gsub("%", {a = "A", ["1"] = true}))), show(r3))
   local r9 = meta({a = show((...)), b = tostring(" 5 ")}, {
    __mul = function(x, y)
     if tick() then return 1 end
     return n2
    end,
    __bor = function(x, y)
     if tick() then return 1 end
     return (("0x10"):match("()")):gsub("x*", "<%0>")
    end,
    __band = function(x, y)
     if tick() then return 1 end
     return (("x,y,z" - n2) // (n2 ^ 3.7))
    end,
    __shl = function(x, y)
     if tick() then return 1 end
     return ((n2 ^ n2) and cut("ä" .. 123456789012))
    end,
    __idiv = function(x, y)
     if tick() then return 1 end
     return (n2 + 255)
    end,
   })
   for i = 1, 2 do
    if tick() then break end
    if i % 2 == 1 then goto continue2 end
    r9 = {a = n2, b = -0.0, ["c"] = (("x,y,z"):byte(3)):gsub("()", string.upper)}
    ::continue2::
   end
  end
  print(2, type(function(x, y) return tostring(1.0) end))
  for i = 1, 2 do
   if tick() then break end
   if i % 2 == 1 then goto continue3 end
   r3.m = cut(show(select(2, ...)) .. show(n2))
   local function f10(x11, x12)
    if tick() then return end
    x12 = n2
    return (- - n2), show(r6.b)
   end
   ::continue3::
  end
 end
end, 1e15, (n2 & n2)))
print(pcall(function(...)
 local co13 = coroutine.create(function(...)
  do
   local function f14(x15, x16)
    if tick() then return end
    r3.b = "-7"
   end
  end
  return (math.abs(n2) % math.max(n2, n2))
 end)
 print(coroutine.resume(co13, show(t4)))
 print(coroutine.resume(co13, math.floor(n2)))
 print(coroutine.resume(co13, (" 5 " and 100)))
 print(coroutine.status(co13))
 return n2, math.ceil(1e100)
end, show(t1[1.0]), ("a"):byte(1)))
print(pcall(function(...)
 local s17 = cut(show(t4[-1]) .. (math.floor(7) < n2))
 for n18 = 3, 123456789012, 3 do
  if tick() then break end
  print(math.ceil(#s17), ((math.tointeger(1e15) // math.tointeger(1e-10)) * tonumber((s17):byte(5))))
  local co19 = coroutine.create(function(...)
   local function f20(x21, x22, ...)
    if tick() then return end
    x21 = n2
   end
   local f23 = function(x, y) return (n2 // 3.7) end
   local r24 = meta({a = show(f23(math.maxinteger)), b = show((...))}, {
    __add = function(x, y)
     if tick() then return 1 end
     return show(t4)
    end,
    __idiv = function(x, y)
     if tick() then return 1 end
     print(coroutine.yield(((~ 255) or (n2 % 1e14))))
     return show(r3.b)
    end,
    __len = function(x, y)
     if tick() then return 1 end
     return n18
    end,
    __band = function(x, y)
     if tick() then return 1 end
     r3.c = (s17 // 1e15)
     return ((s17 - -math.huge) // math.fmod(n18, 1e14))
    end,
    __concat = function(x, y)
     if tick() then return 1 end
     return n18
    end,
    __tostring = function() return ("x,y,z"):rep(1, "") end,
   })
   for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
   return s17
  end)
  print(coroutine.resume(co19, tostring(1e15)))
  print(coroutine.resume(co19, 123456789012))
  print(coroutine.status(co19))
 end
 return cut(show(t4[3]) .. "hello world"), n2
end, (2.5 % n2), (""):byte(0)))
print(pcall(function(...)
 print(pcall(function(...)
  local function f25(x26, x27, ...)
   if tick() then return end
   local s28 = "10"
   return math.fmod(tonumber("nan"), math.huge)
  end
 end))
 local function f29(x30, x31)
  if tick() then return end
  do
   if (1e15 ~= -0.0) then goto l4 end
   print(show(t4), show(r3.a))
   ::l4::
  end
  local n32 = math.min(#"ä", (math.mininteger + (-2.5 - n2)))
 end
 local _ = global_n2.x
end, show(t1['a']), (-3 << 10)))
print(pcall(function(...)
 print((n2 <= 1), ("ä" - ((n2 - 0x7f) * (255 / n2))))
 print((math.ult(#" 5 ", (-math.huge % 1e-10)) // n2), (("ä" - n2) >> (2.5 * 1)))
 r3.a = ((-math.huge + n2) ^ (math.mininteger % 0))
 local function f33(x34, x35)
  if tick() then return end
  for i = 1, 2 do
   if tick() then break end
   if i % 2 == 1 then goto continue5 end
   local n36 = 0
   repeat local inner = "-7"
    n36 = n36 + 1
    t4 = t1
   until n36 > 2 or inner == ("\0\1"):reverse()
   ::continue5::
  end
  local function f37(x38, x39)
   if tick() then return end
   local function f40(x41, x42)
    if tick() then return end
    local _ = x34()
    print(((cut(-3 .. "")):byte(1)):find("(a*(.)%w(%s*))"))
    r3.b = math.fmod(math.maxinteger, (n2 // n2))
   end
   local _ = n2 .. ("hello world"):byte(2)
   x39 = show(r3.c)
   return (tonumber("\0\1") or tostring(n2))
  end
  print(tonumber(cut((-math.huge % 2^53) .. 7)), (math.floor(n2) << n2))
 end
 t1 = t4
 return not ((n2 // n2) == (- 0x7fffffffffffffff)), (255 and show(f33(1)))
end, tonumber("1e1"), "abc"))
print(pcall(function(...)
 print((((" 5 " + 1e15) ~= 3) and ((123456789012 and 0x7fffffffffffffff) < n2)))
 local co43 = coroutine.create(function(...)
  r3.b = 7
  t1 = {table.unpack({some("ä"), 0}, 1, 2)}
  do
   local c44 <close> = meta({}, {__close = function(o, e) print('close', 44, e) end})
   print(show(r3.b))
   t1 = sorted({some(n2), some(math.huge), some(1e100)})
   local n45 = 0
   while n45 < 3 do
    n45 = n45 + 1
    if tick() then break end
    n2 = math.fmod((tonumber("") // 3), math.max(("nan" * n45), (1e15 - n45)))
    print(("" + ("x,y,z" * (1e14 - 1))))
    hold(function() return n45 end)
   end
  end
  print(pcall(function() print(coroutine.yield(cut("key = value" .. 3.7))) local x = nil + 1 end))
  return tonumber("a")
 end)
 print(coroutine.resume(co43, (- n2)))
 print(coroutine.resume(co43, "10"))
 print(coroutine.status(co43))
 print(pcall(function(...)
  for i = 1, 5 do
   if tick() then break end
   if i % 2 == 1 then goto continue6 end
   r3, t4['a'] = r3, some(((n2 << 2) & 3))
   do
    local c46 <close> = meta({}, {__close = function(o, e) print('close', 46, e) end})
    n2 = n2
    r3.a = (tonumber("3.0") - n2)
    error(((" 5 " or 0)))
   end
   ::continue6::
  end
 end))
 return cut(string.format("%05d", (0 and nil)) .. (n2 + n2)), n2
end, 0, show(t1[#{1, 2}])))
print(pcall(function(...)
 local function f47(x48, x49)
  if tick() then return end
  local r50 = r3
  print(#"nan", tostring(1e-10))
 end
 print((math.tointeger(1/3) + 0.5), (- - tonumber(("nan"):byte(0))))
 local s51 = string.format("%c", (show(f47("ä")) and (-1 ^ n2)))
 return ((100 // -math.huge) | tonumber(s51)), (n2 + n2)
end, n2, n2))
print("t1", pcall(table.concat, t1, ','))
print("n2", n2)
print("r3", pcall(function() return r3.a, r3.b, r3.c end))
print("t4", pcall(table.concat, t4, ','))
