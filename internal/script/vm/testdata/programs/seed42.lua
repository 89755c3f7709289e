local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local f1 = function(x, y) return (-1 % (123456789012 << 2)) end
local r2 = {a = 3.7, b = ("key = value" + #""), [1] = ("a"):reverse()}
local s3 <const> = ("x,y,z"):byte(5)
print(pcall(function(...)
 local n4 = math.mininteger
 r2.b = n4
 local function f5(x6, x7)
  if tick() then return end
  local t8 = {-2.5, "", -1}
 end
 local f9 <const> = function(x, y) return (2^53 - -1) end
end, (1e100 < -0.0), string.format("%a", 1.0)))
print(pcall(function(...)
 r2 = {a = (select('#', ...) or show(r2.a)), b = (-3 ^ 1e100), [true] = 123456789012}
 r2.b = show(f1)
 for i = 1, 4 do
  if tick() then break end
  if i % 2 == 0 then goto continue1 end
  local f10 <const> = f1
  local r11 = meta({a = select('#', ...), b = math.abs(3)}, {
   __shr = function(x, y)
    if tick() then return 1 end
    do
     if not nil then goto l2 end
     r2.b = ((-3 + 123456789012) + math.maxinteger)
     r2 = {a = (type(-2.5) and (10 or 1)), b = ((3 == 1e100) and not false), ["c"] = (cut("x,y,z" .. -1)):find("(%w)(%w)")}
     ::l2::
    end
    return (-math.huge ~ 123456789012)
   end,
   __shl = function(x, y)
    if tick() then return 1 end
    return (("0x10"):byte(0)):byte(5)
   end,
   __bxor = function(x, y)
    if tick() then return 1 end
    return ((-1 ^ -math.huge) // 7)
   end,
   __add = function(x, y)
    if tick() then return 1 end
    for n12 = 0, 4 do
     if tick() then break end
     r2 = {a = 1, b = table.concat(sorted({some(-1), some(n12), some(7)}), "10"), [2.5] = (("key = value"):gsub(".", "<%0>")):sub(-1, math.type(n12) == 'integer' and 3 or 2)}
     r2 = r2
     r2 = r2
    end
    return (("ä"):sub(3, -1) ~= string.format("%s", nil))
   end,
  })
  ::continue1::
 end
 if ((true or true) or ("" > " 5 ")) then
  local n13 = 0
  repeat local inner = ("" - math.ult(2.5, 2^53))
   n13 = n13 + 1
   local function f14(x15, x16, ...)
    if tick() then return end
    f1 = f1
    return show(r2.c)
   end
   r2, f1 = {a = (""):upper(), b = show(r2.m), [true] = cut("abc" .. " 5 ")}, f1
  until n13 > 3 or inner == (-math.huge % 2^53)
  local n17 = 0
  repeat local inner = show(f1)
   n17 = n17 + 1
   local function f18(x19, x20)
    if tick() then return end
    print(f1((-0.0 + 10), (2^53 // 0x7f)))
    local _ = x20.a.b
    print(show(r2.b))
    return (- - math.maxinteger), (1e14 // 0.5)
   end
  until n17 > 4 or inner == 2^53
 elseif (("3.0" ~= "\0\1") and (s3 >= s3)) then
  do
   f1, f1 = f1, f1
   local function f21(x22, x23, ...)
    if tick() then return end
    local _ = f1.a.b
    x22 = 2^53
    return f1(cut(show(r2) .. 0x7fffffffffffffff))
   end
   print(((0x7f >= math.huge) or (math.max(-0.0, math.huge) <= (123456789012 ^ 10))))
   f21, f21 = function(x, y) return cut(false .. true) end, function(x, y) return (10 and 0) end
  end
  local _ = r2.a.b
 end
end, show(f1), tonumber(s3)))
print(pcall(function(...)
 local r24 = meta({a = math.floor(2), b = (- 0)}, {
  __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
  __mul = function(x, y)
   if tick() then return 1 end
   return (0x7fffffffffffffff and (123456789012 and 10))
  end,
  __shr = function(x, y)
   if tick() then return 1 end
   return (- - 100)
  end,
  __le = function(x, y)
   if tick() then return 1 end
   return (math.ult(math.mininteger, math.mininteger) << -1)
  end,
  __div = function(x, y)
   if tick() then return 1 end
   for i = 1, 2 do
    if tick() then break end
    if i % 2 == 1 then goto continue3 end
    local f25 = function(x, y) return tonumber(s3) end
    ::continue3::
   end
   return (1e15 - 1e15)
  end,
  __lt = function(x, y)
   if tick() then return 1 end
   return ((1.0 or -math.huge) and (nil and nil))
  end,
 })
 local function f26(x27, x28, ...)
  if tick() then return end
  local r29 <const> = {a = ((0x7f | 0.5) ^ ("x,y,z" // 255)), b = show(select(2, ...)), ["c"] = s3}
  print((math.max((s3 * 1.0), 2^63) ~= math.tointeger(("x,y,z" * 2.5))), show(x27))
  return f1(show((...)))
 end
 return (math.max(0x7f, tonumber(" 5 ")) + -1), (100 | (~ 1e14))
end, cut(nil .. nil), (123456789012 ^ -math.huge)))
print(pcall(function(...)
 local n30 = 0
 repeat local inner = (100 % math.type(-2.5))
  n30 = n30 + 1
  print(pcall(function(...)
   print(pcall(function(...)
    print(f1(select('#', ...), 2))
    f1 = function(x, y) return (~ 1/3) end
    f1 = f1
    error((show(r2)), 0)
   end))
   local function f31(x32, x33)
    if tick() then return end
    print(#s3)
    return s3, (("a"):sub(5, 2) == -math.huge)
   end
   error((s3), 2)
  end))
 until n30 > 1 or inner == 1e100
 if ((10 - -1) >= (math.huge << -1)) then
  r2.a = (((0/0) % 1e14) // math.huge)
 end
 do
  local s34 = tostring((~ (-math.huge * 123456789012)))
  print(#s34)
 end
 print(show(s3), (0 > 255))
end, show(f1(true)), show(s3)))
print(pcall(function(...)
 local n35 = -1
 print(1e15, (show(select(2, ...)) or ("ä" - (s3 - (0/0)))))
 return (n35 + ("1e1" + (2^63 + (0/0)))), (("key = value" * n35) ~= (n35 % 3))
end, cut(-math.huge .. (0/0)), (3.7 and 0.5)))
print(pcall(function(...)
 f1 = f1
end, string.format("%.3s", false), (true and false)))
print(pcall(function(...)
 local function f36(x37, x38)
  if tick() then return end
  f1 = function(x, y) return 1e15 end
  if ("ä" < cut(true .. -2.5)) then
   local r39 = meta({a = show(s3), b = (""):reverse()}, {
    __concat = function(x, y)
     if tick() then return 1 end
     return ((1e15 >> 1e-10) - (math.huge % 2.5))
    end,
    __index = {c = (1e14 and 1.0), m = function(self, x) return x end},
    __shr = function(x, y)
     if tick() then return 1 end
     r2 = {a = s3, b = 3.7, [true] = ((0x7f % 2.5) or 1e-10)}
     return ((0x7f % 2) // math.abs(0x7fffffffffffffff))
    end,
    __bor = function(x, y)
     if tick() then return 1 end
     f1 = f1
     return (~ (math.mininteger % 7))
    end,
    __band = function(x, y)
     if tick() then return 1 end
     print((" 5 " + 2^63))
     return (#s3 // 1.0)
    end,
    __tostring = function() return s3 end,
    __unm = function(x, y)
     if tick() then return 1 end
     return ((nil and true) and (7 > math.maxinteger))
    end,
    __call = function(x, y)
     if tick() then return 1 end
     return (123456789012 and tonumber("-7"))
    end,
   })
  else
   if (not " 5 " or (0x7fffffffffffffff == math.huge)) then
    r2.a = "key = value"
    r2.b = show(s3)
   else
    f1 = function(x, y) return (7 // (0x7fffffffffffffff / 2^53)) end
   end
   f1 = f1
  end
  print((show(r2.c) or (~ -3)), math.tointeger((math.maxinteger - -math.huge)))
 end
end, s3, (s3):find("%b()")))
print(pcall(function(...)
 do
  local c40 <close> = meta({}, {__close = function(o, e) print('close', 40, e) end})
  for n41 = 3, 0 do
   if tick() then break end
   local f42 = f1
   do
    local c43 <close> = meta({}, {__close = function(o, e) print('close', 43, e) end})
    print(show(f42))
    f42 = function(x, y) return (s3 * (~ n41)) end
    print(f42(math.type((n41 % -0.0)), cut(1e-10 .. 3.7)))
   end
  end
  print(#"hello world", show(r2.m))
  if not (-1 ~= -3) then
   do
    local c44 <close> = meta({}, {__close = function(o, e) print('close', 44, e) end})
    r2 = r2
    r2 = {a = ((-1 ~ -1) ^ (1.0 // -1)), b = show(f1), [1] = show(s3)}
    print(((1/3 - -1) % (-3 << 0)))
    error(((100 % 1e14)))
   end
   for i = 1, 3 do
    if tick() then break end
    if i % 2 == 1 then goto continue4 end
    print(((s3):match("[a") and "hello world"))
    print(f1((("x,y,z"):reverse() and "hello world"), 1/3))
    ::continue4::
   end
   print(1e-10, show(f1(select('#', ...))))
  elseif ((nil or false) and (-math.huge ~= 2)) then
   do
    local c45 <close> = meta({}, {__close = function(o, e) print('close', 45, e) end})
    local _ = -r2
    r2 = {a = ((2^53 & 2^63) - (-2.5 - 0x7fffffffffffffff)), b = string.format("%-5s|", 0x7f), ["c"] = #""}
    r2.a = 7
    error((show(r2)))
   end
   do
    local c46 <close> = meta({}, {__close = function(o, e) print('close', 46, e) end})
    f1 = f1
    print(-3)
    print((100 % 1e-10))
    error((type({a = 1e100, b = 1e15, ["c"] = "0x10"})))
   end
  end
 end
 do
  print(pcall(function(...)
   local _ = r2()
   print(pcall(function(...)
    local _ = s3()
    r2.c = ((7 // math.huge) % 2^53)
    r2 = {a = show(r2.b), b = 2, [1] = tostring((100 - 123456789012))}
   end))
  end))
  local function f47(x48, x49)
   if tick() then return end
   local function f50(x51, x52, ...)
    if tick() then return end
    r2.m = ((- - 0) / 1e14)
    return (((s3):byte(2)):sub(2, -1)):byte(3)
   end
   local r53 = meta({a = 1, b = (true or false)}, {
    __bor = function(x, y)
     if tick() then return 1 end
     return show(f50)
    end,
   })
   f1 = function(x, y) return ((1e-10 % -2.5) ~ (3 * 2)) end
   return ((" 5 " + 255) ~= math.abs(3)), tonumber(s3)
  end
  local r54 = {a = show(s3), b = (type(math.huge)):byte(5), ["c"] = show(s3)}
 end
 r2 = {a = show(r2), b = (0.5 / 1e15), [1] = 1e100}
 print(1.0, show((...)))
end, (0/0), type(function(x, y) return 0x7f end)))
print(pcall(function(...)
 local function f55(x56, x57)
  if tick() then return end
  print(pcall(function(...)
   do
    if (true and nil) then goto l5 end
    r2.c = ((0/0) ~ (2^53 & math.maxinteger))
    ::l5::
   end
   print(pcall(function(...)
    r2.m = cut(0x7fffffffffffffff .. show(x57))
    local _ = f1()
   end))
  end))
  r2.a = show(f1(show(f1(1e15))))
  local r58 = meta({a = 2^53, b = (s3 // 255)}, {
   __lt = function(x, y)
    if tick() then return 1 end
    do
     local c59 <close> = meta({}, {__close = function(o, e) print('close', 59, e) end})
     r2.b = math.abs(3.7)
     print(f1(s3, (s3):gsub("(a*(.)%w(%s*))", "<%0>")))
     f1 = function(x, y) return math.max(1e14, 0x7f) end
    end
    return -0.0
   end,
   __bor = function(x, y)
    if tick() then return 1 end
    local function f60(x61, x62)
     if tick() then return end
     x62 = #s3
     r2.a = "x,y,z"
     return f1((2^63 - 1e14))
    end
    return (string.format("%05d", 1) >= "1e1")
   end,
   __bnot = function(x, y)
    if tick() then return 1 end
    return (cut(math.mininteger .. false) and (255 | 2^63))
   end,
  })
  return f1(((s3):byte(5)):sub(1, 3))
 end
 local r63 = meta({a = 10, b = show((...))}, {
  __unm = function(x, y)
   if tick() then return 1 end
   print(("\0\1" * -math.huge), tostring(1))
   return cut(0x7f .. 2)
  end,
  __bnot = function(x, y)
   if tick() then return 1 end
   return show(r2.b)
  end,
 })
 r2.m = #"abc"
 print(show(r2.a), (((math.huge * -3) >= -1) or ((1/3 ^ 1e100) >= (3.7 // 0))))
 f1, r63 = f55, {a = 0x7f, b = tostring("key = value"), [2.5] = (s3):match("$")}
 return (("a"):rep(2, "")):sub(math.type(2^63) == 'integer' and 3 or 2, 3), (1e100 or math.tointeger(2^53))
end, 2^63, (1e-10 > 0)))
print("f1", type(f1))
print("r2", pcall(function() return r2.a, r2.b, r2.c end))
print("s3", s3)
