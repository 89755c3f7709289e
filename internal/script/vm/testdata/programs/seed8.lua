local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local s1 = (string.format("%.3s", ("hello world"):rep(0, ""))):lower()
local r2 = {a = ((100 // 0x7f) + (- 0x7f)), b = cut(math.floor(1/3) .. 1/3), [true] = (- 0x7f)}
local f3 = function(x, y) return #s1 end
print(pcall(function(...)
 r2, r2 = {a = (255 / 10), b = s1, [1] = (math.mininteger ^ -math.huge)}, r2
 do
  if (-2.5 == 1) then goto l1 end
  do
   print(type(math.max((1 % 100), #s1)), 0x7fffffffffffffff)
   local r4 = meta({a = (2.5 // 255), b = -0.0}, {
    __lt = function(x, y)
     if tick() then return 1 end
     f3 = f3
     return (- - tonumber(s1))
    end,
    __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
    __add = function(x, y)
     if tick() then return 1 end
     return ((-math.huge % 10) <= 0)
    end,
    __shl = function(x, y)
     if tick() then return 1 end
     print(cut(show(f3) .. (#"\0\1" <= 0)))
     return (not false and (-3 ~= "nan"))
    end,
    __eq = function(x, y)
     if tick() then return 1 end
     r2 = r2
     return ((1e14 ^ (0/0)) & 10)
    end,
    __le = function(x, y)
     if tick() then return 1 end
     return (1e-10 // 2^53)
    end,
   })
  end
  print(#"0x10")
  ::l1::
 end
 return show(r2), (7 ^ 3)
end, math.abs(0), math.abs(2.5)))
print(pcall(function(...)
 for n5 = 3, 3 do
  if tick() then break end
  print(pcall(function(...)
   for n6, x7 in ipairs({table.unpack({some(math.mininteger), 1e15}, 1, 2)}) do
    if tick() then break end
    f3 = f3
    local _ = x7 < show((...))
   end
  end))
  for n8 = 2, 3 do
   if tick() then break end
   local n9 = n8
   do
    if (s1 <= "") then goto l2 end
    r2 = {a = math.fmod(#"nan", (s1 // 255)), b = ((n5 >> 2^63) // 2), [true] = show(f3((n9 << math.huge)))}
    print(((255 ~ (3.7 ~ n8)) == n9))
    ::l2::
   end
   print(pcall(function(...)
    print((table.concat({table.unpack({some(false), 1e15}, 1, 2)}, "a")):sub(math.type((math.maxinteger // n5)) == 'integer' and 3 or 2, math.type((n5 + n5)) == 'integer' and 3 or 2))
    print(#"a")
   end))
  end
  print(pcall(function(...)
   for n10 = 1, 3 do
    if tick() then break end
    r2 = {a = ((n5 + n5) * -1), b = show(f3(n10)), [2.5] = (1e15 + 0.5)}
    if ((n5 <= 7) or (0x7fffffffffffffff > math.huge)) then break end
   end
  end))
 end
end, (1e100 & 10), (-2.5 and nil)))
print(pcall(function(...)
 print((- ((0x7fffffffffffffff & -1) - 0)), select('#', ...))
 print(math.mininteger)
 local f11 <const> = f3
 return show((...)), ((255 or "nan") ~= (1.0 ^ 1e100))
end, show(r2.c), show(f3(2.5))))
print(pcall(function(...)
 local function f12(x13, x14)
  if tick() then return end
  local s15 = s1
  return f3(((- - 1e-10) - tonumber("3.0")))
 end
 local r16 = meta({a = string.format("%-5s|", -math.huge), b = (-0.0 // 3)}, {
  __eq = function(x, y)
   if tick() then return 1 end
   return (-1 / (0/0))
  end,
  __shl = function(x, y)
   if tick() then return 1 end
   f12, r2 = function(x, y) return 0x7f end, r2
   return show(r2)
  end,
  __len = function(x, y)
   if tick() then return 1 end
   print((table.concat(sorted({some(0x7fffffffffffffff), some(math.huge), some(-math.huge)}), "hello world")):gsub(".", string.upper), (#s1 and ("10" + 1e100)))
   return show(f12)
  end,
  __band = function(x, y)
   if tick() then return 1 end
   return show(f12("1e1"))
  end,
  __div = function(x, y)
   if tick() then return 1 end
   return (~ 1e100)
  end,
  __call = function(x, y)
   if tick() then return 1 end
   return (255 and (math.huge < -1))
  end,
 })
 local s17 = table.concat({2.5, "0x10", 1e14}, "a")
 local n18 = 0
 while n18 < 5 do
  n18 = n18 + 1
  if tick() then break end
  do
   local c19 <close> = meta({}, {__close = function(o, e) print('close', 19, e) end})
   for n20, x21 in ipairs({table.unpack({some(10), 0x7fffffffffffffff}, 1, 2)}) do
    if tick() then break end
    f3 = f12
    if not (math.mininteger == math.mininteger) then break end
    hold(function() return n20 end)
   end
   local co22 = coroutine.create(function(...)
    r2.b = show(r16.a)
    s1 = (("x,y,z"):rep(1, "")):gsub("$", "x")
    print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + tonumber(s17))
    return (#"hello world" ^ (s1 - n18))
   end)
   print(coroutine.resume(co22, (n18 - -2.5)))
   print(coroutine.status(co22))
   do
    local _ = #f3
    r2.b = cut(s1 .. show(r16.c))
    print(show((...)))
    print(f3(n18, #"0x10"))
   end
  end
  if ((1e14 % 0) >= -1) then break end
 end
end, show(r2), cut(nil .. math.mininteger)))
print(pcall(function(...)
 do
  print(1/3, show(select(2, ...)))
  for n23 = 1e15, 3.7, -2 do
   if tick() then break end
   local function f24(x25, x26)
    if tick() then return end
    print(0)
    r2.m = ("key = value"):sub(5, -1)
    return f3(show(f3(show(r2))))
   end
  end
 end
 for i = 1, 4 do
  if tick() then break end
  if i % 2 == 0 then goto continue3 end
  local r27 = meta({a = math.ceil(1.0), b = (-1 / 0x7f)}, {
   __call = function(x, y)
    if tick() then return 1 end
    return 1/3
   end,
   __index = function(x, y)
    if tick() then return 1 end
    r2, r2 = {a = 3.7, b = show(f3(0x7fffffffffffffff)), ["c"] = tonumber("\0\1")}, r2
    return show(f3(math.abs(1.0)))
   end,
   __add = function(x, y)
    if tick() then return 1 end
    return show(f3(show(r2.a)))
   end,
   __len = function(x, y)
    if tick() then return 1 end
    return math.floor(-0.0)
   end,
   __band = function(x, y)
    if tick() then return 1 end
    s1 = cut((table.concat({"a", "b"}, "-7")):gsub("()", "%1") .. table.concat(sorted({some(2^53), some(1.0), some(7)}), "\0\1"))
    return show(f3(show(f3)))
   end,
   __idiv = function(x, y)
    if tick() then return 1 end
    return 0.5
   end,
   __sub = function(x, y)
    if tick() then return 1 end
    return (show(r2.m) or math.mininteger)
   end,
  })
  local r28 = {a = (1e100 or 0x7fffffffffffffff), b = (((0/0) // 0x7f) ^ tonumber(s1)), [1] = ((s1):reverse()):gsub("%a+", "<%0>")}
  ::continue3::
 end
 return show(s1), (tonumber(s1) <= (" 5 " // -3))
end, (true or false), ("nan"):sub(-2, 2)))
print(pcall(function(...)
 print(tostring(math.ult((-3 / math.mininteger), #"abc")), (math.ult((3 // math.mininteger), (2 & 7)) and show(s1)))
 local co29 = coroutine.create(function(...)
  local n30 = (s1 // (7 + math.type(7)))
  print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + show(r2))
  return ((s1):lower()):match(".")
 end)
 print(coroutine.resume(co29, (100 // 1)))
 print(coroutine.resume(co29, s1))
 print(coroutine.status(co29))
 print(f3(255, (s1):byte(0)))
 local co31 = coroutine.create(function(...)
  print(show(r2.b), type({3.7, "10", -math.huge}))
  return ((3 // 3.7) < 100)
 end)
 print(coroutine.resume(co31, show(s1)))
 print(coroutine.resume(co31, 2.5))
 print(coroutine.status(co31))
 print(coroutine.close(co31))
 print(math.mininteger, ((s1):upper()):gsub("(.)%1", string.upper))
 return 0x7f, show(r2.m)
end, show(f3(true)), 0))
print(pcall(function(...)
 print((show(r2.a) or show(f3(1e15))), (-1 * (math.ceil(100) // 3.7)))
 do
  local function f32(x33, x34, ...)
   if tick() then return end
   print(pcall(function(...)
    r2 = {a = 2.5, b = (#s1 // tonumber(s1)), ["c"] = show(x34)}
    r2.b = show(f3(cut(10 .. "key = value")))
    local _ = s1 + -3
    error((("hello world" and 0x7f)), 0)
   end))
   r2.c = ((- - 2^53) - math.abs(3.7))
  end
  s1, f3 = table.concat({table.unpack({some(math.huge), 1.0}, 1, 2)}, "ä"), f32
 end
 for n35 = 2, 3 do
  if tick() then break end
  local t36 = {7, " 5 ", 0x7f}
  local function f37(x38, x39, ...)
   if tick() then return end
   do
    local c40 <close> = meta({}, {__close = function(o, e) print('close', 40, e) end})
    x39 = n35
    r2 = {a = (tonumber(s1) & 64), b = n35, [true] = show(f3(show(s1)))}
   end
   for n41 = 0, 2 do
    if tick() then break end
    t36 = {-1, "nan", 1}
    print(show(r2))
    x39 = show(select(2, ...))
    if ((n35 / n35) ~= (s1 + n41)) then break end
   end
   return f3(show(r2.b))
  end
  print(-math.huge, ((~ (n35 // 0x7f)) << math.max((n35 // 1e15), 2^63)))
 end
 local co42 = coroutine.create(function(...)
  print(0.5, (cut((- - -2.5) .. 255)):gsub("%", "x"))
  do
   r2.m = cut((math.huge & -0.0) .. ("" or 2.5))
   print(math.ult(math.type(2.5), (1e15 // 2^53)), show(f3(1.0)))
   local function f43(x44, x45)
    if tick() then return end
    print(coroutine.yield(show(r2.m)))
    return show(r2)
   end
   print(f3(((math.mininteger / 7) >> math.ult(1/3, 0.5)), type("10")))
  end
  return show(s1)
 end)
 print(coroutine.resume(co42, "x,y,z"))
 print(coroutine.resume(co42, 2^53))
 print(coroutine.resume(co42, show(f3(true))))
 print(coroutine.resume(co42, type({a = " 5 ", b = 7, ["c"] = -0.0})))
 print(coroutine.status(co42))
end, (-math.huge / 1.0), tonumber("")))
print(pcall(function(...)
 local s46 = ((s1):rep(1, "")):sub(3, 1)
 return 100, -2.5
end, 10, ("abc" < math.maxinteger)))
print(pcall(function(...)
 do
  local c47 <close> = meta({}, {__close = function(o, e) print('close', 47, e) error('close47') end})
  local co48 = coroutine.create(function(...)
   r2, r2 = {a = select('#', ...), b = show(r2), ["c"] = string.format("%5.2f", math.mininteger)}, {a = math.fmod(3, 1/3), b = show((...)), ["c"] = 0x7fffffffffffffff}
   local r49 = {a = ((s1 + math.mininteger) == 100), b = #"abc", [true] = (math.max(-0.0, 0x7f) + 255)}
   do
    print(show(select(2, ...)))
    print(f3((#"nan" < show((...))), (3 ~= 0x7fffffffffffffff)))
   end
   return (s1 // 1/3)
  end)
  print(coroutine.resume(co48, math.type(0x7fffffffffffffff)))
  print(coroutine.status(co48))
  print(coroutine.close(co48))
  if (math.ult(2.5, 3.7) > 3.7) then
   r2, f3 = {a = show(r2.a), b = cut(0.5 .. false), [true] = cut(2^53 .. 2.5)}, f3
   s1 = cut(show(f3) .. math.fmod(100, 0.5))
   print(type(r2), math.max(2^53, ((2^53 // 0) & (1e15 - 123456789012))))
  end
  f3 = f3
  error((show(r2.c)))
 end
 return tostring((math.abs(math.maxinteger) * (-3 - 1e-10))), (show(f3("1e1")) or (s1):match("()"))
end, #s1, ("hello world" or 123456789012)))
print("s1", s1)
print("r2", pcall(function() return r2.a, r2.b, r2.c end))
print("f3", type(f3))
