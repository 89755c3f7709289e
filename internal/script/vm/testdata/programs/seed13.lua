local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local f1 = function(x, y) return 123456789012 end
local n2 = math.ult((- 123456789012), (math.ceil(2) % 2))
local s3 = type({math.mininteger, "abc", 0x7fffffffffffffff})
local n4 = (((n2 | n2) + 2) // ("abc" - (n2 << -1)))
local f5 = function(x, y) return ((n4 + 64) * (0x7fffffffffffffff + 1/3)) end
print(pcall(function(...)
 print(pcall(function(...)
  print(tonumber(("x,y,z"):rep(0, "-")), type({table.unpack({some(1.0), 0x7fffffffffffffff}, 1, 2)}))
 end))
 print((cut(string.format("%5.2f", 0.5) .. show(select(2, ...)))):match("x*"), math.ceil((math.huge / n4)))
end, math.fmod(n2, 10), (2.5 and "ä")))
print(pcall(function(...)
 if ((-0.0 % n2) < ("ä" - n2)) then
  do
   local c6 <close> = meta({}, {__close = function(o, e) print('close', 6, e) end})
   do
    local c7 <close> = meta({}, {__close = function(o, e) print('close', 7, e) error('close7') end})
    print(2)
   end
   local r8 = {a = math.ceil((s3 * 0)), b = math.tointeger(1e14), ["c"] = show(f1(tostring("3.0")))}
  end
  do
   local c9 <close> = meta({}, {__close = function(o, e) print('close', 9, e) end})
   if (n2 >= tonumber("\0\1")) then
    print(f1(show(s3), n4))
    print((math.tointeger(n2) + (n4 - n2)))
    print((n2 >> math.type(n4)))
   else
    print(((math.tointeger(1) & math.huge) < math.tointeger(#"nan")))
   end
   local f10 <const> = f5
  end
  local r11 <const> = {a = n2, b = #s3, [true] = n4}
 else
  print(("hello world" // (-math.huge // 7)), cut((cut(-math.huge .. math.maxinteger)):gsub("%d", "%1") .. show(n2)))
  local co12 = coroutine.create(function(...)
   do
    print((n4 or select('#', ...)))
    print(coroutine.yield((- 7)))
    print(select('#', ...))
   end
   print((tonumber("a") or (7 and (2^53 or " 5 "))), #"a")
   print(show(f1))
   for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
   return ((math.mininteger // 255) << (s3 // n2))
  end)
  print(coroutine.resume(co12, show(f1)))
  print(coroutine.resume(co12, show(f5(0))))
  print(coroutine.resume(co12, #"a"))
  print(coroutine.status(co12))
  print(coroutine.close(co12))
 end
 local s13 <const> = (s3):rep(2, nil)
 local r14 = {a = (s13 - math.type(math.mininteger)), b = math.floor(tonumber(s3)), [true] = math.tointeger(n2)}
 local function f15(x16, x17)
  if tick() then return end
  print(-0.0, ((""):gsub("(%w)(%w)", "%1") == type(math.floor(n2))))
  return (- - 2^53), table.concat({table.unpack({some(-0.0), 1e14}, 1, 2)}, "0x10")
 end
end, (true and 1.0), table.concat({"a", "b"}, "10")))
print(pcall(function(...)
 print(not ((n4 <= 2^63) and (n2 > n2)), show(f1(cut(n4 .. n2))))
 for n18 = 2, 6 do
  if tick() then break end
  do
   for n19 = 1, 4 do
    if tick() then break end
    print(f5((show(f5(1e14)) or cut(2 .. "3.0")), #""))
    print((""):rep(0, "-"))
   end
  end
  do
   if (1e14 > 3.7) then goto l1 end
   local r20 = meta({a = table.concat({}, "nan"), b = select('#', ...)}, {
    __lt = function(x, y)
     if tick() then return 1 end
     return n18
    end,
    __band = function(x, y)
     if tick() then return 1 end
     return ("hello world" * math.huge)
    end,
   })
   ::l1::
  end
  hold(function() return n18 end)
 end
 print(f1(tonumber((s3):gsub("(a*(.)%w(%s*))", "x")), n4))
 return cut(n4 .. tonumber("abc")), (s3):gsub("()", "<%0>")
end, ("x,y,z" and "\0\1"), s3))
print(pcall(function(...)
 local function f21(x22, x23)
  if tick() then return end
  do
   if (s3 <= " 5 ") then goto l2 end
   local r24 = meta({a = n4, b = show(n4)}, {
    __div = function(x, y)
     if tick() then return 1 end
     return show(x23)
    end,
    __eq = function(x, y)
     if tick() then return 1 end
     return (math.ult(n4, n2) - tonumber(s3))
    end,
    __bxor = function(x, y)
     if tick() then return 1 end
     print(f1(show(f5), show(n2)))
     return math.fmod((n4 % 64), math.min(1e100, 1e14))
    end,
    __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
    __lt = function(x, y)
     if tick() then return 1 end
     return math.ceil(n4)
    end,
    __band = function(x, y)
     if tick() then return 1 end
     return (-0.0 - tonumber(s3))
    end,
    __call = function(x, y)
     if tick() then return 1 end
     return (show(f1) ~= 0.5)
    end,
    __shr = function(x, y)
     if tick() then return 1 end
     print(math.type((#"abc" // (1e-10 % n2))))
     return n2
    end,
   })
   do
    r24.b = (n4 % (s3 - 1/3))
    print(cut(tonumber(s3) .. show(f1)))
    r24.b = (1e100 ^ 0x7f)
    r24.b = 123456789012
   end
   ::l2::
  end
  for i = 1, 4 do
   if tick() then break end
   if i % 2 == 1 then goto continue3 end
   print((n4 and math.tointeger(n2)), show(n4))
   local n25 = 0
   repeat local inner = ("0x10"):rep(0, "")
    n25 = n25 + 1
    print(tonumber("a"))
    print((math.fmod(-3, (1/3 // math.maxinteger)) + n2))
   until n25 > 4 or inner == (-math.huge - 2.5)
   ::continue3::
  end
  return f5((math.min(n4, 2.5) // 0.5))
 end
 print(cut((show(f21(2^53)) and 0.5) .. select('#', ...)), tonumber(cut(1 .. -3)))
 print(tonumber(cut("-7" .. 2.5)))
end, n2, (~ 1e100)))
print(pcall(function(...)
 if ((1 ~= 1.0) or (n2 >= 0)) then
  print(((~ 3) + math.max(-math.huge, n4)), ((cut("\0\1" .. 10)):find(".") == math.min(100, n4)))
 end
 print(("\0\1" - (0 + math.ult(-2.5, n4))))
 print(show(f1((math.ceil(n2) + 3))), tonumber(cut(0.5 .. 1.0)))
 local co26 = coroutine.create(function(...)
  print((n2 * 3))
  print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + (-1 // n4))
  return (s3):match("[a")
 end)
 print(coroutine.resume(co26, type({a = false, b = 1, [2.5] = 0x7f})))
 print(coroutine.status(co26))
 print(pcall(function(...)
  print(math.max(((n4 + n2) // n2), (~ n2)), n4)
 end))
end, show(s3), (n4 - n4)))
print(pcall(function(...)
 local r27 = meta({a = (n2 ~ -2.5), b = n2}, {
  __eq = function(x, y)
   if tick() then return 1 end
   return tonumber(("key = value"):len())
  end,
  __unm = function(x, y)
   if tick() then return 1 end
   local s28 = cut((tonumber(s3) * (2 * 10)) .. show(n2))
   return math.type((n2 // n2))
  end,
  __le = function(x, y)
   if tick() then return 1 end
   do
    local c29 <close> = meta({}, {__close = function(o, e) print('close', 29, e) end})
    print(pcall(function(...)
     local _ = n4.a.b
     print((((s3):len()):find("%d") ~= (string.format("%d", 1e100)):upper()))
     n2 = (tonumber((s3):sub(0, 5)) + #"10")
    end))
   end
   return ((s3):sub(1, 0) == type(s3))
  end,
  __bxor = function(x, y)
   if tick() then return 1 end
   return s3
  end,
  __len = function(x, y)
   if tick() then return 1 end
   local r30 <const> = {a = n2, b = (("3.0" < 3.7) and (nil or 0x7fffffffffffffff)), ["c"] = n4}
   return ("3.0" - n4)
  end,
  __call = function(x, y)
   if tick() then return 1 end
   return (n2 or 1e15)
  end,
 })
 n4, r27 = n4, {a = n4, b = (3 or 1), [2.5] = #s3}
 for n31, x32 in ipairs({2, "0x10", math.maxinteger}) do
  if tick() then break end
  local _ = -n4
 end
 local n33 = -math.huge
 print(pcall(function(...)
  r27.a = not (n33 >= 3)
 end))
 return show((...)), (("ä"):rep(1, "")):len()
end, cut(1.0 .. 1e100), (n4 - n4)))
print(pcall(function(...)
 print(10, (s3 + ((-math.huge + n2) - (- - -3))))
 local co34 = coroutine.create(function(...)
  s3 = (tostring(math.tointeger(n2))):upper()
  print(pcall(function() print(coroutine.yield(cut(255 .. "hello world"))) error('inside') end))
  return (~ 3)
 end)
 print(coroutine.resume(co34, n4))
 print(coroutine.resume(co34, (s3):byte(0)))
 print(coroutine.status(co34))
 for n35, x36 in ipairs({some(n4), some(string.format("%.3s", 0x7fffffffffffffff))}) do
  if tick() then break end
  print(n2, not (string.format("%s", 0) >= tostring(false)))
  local function f37(x38, x39)
   if tick() then return end
   do
    print(f1(show(f1), "key = value"))
    print((((n2 % 2^63) <= (n2 % 123456789012)) or ((1e14 ^ 10) >= (2 - n4))))
   end
   return f5((string.format("%05d", "")):gsub("(.)%1", string.upper))
  end
  print((tostring(n35)):gsub("%s*$", function(m) return m .. "!" end))
 end
end, show(f5(" 5 ")), (n2 * 1e15)))
print(pcall(function(...)
 n4, f1 = n4, function(x, y) return #s3 end
 local function f40(x41, x42, ...)
  if tick() then return end
  print((math.min(7, n4) << ("\0\1" + n2)), s3)
 end
 print(("\0\1" and n4))
 local t43 = {1e-10, "1e1", 2^63}
 local n44 = 0
 while n44 < 1 do
  n44 = n44 + 1
  if tick() then break end
  local t45 = t43
  for n46 = 0, 1 do
   if tick() then break end
   local function f47(x48, x49)
    if tick() then return end
    t45 = t45
    f1 = function(x, y) return n44 end
    print((- - n2))
    return f1(show(x49))
   end
   hold(function() return n46 end)
  end
  if (7 <= (- - n4)) then break end
  hold(function() return n44 end)
 end
 return show(f40((show(f40(-math.huge)) and ("1e1"):byte(5)))), ((n4 / n4) // n2)
end, show(n4), n2))
print("f1", type(f1))
print("n2", n2)
print("s3", s3)
print("n4", n4)
print("f5", type(f5))
