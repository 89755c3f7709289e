local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local r1 = {a = (- - -3), b = ((- 1/3) <= 100), [2.5] = (123456789012 * 2.5)}
local s2 = type({a = ("-7" or 1/3), b = (123456789012 * 7), [true] = show(r1)})
local r3 = r1
local f4 = function(x, y) return (-0.0 & 1/3) end
local r5 <const> = r1
print(pcall(function(...)
 print(show(r1.m), (show((...)) and show((...))))
 local function f6(x7, x8)
  if tick() then return end
  do
   if (10 >= 2^63) then goto l1 end
   local co9 = coroutine.create(function(...)
    r1.a = 123456789012
    for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
    return math.mininteger
   end)
   print(coroutine.resume(co9, (~ 255)))
   print(coroutine.resume(co9, 255))
   print(coroutine.status(co9))
   ::l1::
  end
  do
   local c10 <close> = meta({}, {__close = function(o, e) print('close', 10, e) end})
   local r11 = meta({a = "x,y,z", b = (s2):rep(0, nil)}, {
    __sub = function(x, y)
     if tick() then return 1 end
     return ("abc" - math.mininteger)
    end,
   })
  end
  for i = 1, 5 do
   if tick() then break end
   if i % 2 == 1 then goto continue2 end
   for n12 = 3, 6 do
    if tick() then break end
    r3.b = (2.5 * math.ceil(-3))
    print(f4((1 * 0.5), tonumber(s2)))
    local _ = global_s2.x
   end
   ::continue2::
  end
  return (" 5 " - math.min(#"3.0", #"0x10"))
 end
end, ("\0\1"):sub(2, 1), 7))
print(pcall(function(...)
 local co13 = coroutine.create(function(...)
  s2 = cut(tonumber((s2):find("%b()")) .. -1)
  print(show(r1), 255)
  print((("-7"):byte(-1)):gsub("%", function(m) return m .. "!" end), ("0x10" * math.fmod(10, 1e100)))
  for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
  return ((-math.huge | 2) and show(r5.c))
 end)
 print(coroutine.resume(co13, show(select(2, ...))))
 print(coroutine.resume(co13, (s2):upper()))
 print(coroutine.resume(co13, show(r3.m)))
 print(coroutine.resume(co13, ((0/0) >> 1.0)))
 print(coroutine.status(co13))
 print(coroutine.close(co13))
 for i = 1, 3 do
  if tick() then break end
  if i % 2 == 1 then goto continue3 end
  local n14 = 0
  repeat local inner = show(f4(show(r5.b)))
   n14 = n14 + 1
   local r15 = {a = show(f4(show(r3))), b = (math.mininteger % 1e100), [2.5] = select('#', ...)}
  until n14 > 3 or inner == "10"
  local function f16(x17, x18)
   if tick() then return end
   local s19 = "\0\1"
   s2, r3 = string.format("%x", show(x18)), {a = 10, b = 7, ["c"] = string.format("%g", math.maxinteger)}
   return 1.0, table.concat({1.0, "x,y,z", 1e15}, "ä")
  end
  ::continue3::
 end
 for n20 = 3, 2 do
  if tick() then break end
  s2 = type(math.tointeger(math.abs(1/3)))
  local co21 = coroutine.create(function(...)
   r3.b = string.format("%a", show(f4(-1)))
   if (n20 == n20) then
    print(((math.ult(n20, 7) // 64) or 1.0))
   elseif ((0 == 2) and (n20 == -2.5)) then
    r3 = {a = ((0 ^ math.mininteger) % 7), b = show((...)), [2.5] = show((...))}
   else
    r1.c = math.abs(123456789012)
    r3.b = n20
   end
   print(pcall(function() print(coroutine.yield(2.5)) error('inside') end))
   return math.abs(1e15)
  end)
  print(coroutine.resume(co21, (s2):byte(0)))
  print(coroutine.resume(co21, show(r3.a)))
  print(coroutine.resume(co21, cut(0 .. math.mininteger)))
  print(coroutine.resume(co21, (1.0 and 255)))
  print(coroutine.status(co21))
 end
end, 2^53, (s2):gsub("%a+", function(m) return m .. "!" end)))
print(pcall(function(...)
 print(("x,y,z" * ("ä" * (0x7f | math.huge))), ("10" - math.abs(-2.5)))
 return show((...)), 0
end, 2^63, show(f4(math.mininteger))))
print(pcall(function(...)
 for i = 1, 5 do
  if tick() then break end
  if i % 2 == 0 then goto continue4 end
  local function f22(x23, x24, ...)
   if tick() then return end
   do
    if (3.7 < 123456789012) then goto l5 end
    r1.c = (("a"):rep(3, "")):lower()
    ::l5::
   end
   local s25 = "3.0"
   local t26 = {n = 1, some(...)}
  end
  local function f27(x28, x29, ...)
   if tick() then return end
   for i = 1, 5 do
    if tick() then break end
    if i % 2 == 1 then goto continue6 end
    r1.b = ((s2):rep(3, "") <= s2)
    ::continue6::
   end
   return (math.tointeger(2) - (-2.5 - 3)), ((3.7 > -3) or not nil)
  end
  ::continue4::
 end
 return type({123456789012, "nan", 2}), math.huge
end, show(r1.a), (s2):sub(0, 1)))
print(pcall(function(...)
 print(pcall(function(...)
  do
   do
    if (true or false) then goto l7 end
    print(((- #s2) - 3))
    ::l7::
   end
   f4, f4 = f4, f4
   for i = 1, 5 do
    if tick() then break end
    if i % 2 == 0 then goto continue8 end
    print(show(f4((math.ult(1/3, -3) * 2))))
    ::continue8::
   end
  end
  print((math.min(math.maxinteger, -2.5) / 1e100), (((- - 3) - #s2) * 3))
  error((2^63), 1)
 end))
 local r30 = {a = ((math.mininteger - 2^63) ^ 255), b = (" 5 "):sub(1, 0), [true] = ((10 >> -1) >= (1/3 * math.mininteger))}
 print(tonumber(cut(show(r30.a) .. math.ceil(1e-10))), s2)
end, 100, (s2):byte(-1)))
print("r1", pcall(function() return r1.a, r1.b, r1.c end))
print("s2", s2)
print("r3", pcall(function() return r3.a, r3.b, r3.c end))
print("f4", type(f4))
print("r5", pcall(function() return r5.a, r5.b, r5.c end))
