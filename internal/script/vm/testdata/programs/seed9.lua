local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local n1 = ("key = value" // math.tointeger(1.0))
local n2 = n1
local f3 = function(x, y) return (("3.0" + 0x7f) / ("10" * n2)) end
local s4 <const> = (cut(show(n2) .. n1)):match("%b()")
local s5 = cut(("-7" + n2) .. tonumber(("-7"):rep(0, nil)))
print(pcall(function(...)
 print(pcall(function(...)
  local n6 = math.floor(#s4)
 end))
 print(-2.5, tostring(#s5))
 local n7 = 0
 while n7 < 2 do
  n7 = n7 + 1
  if tick() then break end
  local n8 = 0
  repeat local inner = ("ä" * tonumber("x,y,z"))
   n8 = n8 + 1
   print(tonumber(table.concat({table.unpack({some("1e1"), -1}, 1, 2)}, "3.0")))
  until n8 > 4 or inner == select('#', ...)
  print(((n7 ^ n1) // math.ceil(n2)), show(select(2, ...)))
 end
 local function f9(x10, x11)
  if tick() then return end
  f3 = f3
  return ((n2 + ("nan" - 2^53)) << 0.5)
 end
 local function f12(x13, x14)
  if tick() then return end
  if ((n1 << n1) > #s4) then
   print(pcall(function(...)
    print(((- - (0 * n2)) // 0))
   end))
   print(show(f9(show(f9(n2)))))
   local function f15(x16, x17)
    if tick() then return end
    print(f9(tonumber(cut(-1 .. nil)), n2))
    x17 = 1/3
    f3 = f9
    return f9(2)
   end
  end
  return 255
 end
end, math.ult(2^53, n2), 123456789012))
print(pcall(function(...)
 do
  local function f18(x19, x20, ...)
   if tick() then return end
   local co21 = coroutine.create(function(...)
    print((cut(show(n2) .. n1)):sub(5, math.type((n1 << 1.0)) == 'integer' and 3 or 2))
    n1 = (s4 - 100)
    print(pcall(function() print(coroutine.yield((n1 * 0)))  end))
    return 100
   end)
   print(coroutine.resume(co21, string.format("%.3s", "3.0")))
   print(coroutine.resume(co21, n1))
   print(coroutine.resume(co21, (n1 > math.mininteger)))
   print(coroutine.status(co21))
   print(show(f3((- math.huge))), (((s5):find(".")):sub(0, -2)):byte(2))
   return show(f3((s5):rep(0, nil))), show(f3("key = value"))
  end
  do
   if (n2 > 100) then goto l1 end
   local function f22(x23, x24)
    if tick() then return end
    f18 = f18
   end
   print((n1 << #s5), show(f3(select('#', ...))))
   ::l1::
  end
  local r25 = meta({a = cut(123456789012 .. true), b = n2}, {
   __shr = function(x, y)
    if tick() then return 1 end
    return #"x,y,z"
   end,
   __lt = function(x, y)
    if tick() then return 1 end
    for n26 = 0, 10, -2 do
     if tick() then break end
     print(f18(n26, n26))
     print((2 // 0))
    end
    return 2^53
   end,
   __add = function(x, y)
    if tick() then return 1 end
    do
     print(f18(("" * math.floor(1e15)), s4))
     f3 = function(x, y) return (n1 % 10) end
    end
    return table.concat({0.5, "hello world", (0/0)}, " 5 ")
   end,
  })
 end
 print(pcall(function(...)
  local co27 = coroutine.create(function(...)
   local n28 = 0
   repeat local inner = tonumber(("ä"):gsub(".", "<%0>"))
    n28 = n28 + 1
    print((- (s4 - 0)))
   until n28 > 2 or inner == 1e14
   do
    print(select('#', ...))
    n1 = ((- - (math.huge & 3.7)) >> (s4 + 1e100))
   end
   local r29 = {a = (n1 >= (n2 + 0.5)), b = (0.5 > 3), [true] = show(n1)}
   print(pcall(function() print(coroutine.yield(show(r29.m))) error('inside') end))
   return n1
  end)
  print(coroutine.resume(co27, 2^53))
  print(coroutine.resume(co27, 1e15))
  print(coroutine.status(co27))
  print(coroutine.close(co27))
 end))
end, 1/3, (7 * 0.5)))
print(pcall(function(...)
 print((tonumber((" 5 "):sub(1, 1)) > 100), ((-0.0 * n2) or cut(("-7"):rep(0, "-") .. n2)))
 for i = 1, 2 do
  if tick() then break end
  if i % 2 == 1 then goto continue2 end
  print(math.maxinteger, (n1 >= 100))
  ::continue2::
 end
 print(pcall(function(...)
  print(show(s5), math.max(((1e100 ^ n1) % 3), ((-math.huge % 10) - 0x7fffffffffffffff)))
  error((tonumber(s5)), 0)
 end))
end, show(n2), (n1 <= -1)))
print(pcall(function(...)
 print((""):sub(math.type(n1) == 'integer' and 3 or 2, math.type(#s5) == 'integer' and 3 or 2))
 local co30 = coroutine.create(function(...)
  n1 = n1
  for i = 1, 3 do
   if tick() then break end
   if i % 2 == 0 then goto continue3 end
   local n31 = 0
   while n31 < 1 do
    n31 = n31 + 1
    if tick() then break end
    print(((7 ^ math.huge) * (- - n2)))
    n1 = (tonumber(cut("10" .. -math.huge)) - n1)
   end
   do
    print(2.5)
    n1 = math.ceil((- - n2))
    f3 = function(x, y) return n2 end
    s5 = tostring(show(f3))
   end
   ::continue3::
  end
  for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
  return (1e100 - math.maxinteger)
 end)
 print(coroutine.resume(co30, show((...))))
 print(coroutine.status(co30))
 print(coroutine.close(co30))
 s5, n1 = (("3.0"):gsub("%d", function(m) return m .. "!" end)):gsub("%d", "%%"), (s4 // 0x7fffffffffffffff)
 n2, f3 = (- tonumber(s5)), function(x, y) return n2 end
 print(cut((100 > math.max(0x7f, -2.5)) .. n1))
end, show(n1), (s4):rep(1, nil)))
print(pcall(function(...)
 local r32 = meta({a = "x,y,z", b = n1}, {
  __lt = function(x, y)
   if tick() then return 1 end
   s5, f3 = "key = value", function(x, y) return (n1 / math.mininteger) end
   return show(s4)
  end,
  __le = function(x, y)
   if tick() then return 1 end
   print(pcall(function(...)
    local function f33(x34, x35)
     if tick() then return end
     local _ = f3 .. {a = "key = value", b = math.mininteger, [true] = 255}
     print(f3(n2, table.concat({1, 2, 3}, "10")))
     print(f3(string.format("%q", (s5):gsub("()", function(m) return m .. "!" end)), 0))
    end
    print(("a" * n1))
    error(((s5):match("%d")), 2)
   end))
   return cut(n1 .. 255)
  end,
  __shl = function(x, y)
   if tick() then return 1 end
   return (s4):gsub("%f[%w]%w+", "x")
  end,
  __len = function(x, y)
   if tick() then return 1 end
   return (n2 or (~ 123456789012))
  end,
  __mod = function(x, y)
   if tick() then return 1 end
   return ((s4):find("[a")):gsub("l-", "<%0>")
  end,
  __eq = function(x, y)
   if tick() then return 1 end
   return show(f3(3.7))
  end,
  __call = function(x, y)
   if tick() then return 1 end
   return (n2 - n2)
  end,
 })
 return show(f3(show(r32.a))), ((n2 ~= n1) or (n1 ~= 0))
end, (false or true), (n1 << 7)))
print(pcall(function(...)
 local n36 = 0
 repeat local inner = string.format("%10.4s|", #"a")
  n36 = n36 + 1
  local t37 = sorted({some(2^63), some(n2), some(n1)})
 until n36 > 2 or inner == "-7"
 return type((math.ult(n1, n2) * (~ 1))), tonumber((s4):byte(1))
end, tonumber(s5), (s4):gsub("%s*$", "%1")))
print(pcall(function(...)
 print(show(select(2, ...)), "a")
 local function f38(x39, x40)
  if tick() then return end
  do
   local c41 <close> = meta({}, {__close = function(o, e) print('close', 41, e) end})
   for i = 1, 5 do
    if tick() then break end
    if i % 2 == 1 then goto continue4 end
    print(f3((cut(2^63 .. "x,y,z") < tostring("hello world")), (n1 ^ 1e-10)))
    ::continue4::
   end
   local n42 = (math.ult((~ -0.0), (n2 % n2)) | (math.max(0x7f, n1) + (n1 << 64)))
   x40, n2 = ((n42 <= n2) or (n42 >= 3)), n2
  end
 end
 f3 = function(x, y) return ((n1 + n2) and n1) end
 print(show((...)), (((n2 + 0x7f) ~ (0x7fffffffffffffff + 1.0)) * tonumber(table.concat({1, 2, 3}, "1e1"))))
 local function f43(x44, x45, ...)
  if tick() then return end
  f38 = function(x, y) return ((- - n1) // (-3 - math.huge)) end
  print(s4, show(f3(3.7)))
  local function f46(x47, x48, ...)
   if tick() then return end
   if not (true and 0) then
    x45 = s5
    print(s4)
    print(f38((cut("x,y,z" .. math.maxinteger)):gsub("$", string.upper), cut(1e-10 .. "ä")))
   else
    print((s5):reverse())
    print((-math.huge / ((10 // 0x7f) % n1)))
   end
   local n49 = 0
   repeat local inner = ((1e14 | n1) > 0)
    n49 = n49 + 1
    n2 = #"ä"
    f38 = f38
   until n49 > 2 or inner == -math.huge
   return f38(show(f38(select('#', ...))))
  end
  return show(f3(tonumber(s5))), cut(n1 .. n1)
 end
 return (((s5):gsub("^a", "%1")):sub(math.type(n1) == 'integer' and 3 or 2, math.type(math.huge) == 'integer' and 3 or 2)):find("%f[%w]%w+"), (n1 == 1)
end, (n1 % -1), cut(false .. -3)))
print("n1", n1)
print("n2", n2)
print("f3", type(f3))
print("s4", s4)
print("s5", s5)
