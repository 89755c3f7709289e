local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local t1 = {table.unpack({some("3.0"), 0}, 1, 2)}
local t2 = sorted({some(2.5), some(-2.5), some(1e15)})
local s3 = ("nan"):len()
print(pcall(function(...)
 local s4 = type(s3)
 for n5 = 2, 3 do
  if tick() then break end
  do
   print(pcall(function(...)
    print(1e100)
   end))
   t1, t2[1] = sorted({some(0x7f), some(n5), some(n5)}), some(show(s3))
   local function f6(x7, x8, ...)
    if tick() then return end
    print(n5)
    print(show(n5))
   end
   f6, s3 = f6, ("3.0"):lower()
  end
  print((show(t2[#{1, 2}]) and (s4):upper()), #"hello world")
  hold(function() return n5 end)
 end
 return show(t1[2]), show((...))
end, 1.0, cut(1.0 .. -math.huge)))
print(pcall(function(...)
 local n9 = 0
 while n9 < 3 do
  n9 = n9 + 1
  if tick() then break end
  local co10 = coroutine.create(function(...)
   local r11 = meta({a = (-2.5 and 1e14), b = ("x,y,z"):gsub("(%w)(%w)", function(m) return m .. "!" end)}, {
    __concat = function(x, y)
     if tick() then return 1 end
     print((show(t1['a']) or n9))
     return 0
    end,
    __index = {c = s3, m = function(self, x) return x end},
   })
   do
    r11 = {a = show(t1[2]), b = show(r11), [2.5] = math.ult((-1 + 3), tonumber("hello world"))}
    s3 = (cut(0x7fffffffffffffff .. n9)):byte(3)
    print(((0x7fffffffffffffff % math.fmod(2^63, 255)) % n9))
   end
   return (~ ("" // n9))
  end)
  print(coroutine.resume(co10, (0 ^ 255)))
  print(coroutine.resume(co10, ("key = value"):rep(1, "")))
  print(coroutine.resume(co10, (1 >= n9)))
  print(coroutine.resume(co10, cut(100 .. 10)))
  print(coroutine.status(co10))
  do
   print(pcall(function(...)
    s3 = ""
   end))
   do
    local c12 <close> = meta({}, {__close = function(o, e) print('close', 12, e) end})
    print((255 < -0.0))
    error((show(t2)))
   end
  end
 end
 local r13 = {a = ((s3):rep(1, "")):match("."), b = (string.format("%05d", "x,y,z")):byte(2), [2.5] = (123456789012 - (0/0))}
 print(s3, 10)
 r13.b = (show(r13.m) and 7)
 t2, r13 = {some(math.min(3, 0x7f)), some((s3):rep(3, nil))}, r13
 return math.floor(1.0), "x,y,z"
end, show(t1[2]), show(t1[1.0])))
print(pcall(function(...)
 t1 = {1.0, " 5 ", -3}
 print("-7", math.tointeger((~ math.min(0, 0.5))))
 local n14 <const> = tonumber(tostring(math.mininteger))
 print(pcall(function(...)
  print((("x,y,z" // n14) > -1))
 end))
 return "key = value", tonumber(cut(nil .. 1e-10))
end, (s3):byte(2), type(s3)))
print(pcall(function(...)
 print(show(t1[2]), show(t1))
 print((((2^53 >> 3.7) ~ 1.0) == not ("a" > s3)), 0)
 for n15, x16 in ipairs(t2) do
  if tick() then break end
  do
   if (s3 > s3) then goto l1 end
   s3 = ((s3):rep(2, nil)):sub(5, 1)
   local r17 = {a = show(select(2, ...)), b = show(s3), [1] = 3.7}
   ::l1::
  end
  print(string.format("%05d", show(t1[2])))
  t2 = t2
 end
 s3 = cut(show(select(2, ...)) .. tonumber(s3))
end, 123456789012, cut("0x10" .. math.huge)))
print(pcall(function(...)
 do
  s3, s3 = table.concat({n = 1, some(...)}, "ä"), (s3):gsub("(a*(.)%w(%s*))", string.upper)
 end
 local _ = #t2
 local co18 = coroutine.create(function(...)
  if ((100 < 123456789012) and (7 < math.maxinteger)) then
   local function f19(x20, x21, ...)
    if tick() then return end
    print(show(select(2, ...)))
    print(tostring(math.fmod(3.7, #s3)))
    print((- - math.abs(-3)))
    return (2^53 ^ ((1/3 // 10) * (- 1.0)))
   end
  elseif ((true and true) or (1e-10 and nil)) then
   for n22, x23 in ipairs({some((10 + 1e15)), some(cut(2.5 .. 2.5))}) do
    if tick() then break end
    print((" 5 " + math.ceil(n22)))
    print(show(select(2, ...)))
    print((#"hello world" | #s3))
   end
  else
   do
    s3 = tostring(show(t1[2]))
    print(#"\0\1")
    print((((- - 2) <= (3 * 123456789012)) or ((math.mininteger % -2.5) ~= 100)))
   end
   t2, t1 = {table.unpack({some((0/0)), 1e-10}, 1, 2)}, {table.unpack({some(1.0), 0.5}, 1, 2)}
  end
  do
   local c24 <close> = meta({}, {__close = function(o, e) print('close', 24, e) end})
   print(pcall(function(...)
    print(123456789012)
    print((2^63 / math.ceil((1 // 2))))
    print((((255 % 0.5) - 1) // 123456789012))
   end))
   error((show((...))))
  end
  local n25 = 0
  while n25 < 1 do
   n25 = n25 + 1
   if tick() then break end
   if (2.5 >= (~ n25)) then
    t1 = t2
    print((0.5 ~= ((~ 1e15) ^ (n25 + n25))))
   end
   local function f26(x27, x28, ...)
    if tick() then return end
    print(coroutine.yield(((1/3 + n25) and (n25 / n25))))
    print((((n25 ~= n25) or ("hello world" == "-7")) and (#"key = value" == (n25 - n25))))
   end
  end
  print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + 1)
  return s3
 end)
 print(coroutine.resume(co18, math.type(1e15)))
 print(coroutine.resume(co18, show(t2[1.0])))
 print(coroutine.resume(co18, 1/3))
 print(coroutine.resume(co18, show(s3)))
 print(coroutine.status(co18))
 print(coroutine.close(co18))
 return show(t1[-1]), (tonumber("3.0") == -1)
end, show(t2[2]), 0))
print(pcall(function(...)
 do
  t1, s3 = {n = 1, some(...)}, (""):sub(2, -2)
  for i = 1, 5 do
   if tick() then break end
   if i % 2 == 1 then goto continue2 end
   for n29 = 0, 0 do
    if tick() then break end
    t2 = {n = 1, some(...)}
    print(#"0x10")
   end
   ::continue2::
  end
  local r30 = meta({a = (3 + 3.7), b = show(t2)}, {
   __sub = function(x, y)
    if tick() then return 1 end
    return show(t2)
   end,
  })
  print(pcall(function(...)
   print(((- ("3.0" // (0/0))) - (s3 - (-1 ^ 1/3))), show((...)))
   for n31, x32 in ipairs({some(1e100), some(type(t1))}) do
    if tick() then break end
    print(((- (n31 ^ 1e-10)) / (#"10" & 0)))
    print(show((...)))
    r30.a = #s3
    if ((s3):sub(3, 3) <= type(t2)) then break end
   end
  end))
 end
 do
  if (-2.5 <= (0/0)) then goto l3 end
  for i = 1, 3 do
   if tick() then break end
   if i % 2 == 1 then goto continue4 end
   do
    local c33 <close> = meta({}, {__close = function(o, e) print('close', 33, e) end})
    print((((-math.huge - 0) ~= (math.maxinteger ^ 7)) or ((math.maxinteger & math.maxinteger) == 0)))
    print((~ #s3))
   end
   ::continue4::
  end
  ::l3::
 end
 for n34 = 255, -3, 2 do
  if tick() then break end
  local co35 = coroutine.create(function(...)
   local s36 = s3
   local s37 = ((("\0\1"):lower()):find("(a*(.)%w(%s*))")):sub(math.type(#s36) == 'integer' and 3 or 2, math.type((n34 - -1)) == 'integer' and 3 or 2)
   do
    local c38 <close> = meta({}, {__close = function(o, e) print('close', 38, e) end})
    t1 = {(0/0), "3.0", 1e15}
    t2 = {some((- - (-3 ^ 1e100))), some(string.format("%q", (false or true)))}
    s3 = (s3):len()
   end
   return ((2^63 ^ n34) <= (n34 | n34))
  end)
  print(coroutine.resume(co35, show(t1[#{1, 2}])))
  print(coroutine.resume(co35, (nil or nil)))
  print(coroutine.resume(co35, cut("1e1" .. "x,y,z")))
  print(coroutine.resume(co35, (n34 | n34)))
  print(coroutine.status(co35))
  s3, s3 = (("1e1"):find("%s*$")):byte(5), cut(s3 .. -2.5)
  local t39 = t2
 end
 do
  local c40 <close> = meta({}, {__close = function(o, e) print('close', 40, e) end})
  local s41 = type(math.fmod(1.0, (-0.0 * 0.5)))
  do
   if (2^53 >= -3) then goto l5 end
   local function f42(x43, x44)
    if tick() then return end
    print((math.ult(2^63, (0/0)) // 2^63))
    print((tonumber((s41):upper()) << tonumber(("10"):sub(1, 5))))
    print(table.remove(t1))
    return (((10 << 3) + -1) or (10 + -2.5))
   end
   ::l5::
  end
 end
 return (((- 3.7) % (- - math.mininteger)) * 0.5), (s3 * math.ult(-1, 1/3))
end, (7 <= math.mininteger), show(t1[-1])))
print(pcall(function(...)
 local function f45(x46, x47, ...)
  if tick() then return end
  print(show(select(2, ...)), (tonumber(("ä"):byte(2)) and (show((...)) or (s3):gsub("%a+", string.upper))))
  local function f48(x49, x50)
   if tick() then return end
   local _ = x47()
   for n51 = 3, 4 do
    if tick() then break end
    print(((tonumber("10") << 0.5) + ((n51 % 7) ~ (n51 & n51))))
   end
   local co52 = coroutine.create(function(...)
    print(table.remove(t1))
    s3 = ((string.format("%e", 0x7fffffffffffffff)):match("(a*(.)%w(%s*))")):find("%")
    print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + 10)
    return show(x47)
   end)
   print(coroutine.resume(co52, show(x49)))
   print(coroutine.status(co52))
   return show(t2[-1])
  end
 end
 local n53 <const> = (- - ("a" * 0.5))
 local r54 = meta({a = show(t2), b = select('#', ...)}, {
  __index = {c = (s3 < s3), m = function(self, x) return x end},
  __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
  __concat = function(x, y)
   if tick() then return 1 end
   return show(f45)
  end,
  __bxor = function(x, y)
   if tick() then return 1 end
   return show(f45(math.ceil(0x7fffffffffffffff)))
  end,
  __mod = function(x, y)
   if tick() then return 1 end
   for n55, x56 in ipairs(t1) do
    if tick() then break end
    local r57 = {a = (show(f45(math.huge)) or show(f45(false))), b = ((n55 <= 2) or not nil), [2.5] = ((math.maxinteger % -2.5) % (~ 123456789012))}
    if (n55 <= (n55 * n53)) then
     t1 = sorted({some(0x7fffffffffffffff), some(1), some(n55)})
     print(((s3 - n55) * n55))
    end
    hold(function() return n55 end)
   end
   return (~ 1e100)
  end,
  __tostring = function() return (" 5 "):gsub("(%w)(%w)", function(m) return m .. "!" end) end,
  __len = function(x, y)
   if tick() then return 1 end
   return math.min(0, 1e15)
  end,
  __sub = function(x, y)
   if tick() then return 1 end
   print("\0\1", show(f45(((math.maxinteger and nil) < ("abc"):gsub(".", function(m) return m .. "!" end)))))
   return 1e15
  end,
 })
 local function f58(x59, x60, ...)
  if tick() then return end
  r54.a = show(t2[#{1, 2}])
  return n53, show(t2['a'])
 end
 return (#s3 // math.fmod(n53, math.maxinteger)), "\0\1"
end, ("\0\1" // 0x7fffffffffffffff), ("key = value"):reverse()))
print(pcall(function(...)
 local function f61(x62, x63, ...)
  if tick() then return end
  do
   local c64 <close> = meta({}, {__close = function(o, e) print('close', 64, e) error('close64') end})
   print((tonumber(s3) / (1 ^ 3.7)), cut((-2.5 * 7) .. -2.5))
   error((show(s3)))
  end
  t2 = t2
  return (cut(not nil .. (2 % 100))):gsub("(%w)(%w)", "<%0>")
 end
 local function f65(x66, x67, ...)
  if tick() then return end
  local _ = f61 .. f61
 end
 return show(f61(show(t2))), (cut(-3 .. 123456789012)):match("x*")
end, show(t1['a']), (0/0)))
print("t1", pcall(table.concat, t1, ','))
print("t2", pcall(table.concat, t2, ','))
print("s3", s3)
