local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local f1 = function(x, y) return ("hello world" - math.maxinteger) end
local n2 = (2^63 + (#"ä" % 3))
local s3 = ("abc"):rep(0, "")
local s4 = type(tonumber("10"))
print(pcall(function(...)
 s4, s4 = (cut(math.maxinteger .. 3.7)):gsub("%a+", "%1"), cut(((0/0) % 1e15) .. (n2 // 3.7))
 for i = 1, 2 do
  if tick() then break end
  if i % 2 == 0 then goto continue1 end
  local function f5(x6, x7)
   if tick() then return end
   local r8 <const> = {a = (- - n2), b = (s4):gsub("[a-f]", {a = "A", ["1"] = true}), [2.5] = (cut(false .. false)):byte(1)}
   print(((0 + math.min(10, n2)) // n2))
   print((s3):rep(3, "-"))
   return n2, 1
  end
  print(show((...)), #s3)
  ::continue1::
 end
 local f9 = f1
 local s10 = table.concat({-2.5, " 5 ", 0x7f}, "hello world")
 do
  local c11 <close> = meta({}, {__close = function(o, e) print('close', 11, e) end})
  print((- - n2), math.floor((n2 / (-2.5 // 3))))
  error((tonumber(s3)))
 end
 return show(s3), s10
end, (s4):match("."), show(f1("x,y,z"))))
print(pcall(function(...)
 print(show(f1), show(select(2, ...)))
 local n12 = math.max(math.maxinteger, n2)
end, 100, math.maxinteger))
print(pcall(function(...)
 s3, s3 = (cut("10" .. math.mininteger)):gsub(".", "%%"), (table.concat({1, 2, 3}, "x,y,z")):find(".")
 do
  if (math.huge ~= "nan") then goto l2 end
  print(((s4 + (-2.5 * n2)) + #"1e1"), cut(n2 .. #" 5 "))
  print(((0x7fffffffffffffff * 3) == (n2 - 10)), 2^53)
  ::l2::
 end
 f1, s4 = f1, table.concat({n = 1, some(...)}, "a")
 local n13 = 0
 while n13 < 4 do
  n13 = n13 + 1
  if tick() then break end
  print("nan")
  local r14 = meta({a = (s3):find("[a"), b = (0 or 0.5)}, {
   __lt = function(x, y)
    if tick() then return 1 end
    return ((- 100) <= #s4)
   end,
   __unm = function(x, y)
    if tick() then return 1 end
    local co15 = coroutine.create(function(...)
     print(show(f1(math.ceil(n2))))
     print((math.min((2^63 - 1), (1e14 >> n13)) ^ (7 % 2)))
     return (n2 ^ 1)
    end)
    print(coroutine.resume(co15, show(s4)))
    print(coroutine.status(co15))
    print(coroutine.close(co15))
    return n2
   end,
   __add = function(x, y)
    if tick() then return 1 end
    return n13
   end,
   __tostring = function() return tostring(0x7fffffffffffffff) end,
  })
  do
   local c16 <close> = meta({}, {__close = function(o, e) print('close', 16, e) end})
   r14.a = show(r14)
   print(show(r14.b), ((((0/0) | n2) + math.huge) | (math.mininteger * (- - n2))))
  end
 end
 n2 = tonumber(type(table.concat({"a", "b"}, " 5 ")))
 return ((n2 + 3) % -1), show(f1(math.tointeger(-0.0)))
end, s3, cut(255 .. math.mininteger)))
print(pcall(function(...)
 f1, s4 = f1, ((s3):lower()):len()
 for n17, x18 in ipairs(sorted({some(0.5), some(n2), some(2^63)})) do
  if tick() then break end
  local _ = x18 < (2 > math.mininteger)
  print(show(n2))
  do
   local c19 <close> = meta({}, {__close = function(o, e) print('close', 19, e) end})
   local f20 = f1
   if ((n17 < 0x7f) and (nil or nil)) then
    print(cut(show(x18) .. 255))
   else
    n2 = math.ult((1 * 0), n2)
   end
   error((show(f1)))
  end
 end
 local n21 = ("ä" - ((~ n2) * (n2 & 64)))
end, math.fmod(255, 1e100), (255 // 2)))
print(pcall(function(...)
 for i = 1, 4 do
  if tick() then break end
  if i % 2 == 0 then goto continue3 end
  local n22 = 0
  while n22 < 4 do
   n22 = n22 + 1
   if tick() then break end
   print((n22 + 2^63))
  end
  print(((math.floor(n2) + 10) and 3.7), cut(n2 .. show((...))))
  ::continue3::
 end
 local function f23(x24, x25)
  if tick() then return end
  do
   local c26 <close> = meta({}, {__close = function(o, e) print('close', 26, e) end})
   local r27 = {a = (string.format("%+d", 2^63) or 0.5), b = ((s4):sub(2, 3)):sub(-2, -1), ["c"] = show(n2)}
  end
  if (#s4 > -1) then
   local r28 = meta({a = ("a" and 0x7f), b = ("x,y,z" // -2.5)}, {
    __idiv = function(x, y)
     if tick() then return 1 end
     return cut((n2 << math.maxinteger) .. (s4):gsub("(a*(.)%w(%s*))", {a = "A", ["1"] = true}))
    end,
    __concat = function(x, y)
     if tick() then return 1 end
     print(type({some(("1e1" * (0/0))), some(table.concat({}, "abc"))}))
     return 1e15
    end,
    __band = function(x, y)
     if tick() then return 1 end
     return math.fmod(n2, n2)
    end,
   })
   print(show(r28.a), type(function(x, y) return s3 end))
  elseif (math.fmod(n2, n2) == 3) then
   for i = 1, 5 do
    if tick() then break end
    if i % 2 == 0 then goto continue4 end
    s4 = type(n2)
    x25 = s3
    ::continue4::
   end
  end
  local r29 = meta({a = ("a" // n2), b = 123456789012}, {
   __lt = function(x, y)
    if tick() then return 1 end
    local n30 = 0
    repeat local inner = ((true or true) or (255 <= 100))
     n30 = n30 + 1
     local _ = x25 + show(f1((0/0)))
     print(s4)
    until n30 > 2 or inner == math.min(n2, n2)
    return show(n2)
   end,
   __shr = function(x, y)
    if tick() then return 1 end
    return n2
   end,
   __unm = function(x, y)
    if tick() then return 1 end
    return tonumber((s3):lower())
   end,
   __band = function(x, y)
    if tick() then return 1 end
    local f31 = f1
    return (-1 * 64)
   end,
   __eq = function(x, y)
    if tick() then return 1 end
    return ((" 5 "):gsub("%", "%1") and 1e-10)
   end,
   __bxor = function(x, y)
    if tick() then return 1 end
    return ((n2 + 2^63) > (2 / 100))
   end,
  })
  return f1(n2)
 end
 if (#s4 ~= (1.0 | -3)) then
  for n32 = 2^53, 1, 2 do
   if tick() then break end
   print(math.ult(math.min((n32 - 0.5), (n32 + n32)), tonumber(cut(-3 .. false))))
  end
 elseif ((- - 0x7fffffffffffffff) < (n2 * n2)) then
  local n33 = 0
  repeat local inner = show(f23(n2))
   n33 = n33 + 1
   n2 = (((n2 | 2.5) & 1) // tonumber("3.0"))
   local n34 = 0
   repeat local inner = ((s3):reverse()):gsub("%b()", "x")
    n34 = n34 + 1
    f1 = function(x, y) return #"10" end
    print("abc")
   until n34 > 4 or inner == (1 == n2)
  until n33 > 3 or inner == n2
 end
 print(f1(s4, (2^53 and 0x7fffffffffffffff)))
 for i = 1, 5 do
  if tick() then break end
  if i % 2 == 1 then goto continue5 end
  local n35 = 0
  while n35 < 2 do
   n35 = n35 + 1
   if tick() then break end
   print(math.tointeger((s3 // n2)), (s3 // ((n35 * n35) << 3)))
   print(pcall(function(...)
    print(f1(3, #"nan"))
    f1 = f1
    print(f1(cut(("-7"):byte(2) .. show(s4)), (n2 + 0)))
   end))
  end
  for n36 = -3, 0x7f, 1 do
   if tick() then break end
   print(show(f23((cut(2 .. 1e100) <= string.format("%e", 1.0)))), (- tonumber("hello world")))
   do
    print((((n36 << 1) // (s3 * 1e100)) ~ n2))
    n2 = 1
    print(((- - n2) + 0.5))
   end
   if (math.min(-2.5, math.maxinteger) ~= math.abs(-0.0)) then break end
   hold(function() return n36 end)
  end
  ::continue5::
 end
 return show(s3), n2
end, 255, 100))
print(pcall(function(...)
 do
  print((math.tointeger(0x7f) and cut(3 .. cut("a" .. 3.7))), 1e-10)
 end
 for n37, x38 in ipairs({n = 1, some(...)}) do
  if tick() then break end
  local r39 = meta({a = 1e-10, b = tostring(math.huge)}, {
   __call = function(x, y)
    if tick() then return 1 end
    return show(f1(0))
   end,
   __add = function(x, y)
    if tick() then return 1 end
    return (n2 ^ n2)
   end,
   __pow = function(x, y)
    if tick() then return 1 end
    local co40 = coroutine.create(function(...)
     print(0.5)
     print(coroutine.yield(math.maxinteger))
     print(show((...)))
     for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
     return 0x7fffffffffffffff
    end)
    print(coroutine.resume(co40, show(s4)))
    print(coroutine.resume(co40, math.ult((0/0), -2.5)))
    print(coroutine.resume(co40, -2.5))
    print(coroutine.status(co40))
    print(coroutine.close(co40))
    return ((- n37) - (- - -0.0))
   end,
   __bnot = function(x, y)
    if tick() then return 1 end
    return math.floor(3)
   end,
   __concat = function(x, y)
    if tick() then return 1 end
    print(f1((s4 - 255), ("a" and 1.0)))
    return (#"key = value" ~ (s3 - math.maxinteger))
   end,
   __mod = function(x, y)
    if tick() then return 1 end
    return math.ult(n37, 2)
   end,
  })
  print(pcall(function(...)
   if (tonumber("a") <= 1) then
    local _ = n2 < show(f1(2.5))
    r39.m = (s3 + 1e15)
    print(f1(n2, show(r39.m)))
   elseif ((n2 % 3) > (-math.huge % -math.huge)) then
    print(f1(1e-10, show(select(2, ...))))
    print((math.fmod(n2, n2) * 3))
   end
   do
    local c41 <close> = meta({}, {__close = function(o, e) print('close', 41, e) end})
    n2 = (n2 * n2)
   end
   error((n2), 2)
  end))
  print(cut((cut("x,y,z" .. 1e-10)):find("%f[%w]%w+") .. (n2 + (- n2))))
  if ("" ~= ("-7"):rep(1, nil)) then break end
 end
 s4, n2 = "1e1", n2
 return math.tointeger((n2 / 3.7)), ("-7" - n2)
end, n2, tonumber(s4)))
print(pcall(function(...)
 local function f42(x43, x44)
  if tick() then return end
  print(f1((math.ceil(0x7f) % 0), show(f1(math.mininteger))))
  for i = 1, 3 do
   if tick() then break end
   if i % 2 == 0 then goto continue6 end
   s4, f1 = cut(show(x44) .. n2), f1
   ::continue6::
  end
  return f1(n2)
 end
end, n2, (1/3 - n2)))
print(pcall(function(...)
 for n45 = -2.5, 2.5, 2 do
  if tick() then break end
  print(pcall(function(...)
   local f46 = f1
  end))
 end
 print(0)
 f1 = f1
 local r47 = meta({a = show(n2), b = (n2 >> n2)}, {
  __bor = function(x, y)
   if tick() then return 1 end
   return math.ceil(n2)
  end,
  __mod = function(x, y)
   if tick() then return 1 end
   s4, s3 = s3, ("\0\1"):rep(3, "")
   return 255
  end,
  __shl = function(x, y)
   if tick() then return 1 end
   return (0/0)
  end,
  __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
  __idiv = function(x, y)
   if tick() then return 1 end
   if ((0.5 <= 2^63) or (s3 < s4)) then
    local n48 = math.abs((math.max(n2, math.huge) % #s3))
    local function f49(x50, x51)
     if tick() then return end
     print(show(f1(n2)))
     print(((math.abs(2.5) == n2) and ((7 - 7) >= n2)))
     x50 = n2
     return s4, (1 % 7)
    end
   end
   return (n2 // math.mininteger)
  end,
  __sub = function(x, y)
   if tick() then return 1 end
   return show(s4)
  end,
  __add = function(x, y)
   if tick() then return 1 end
   return math.ult(math.max(math.huge, n2), (- - n2))
  end,
  __mul = function(x, y)
   if tick() then return 1 end
   print(((math.fmod(1e100, -2.5) // #"\0\1") or math.ult((2.5 & n2), tonumber("0x10"))), (n2 % (n2 ^ -2.5)))
   return 7
  end,
 })
 return show(f1), (~ (n2 & n2))
end, math.fmod(2, 0), tostring(123456789012)))
print(pcall(function(...)
 print(show(n2), ((((0/0) * 7) - n2) or ("3.0"):rep(0, "-")))
end, show(s3), tostring("nan")))
print("f1", type(f1))
print("n2", n2)
print("s3", s3)
print("s4", s4)
