local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local s1 = (tostring((0.5 - 2^53))):match("%a+")
local t2 = {-1, "", -1}
local r3 = {a = 3.7, b = show(t2), ["c"] = string.format("%s", (- 7))}
print(pcall(function(...)
 print(#s1)
 return -math.huge, ((math.mininteger > 100) and (1e15 == "10"))
end, (math.huge * 10), ("0x10" and "a")))
print(pcall(function(...)
 print(((123456789012 / (-math.huge ^ 2^53)) - (tonumber("hello world") * (0 / (0/0)))), show(r3.c))
 r3, t2[1] = {a = ("-7" or true), b = cut(2.5 .. 10), [2.5] = 7}, some((100 + 10))
 return 10, show(r3.m)
end, (1e-10 * -2.5), string.format("%x", 100)))
print(pcall(function(...)
 local f4 = function(x, y) return tonumber(type({a = -2.5, b = nil, ["c"] = -2.5})) end
 local co5 = coroutine.create(function(...)
  print(coroutine.yield((100 - 2^53)))
  local r6 = meta({a = (2^63 or "abc"), b = math.mininteger}, {
   __le = function(x, y)
    if tick() then return 1 end
    print((s1 and math.ceil(tonumber(s1))), (string.format("%q", 2.5)):match("()"))
    return s1
   end,
   __unm = function(x, y)
    if tick() then return 1 end
    return show(r3.b)
   end,
  })
  return ((" 5 "):match("[a-f]")):byte(-1)
 end)
 print(coroutine.resume(co5, type(f4)))
 print(coroutine.resume(co5, (~ 2^63)))
 print(coroutine.resume(co5, math.min(2.5, 1e100)))
 print(coroutine.resume(co5, (2.5 or "1e1")))
 print(coroutine.status(co5))
 do
  print(show(t2['a']))
  local r7 = {a = show(f4), b = ((-3 * -0.0) ^ (2^53 << 3)), [2.5] = (0x7fffffffffffffff % (2 / 2^53))}
  for n8 = math.maxinteger, 1e14, 1 do
   if tick() then break end
   print(math.max((tonumber(s1) ~ n8), (math.mininteger * (s1 + 0))), show(s1))
  end
  if #t2 > 0 then t2[1 + 2 % #t2] = some((("nan" == 0.5) and (100 == 3))) end
 end
 return show(f4(math.fmod(math.tointeger(2^63), (2 ^ 2^63)))), show(t2[1.0])
end, (3 | 1/3), 0x7fffffffffffffff))
print(pcall(function(...)
 local f9 = function(x, y) return (tonumber(s1) <= 0) end
 local function f10(x11, x12)
  if tick() then return end
  s1, f9 = (""):sub(math.type(math.huge) == 'integer' and 3 or 2, math.type(-2.5) == 'integer' and 3 or 2), function(x, y) return show(r3.m) end
  r3 = r3
  print((string.format("%q", (" 5 " == 1/3))):byte(-1), math.maxinteger)
  return (0/0), show(x11)
 end
 for i = 1, 2 do
  if tick() then break end
  if i % 2 == 1 then goto continue1 end
  r3, t2[-1] = {a = (s1):sub(2, 1), b = 2, [1] = select('#', ...)}, some(math.ceil(("abc" + 2^53)))
  ::continue1::
 end
 print(cut(((1 % 10) or show(t2[3])) .. show(f9(show(r3.a)))), s1)
end, ((0/0) / math.maxinteger), -0.0))
print(pcall(function(...)
 print((- - (0 // -0.0)))
 local r13 = r3
 local _ = -s1
 local function f14(x15, x16, ...)
  if tick() then return end
  print(show(r3.b))
  do
   for n17 = math.mininteger, 7, -2 do
    if tick() then break end
    print((s1 + n17))
    if ((n17 ^ (0/0)) ~= (- 7)) then break end
   end
   x16, t2[1] = tonumber("3.0"), some((show(t2[1]) or (-1 + 2^53)))
   s1 = (type({some(0), some("ä")})):match("(%w)(%w)")
  end
  return ("ä" + (0/0))
 end
 t2, f14 = {math.maxinteger, "", 100}, function(x, y) return 3 end
 return -0.0, (cut(-1 .. nil) or math.huge)
end, 1e-10, cut(-2.5 .. -3)))
print(pcall(function(...)
 local n18 = (s1 - tonumber(cut("10" .. -0.0)))
 if (tonumber("1e1") ~= (0x7f ~ n18)) then
  print((((s1 // 2^53) + n18) - 0))
  local n19 = n18
 elseif (("x,y,z"):match("l-") == tostring(-0.0)) then
  local function f20(x21, x22)
   if tick() then return end
   for n23 = math.huge, -2.5, 2 do
    if tick() then break end
    print(n23)
    print(cut(show(r3.c) .. (n23 > (n18 + math.mininteger))))
   end
   return tostring(n18), ((10 // n18) % (- - n18))
  end
 else
  n18, n18 = #"3.0", ("a" - #s1)
 end
end, 1e14, s1))
print(pcall(function(...)
 table.insert(t2, some(((nil and "3.0") == type(0x7fffffffffffffff))))
 do
  if (255 ~= 255) then goto l2 end
  do
   local c24 <close> = meta({}, {__close = function(o, e) print('close', 24, e) end})
   do
    print((tostring((s1):match("x*"))):sub(math.type((10 - 100)) == 'integer' and 3 or 2, 0))
   end
   if ((3 > 1e14) and (true and false)) then
    r3.m = math.fmod((2.5 ^ 2^53), (3 // 10))
   end
  end
  ::l2::
 end
 for i = 1, 4 do
  if tick() then break end
  if i % 2 == 0 then goto continue3 end
  for i = 1, 2 do
   if tick() then break end
   if i % 2 == 0 then goto continue4 end
   print(pcall(function(...)
    r3 = r3
    local _ = s1:m()
   end))
   ::continue4::
  end
  print(table.concat(t2, "\0\1"), (("1e1" + 255) % 64))
  ::continue3::
 end
 return (("ä"):rep(2, "-")):gsub("[^%s]+", "<%0>"), tostring((-1 / 3))
end, (3.7 + 10), 1e15))
print(pcall(function(...)
 local function f25(x26, x27)
  if tick() then return end
  local co28 = coroutine.create(function(...)
   local function f29(x30, x31, ...)
    if tick() then return end
    print((s1 - (s1 // -3)))
    print(table.remove(t2))
    return show(x26)
   end
   r3.b = show(t2[2])
   do
    print(coroutine.yield(#"hello world"))
    r3.c = ""
    r3.a = (cut(-3 .. "\0\1")):gsub("%d", "x")
    x27 = ((math.ceil(0x7fffffffffffffff) // math.ceil(0.5)) % (("" - 1/3) / 0x7f))
   end
   print(pcall(function() print(coroutine.yield((0/0)))  end))
   return (2 * (0/0))
  end)
  print(coroutine.resume(co28, -3))
  print(coroutine.status(co28))
  return (1e-10 and (100 // 10)), math.fmod(123456789012, (100 % 0.5))
 end
 print(("ä" // (s1 + ((0/0) + 3))), string.format("%10.4s|", type(function(x, y) return 123456789012 end)))
 print((((2^63 | (0/0)) * 1) * (100 - (-math.huge * 7))), cut(((- - -2.5) ~= (s1 // 2.5)) .. ((2^53 == 2^53) or math.huge)))
 return ((s1 - (1e-10 ~ 0.5)) * (3.7 & tonumber("nan"))), cut((s1):rep(2, "-") .. (s1):byte(5))
end, (-math.huge or 255), ("key = value" // 10)))
print("s1", s1)
print("t2", pcall(table.concat, t2, ','))
print("r3", pcall(function() return r3.a, r3.b, r3.c end))
