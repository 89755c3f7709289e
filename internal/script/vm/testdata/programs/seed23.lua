local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local r1 = {a = tonumber(type("x,y,z")), b = 1e14, [1] = math.type(0.5)}
local s2 = ((("10"):find("^a")):gsub("(a*(.)%w(%s*))", function(m) return m .. "!" end)):reverse()
local s3 = ((cut(0 .. 10)):match("(%w)(%w)")):gsub(".", string.upper)
print(pcall(function(...)
 local n4 = 0
 while n4 < 2 do
  n4 = n4 + 1
  if tick() then break end
  local co5 = coroutine.create(function(...)
   print((math.tointeger((- - n4)) / ("key = value" + (-math.huge ^ -0.0))), ((~ n4) % math.fmod(n4, n4)))
   print((tostring(type(r1))):reverse())
   print(tonumber((s3):byte(-1)), cut(show(r1.b) .. table.concat({n = 1, some(...)}, "hello world")))
   print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + (math.maxinteger // 0))
   return show((...))
  end)
  print(coroutine.resume(co5, 1/3))
  print(coroutine.resume(co5, math.min(n4, n4)))
  print(coroutine.resume(co5, show((...))))
  print(coroutine.status(co5))
  for n6 = 0, 1 do
   if tick() then break end
   if ((n6 / -math.huge) == (n4 % (0/0))) then
    s3 = (cut(("ä"):rep(0, nil) .. 1e-10)):upper()
    print((("ä"):byte(1)):sub(1, -1))
    print(n4)
   end
  end
  local co7 = coroutine.create(function(...)
   s2, r1 = tostring(cut((0/0) .. 0.5)), r1
   do
    r1 = {a = (("ä" + -2.5) % (2^53 // 10)), b = (- - n4), [2.5] = n4}
    print(show(s3))
    print(coroutine.yield(show(r1)))
   end
   local function f8(x9, x10)
    if tick() then return end
    s3 = (s2):byte(1)
    r1.b = tostring((n4 - n4))
    r1.m = n4
    return (n4 / n4), math.min((2.5 + 123456789012), tonumber(s3))
   end
   print(pcall(function() print(coroutine.yield(("0x10"):gsub("l-", {a = "A", ["1"] = true})))  end))
   return type(tostring(false))
  end)
  print(coroutine.resume(co7, n4))
  print(coroutine.resume(co7, n4))
  print(coroutine.status(co7))
  if ((n4 ^ n4) ~= -0.0) then break end
 end
 r1, s3 = r1, tostring(2)
 if ((false and false) and ("10" >= s3)) then
  if ((nil or false) or ("hello world" > "nan")) then
   do
    local c11 <close> = meta({}, {__close = function(o, e) print('close', 11, e) end})
    print(tostring((tostring(-0.0)):sub(math.type(0x7fffffffffffffff) == 'integer' and 3 or 2, -1)))
   end
   local function f12(x13, x14, ...)
    if tick() then return end
    print(((10 - 2) // 64))
    x14 = select('#', ...)
    return show(r1.a), show(x14)
   end
   local function f15(x16, x17)
    if tick() then return end
    print(f12(show(f12(show(r1.b))), #s2))
    return f12((s3):gsub("%f[%w]%w+", function(m) return m .. "!" end))
   end
  elseif ((1.0 >= 7) or (false or nil)) then
   do
    local c18 <close> = meta({}, {__close = function(o, e) print('close', 18, e) end})
    r1 = {a = 1, b = 1e100, [1] = 0x7fffffffffffffff}
    print("3.0")
    print(cut((math.ult(7, (0/0)) << 0.5) .. math.type(0.5)))
    error((math.ult(1, 1)))
   end
   for i = 1, 5 do
    if tick() then break end
    if i % 2 == 1 then goto continue1 end
    s2 = ((string.format("%5.2f", nil)):len()):gsub("[^%s]+", {a = "A", ["1"] = true})
    ::continue1::
   end
  else
   local co19 = coroutine.create(function(...)
    s2 = s3
    print(math.maxinteger)
    print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + 255)
    return math.tointeger(-math.huge)
   end)
   print(coroutine.resume(co19, (100 < 255)))
   print(coroutine.resume(co19, show(s3)))
   print(coroutine.resume(co19, 0x7fffffffffffffff))
   print(coroutine.status(co19))
  end
  local co20 = coroutine.create(function(...)
   s3, s2 = (("nan"):reverse()):find("[a-f]"), table.concat({n = 1, some(...)}, "3.0")
   print(pcall(function(...)
    r1.m = #"key = value"
    r1.b = (~ 0)
   end))
   for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
   return show(s3)
  end)
  print(coroutine.resume(co20, (-1 * 7)))
  print(coroutine.resume(co20, -2.5))
  print(coroutine.resume(co20, show(s2)))
  print(coroutine.resume(co20, 1e14))
  print(coroutine.status(co20))
 elseif (cut("a" .. math.mininteger) > cut(-math.huge .. 0x7f)) then
  print(show(s2), cut(show(select(2, ...)) .. #"0x10"))
  for n21 = 1, 0 do
   if tick() then break end
   r1.b = ((""):rep(1, "")):reverse()
  end
 else
  do
   local c22 <close> = meta({}, {__close = function(o, e) print('close', 22, e) end})
   print(show(r1.b), (123456789012 + #s2))
   do
    local c23 <close> = meta({}, {__close = function(o, e) print('close', 23, e) error('close23') end})
    s3 = cut(math.max((2^63 * 1.0), tonumber("x,y,z")) .. (tonumber(s2) << 0))
    r1 = r1
    print(math.tointeger((2 / 1e15)))
    error((show((...))))
   end
  end
 end
end, 255, (math.maxinteger - 0)))
print(pcall(function(...)
 local function f24(x25, x26)
  if tick() then return end
  print(s3, math.fmod(math.max((1 - 0.5), (2 - 2^63)), -3))
  return (- math.maxinteger), math.abs(1/3)
 end
 local co27 = coroutine.create(function(...)
  do
   local r28 = meta({a = 2, b = (false or 2^53)}, {
    __call = function(x, y)
     if tick() then return 1 end
     f24 = f24
     return show(s2)
    end,
    __tostring = function() return type(0.5) end,
   })
   local function f29(x30, x31)
    if tick() then return end
    s3 = ((string.format("%d", "-7")):gsub("[^%s]+", function(m) return m .. "!" end)):byte(3)
    return ((~ 1e14) > 3), tostring(math.fmod(math.maxinteger, 7))
   end
   for i = 1, 2 do
    if tick() then break end
    if i % 2 == 1 then goto continue2 end
    f24 = f29
    ::continue2::
   end
   local n32 = math.type(((-2.5 + 2) & 1))
  end
  print(pcall(function() print(coroutine.yield((1.0 % math.mininteger))) error('inside') end))
  return table.concat({some(-math.huge), some("x,y,z")}, " 5 ")
 end)
 print(coroutine.resume(co27, 10))
 print(coroutine.resume(co27, (0 >> 7)))
 print(coroutine.resume(co27, (true and true)))
 print(coroutine.resume(co27, show(f24((0/0)))))
 print(coroutine.status(co27))
 print(select('#', ...), show((...)))
 local n33 <const> = #""
end, (false or false), 2))
print(pcall(function(...)
 print(pcall(function(...)
  local n34 = 0
  repeat local inner = #s2
   n34 = n34 + 1
   do
    local c35 <close> = meta({}, {__close = function(o, e) print('close', 35, e) end})
    print(tonumber(s3))
    print(1e-10)
    r1 = {a = (-0.0 / 3.7), b = cut(math.max(0.5, math.maxinteger) .. (math.mininteger ~ 1)), ["c"] = show(s2)}
   end
  until n34 > 1 or inner == select('#', ...)
  local n36 = 0
  while n36 < 2 do
   n36 = n36 + 1
   if tick() then break end
   r1.b = s3
   print(tostring(table.concat({table.unpack({some(true), 1e14}, 1, 2)}, "abc")), n36)
  end
  local t37 = {table.unpack({some(1), math.maxinteger}, 1, 2)}
  error(((true and 123456789012)), 0)
 end))
 do
  local function f38(x39, x40, ...)
   if tick() then return end
   local f41 <const> = function(x, y) return ((123456789012 // 10) and cut("nan" .. "\0\1")) end
   local _ = #x40
  end
 end
end, 3.7, 1.0))
print(pcall(function(...)
 if (("10"):match("[a-f]") == (s3):sub(3, 3)) then
  do
   local t42 = sorted({some(1e14), some(2), some(1e-10)})
   print((show(r1) or math.max((s2 * 1e14), -1)), 2.5)
   do
    if (255 >= 1) then goto l3 end
    r1.c = show((...))
    s3 = type(function(x, y) return cut("\0\1" .. -0.0) end)
    ::l3::
   end
  end
  print(pcall(function(...)
   s3 = "10"
   print(pcall(function(...)
    s2 = type(function(x, y) return (7 / math.huge) end)
   end))
  end))
  local function f43(x44, x45)
   if tick() then return end
   local n46 <const> = 1e100
   print((math.fmod(n46, -0.0) or (("nan"):rep(3, "-")):sub(1, 5)), show(x44))
  end
 elseif (tonumber(s3) < tonumber("key = value")) then
  print(math.max((~ (2^63 - (0/0))), 1e15), s2)
  local co47 = coroutine.create(function(...)
   print(pcall(function(...)
    r1.a = ("-7" * math.max(2, 1e15))
    s3 = string.format("%e", (2^53 + 0.5))
    error(((s3):gsub("^a", {a = "A", ["1"] = true})), 0)
   end))
   print(tonumber((cut(2^53 .. false)):find("(a*(.)%w(%s*))")))
   print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + 2)
   return (cut(1e-10 .. "nan")):byte(1)
  end)
  print(coroutine.resume(co47, select('#', ...)))
  print(coroutine.resume(co47, math.maxinteger))
  print(coroutine.status(co47))
 else
  local r48 = meta({a = ("10"):byte(1), b = (255 == "\0\1")}, {
   __len = function(x, y)
    if tick() then return 1 end
    if ((255 >> 1/3) >= -1) then
     s2 = (string.format("%g", (- 1e-10))):len()
     local _ = global_s2.x
     r1.a = (math.maxinteger and 1)
    else
     print(((math.ult(1/3, 7) % (-2.5 >> 2^53)) % (#"ä" ^ (3 / 1.0))))
    end
    return table.concat(sorted({some(10), some(1e14), some(0)}), "nan")
   end,
   __bor = function(x, y)
    if tick() then return 1 end
    return (- -math.huge)
   end,
   __lt = function(x, y)
    if tick() then return 1 end
    return show(r1)
   end,
  })
  if ((123456789012 % 2^53) < math.mininteger) then
   print(0, (s2):rep(2, nil))
   local function f49(x50, x51)
    if tick() then return end
    s2 = string.format("%c", cut((2^53 and 2^63) .. "a"))
    return show(x50)
   end
  end
 end
 return show(r1.b), ((2 // 1e-10) >> 1.0)
end, 2.5, (s3):find("$")))
print("r1", pcall(function() return r1.a, r1.b, r1.c end))
print("s2", s2)
print("s3", s3)
