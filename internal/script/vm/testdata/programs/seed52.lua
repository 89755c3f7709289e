local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local t1 = {table.unpack({some(-0.0), 0x7fffffffffffffff}, 1, 2)}
local r2 = {a = (math.ult(1e15, 10) << 0), b = "\0\1", [1] = 100}
local r3 = r2
local t4 = {1.0, "abc", math.huge}
print(pcall(function(...)
 print(show(t1), ("abc" * 123456789012))
 for n5 = 1, 3 do
  if tick() then break end
  print(("hello world" and (("nan"):find("(%w)(%w)")):sub(3, -1)), 2)
  print(#" 5 ")
 end
 print(pcall(function(...)
  print(pcall(function(...)
   print(select('#', ...), (- - ((0x7f - 2) << 64)))
   local function f6(x7, x8)
    if tick() then return end
    r3.a = -3
    print(1e14)
   end
   print(((("10"):sub(5, 0)):find("%b()") and show(r2)), (("ä" + 2.5) % tonumber(cut("nan" .. "nan"))))
   error(((0/0)), 1)
  end))
  error((tonumber("-7")), 2)
 end))
 if (3 <= (~ -0.0)) then
  print((1.0 < tonumber(("1e1"):byte(5))), show(r3.c))
 end
end, show(t1['a']), math.tointeger(1e-10)))
print(pcall(function(...)
 local function f9(x10, x11)
  if tick() then return end
  for n12 = (0/0), 1.0, 3 do
   if tick() then break end
   local function f13(x14, x15, ...)
    if tick() then return end
    x14 = (((123456789012 / 100) & math.fmod(n12, n12)) and (show(t4) or show(r2.m)))
    r2.m = (- - 7)
    t1 = t1
   end
   if ((false or false) or (true and true)) then
    x11 = ((("\0\1" - n12) ^ (n12 | n12)) / (math.floor(-1) >> math.min((0/0), n12)))
    r3.m = (n12 + (2^53 / math.huge))
    r2.b = math.abs((n12 + n12))
   end
   if ("a" <= (""):gsub("[^%s]+", "<%0>")) then
    t1 = {some(("1e1" - n12)), some(cut(show(r2.a) .. show(r2.b)))}
    print(f13((show(r3.b) and ("\0\1" // n12)), (1e-10 and 3.7)))
    x11 = (show(f13(tonumber("3.0"))) == tonumber(type("-7")))
   elseif (type("") == tostring(1e14)) then
    r2.m = show(f13(((0/0) - n12)))
   else
    r3 = r3
    print(2^63)
   end
   hold(function() return n12 end)
  end
  local co16 = coroutine.create(function(...)
   local r17 = meta({a = string.format("%#x", 1e100), b = ("-7" + 3.7)}, {
    __le = function(x, y)
     if tick() then return 1 end
     return show(t1[0])
    end,
    __call = function(x, y)
     if tick() then return 1 end
     return (0 ~ -1)
    end,
   })
   return (show(x11) and show(r2.b))
  end)
  print(coroutine.resume(co16, tonumber("ä")))
  print(coroutine.resume(co16, -1))
  print(coroutine.resume(co16, 2^63))
  print(coroutine.resume(co16, ("10" >= "x,y,z")))
  print(coroutine.status(co16))
  print(coroutine.close(co16))
  print((tonumber(("key = value"):rep(0, "-")) * 0.5))
  return 0, math.min(math.tointeger(0x7f), math.type(10))
 end
 do
  local c18 <close> = meta({}, {__close = function(o, e) print('close', 18, e) end})
  local function f19(x20, x21)
   if tick() then return end
   do
    if not false then goto l1 end
    print(show(f9(show(r2.b))))
    ::l1::
   end
   print(((123456789012 - -1) & math.ult(0x7f, 0x7fffffffffffffff)), tonumber(cut(2^53 .. (nil or math.mininteger))))
   return tonumber(type((1.0 / 123456789012)))
  end
  local r22 = {a = 2^53, b = show(t1[0]), [true] = "\0\1"}
 end
 print(table.remove(t4))
 r2.b = show(r2.m)
 local n23 = tonumber((("abc"):rep(2, nil)):sub(-1, 2))
 return "abc", show(t4[1])
end, 2, ("abc"):gsub("[a-f]", string.upper)))
print(pcall(function(...)
 local n24 = 0
 repeat local inner = 1e15
  n24 = n24 + 1
  local function f25(x26, x27, ...)
   if tick() then return end
   if (type("10") < cut(0x7fffffffffffffff .. false)) then
    r3.m = string.format("%g", 123456789012)
   elseif ((- -0.0) >= 1) then
    r2.m = show(r3.c)
   end
   print(cut(select('#', ...) .. math.tointeger(-2.5)), show(t1))
   print(show(r3.b), math.type(("a" // (- 1/3))))
   return (math.fmod(1.0, -2.5) <= (7 | -3)), 1/3
  end
 until n24 > 1 or inner == " 5 "
 return (""):rep(3, "-"), (#"0x10" and (math.maxinteger + -2.5))
end, ("-7"):find("[a-f]"), show(t1['a'])))
print(pcall(function(...)
 do
  local c28 <close> = meta({}, {__close = function(o, e) print('close', 28, e) end})
  r3 = r3
 end
 local n29 = 0
 repeat local inner = ((1.0 % 10) and (10 < 255))
  n29 = n29 + 1
  print((tonumber(("-7"):sub(5, 5)) and (~ (0x7fffffffffffffff + 123456789012))), (- 1e-10))
 until n29 > 4 or inner == (0 and 0x7f)
 local function f30(x31, x32)
  if tick() then return end
  print((math.fmod(#"10", 123456789012) or cut(show(x31) .. -1)), "-7")
  r3, r3 = r3, {a = 123456789012, b = show(t1), ["c"] = 0x7f}
  do
   local c33 <close> = meta({}, {__close = function(o, e) print('close', 33, e) end})
   for i = 1, 3 do
    if tick() then break end
    if i % 2 == 1 then goto continue2 end
    t1 = t1
    r2.b = (3 ^ 2^53)
    ::continue2::
   end
   print((show(t4['a']) or (show(r2) or math.maxinteger)), string.format("%e", show(r2.b)))
   r2, r2 = {a = ("3.0"):rep(2, nil), b = (1e100 and 10), [2.5] = (1e14 >> -1)}, r2
  end
  return ("key = value"):byte(2)
 end
 r3.a = (1e-10 % 0)
 print(pcall(function(...)
  print((tonumber(tostring(1e15)) << 1))
 end))
end, 10, show(t4['a'])))
print(pcall(function(...)
 do
  local c34 <close> = meta({}, {__close = function(o, e) print('close', 34, e) end})
  local function f35(x36, x37)
   if tick() then return end
   print(pcall(function(...)
    local _ = global_x37.x
    t1 = t4
    print(table.remove(t4))
   end))
  end
 end
 if (table.concat(t4, "10") <= ("10"):find("$")) then
  print(1e100, show(t1[1.0]))
 else
  local co38 = coroutine.create(function(...)
   do
    print(#"")
   end
   print(pcall(function() print(coroutine.yield((3.7 % -1))) error('inside') end))
   return (("a"):gsub("$", "%1")):len()
  end)
  print(coroutine.resume(co38, #"0x10"))
  print(coroutine.resume(co38, show(t4[#{1, 2}])))
  print(coroutine.resume(co38, show(r2)))
  print(coroutine.status(co38))
 end
 do
  if (0.5 ~= 1e100) then goto l3 end
  print(show(select(2, ...)), cut(math.floor((1e15 & 64)) .. ("1e1" * (1.0 % 100))))
  ::l3::
 end
 local function f39(x40, x41, ...)
  if tick() then return end
  do
   local c42 <close> = meta({}, {__close = function(o, e) print('close', 42, e) end})
   local function f43(x44, x45)
    if tick() then return end
    t1 = {math.maxinteger, "10", 2}
    return 3
   end
   local co46 = coroutine.create(function(...)
    table.insert(t4, some(show(r3.b)))
    for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
    return (-0.0 ^ 10)
   end)
   print(coroutine.resume(co46, ("hello world" - 1e-10)))
   print(coroutine.status(co46))
   t4 = sorted({some(1e100), some(1e14), some(math.maxinteger)})
  end
  for n47, x48 in ipairs(t1) do
   if tick() then break end
   t1 = {123456789012, "10", 0.5}
  end
 end
end, (0x7fffffffffffffff ~= 1e14), (math.mininteger * 1e-10)))
print("t1", pcall(table.concat, t1, ','))
print("r2", pcall(function() return r2.a, r2.b, r2.c end))
print("r3", pcall(function() return r3.a, r3.b, r3.c end))
print("t4", pcall(table.concat, t4, ','))
