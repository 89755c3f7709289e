local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local r1 = {a = ("0x10"):match("x*"), b = (math.tointeger(2.5) / 1e100), ["c"] = ((2^53 / 0) < (1 // 7))}
local t2 = sorted({some(math.maxinteger), some(math.mininteger), some(1.0)})
print(pcall(function(...)
 for n3, x4 in ipairs(t2) do
  if tick() then break end
  local n5 = ((1e100 - ("1e1" - 1e14)) - #"\0\1")
  do
   local function f6(x7, x8)
    if tick() then return end
    r1.b = string.format("%d", "\0\1")
    return (table.concat({1, 2, 3}, "0x10")):sub(-2, 5), tonumber("a")
   end
  end
  t2, t2['a'] = t2, some((n3 * 64))
 end
 print((~ (tonumber("nan") & 64)), 10)
end, (1 - 2^53), 2))
print(pcall(function(...)
 print(tonumber("3.0"), 100)
 print(show(t2[1.0]))
 local function f9(x10, x11)
  if tick() then return end
  local f12 = function(x, y) return cut(math.max(math.mininteger, 1) .. show(x11)) end
 end
 local s13 = "-7"
 return (-2.5 or (math.tointeger(-3) or math.maxinteger)), (tonumber(s13) - tonumber("nan"))
end, 0x7f, 0))
print(pcall(function(...)
 r1.a = show(t2)
 local _ = #t2
 local s14 = tostring((type("")):lower())
end, show(r1.a), (-2.5 + -0.0)))
print(pcall(function(...)
 for n15 = 3, 5 do
  if tick() then break end
  local r16 = meta({a = n15, b = (n15 < 2^53)}, {
   __tostring = function() return ("nan"):byte(0) end,
   __idiv = function(x, y)
    if tick() then return 1 end
    return 3.7
   end,
   __band = function(x, y)
    if tick() then return 1 end
    return math.ult(("-7" + n15), (1e100 // n15))
   end,
   __div = function(x, y)
    if tick() then return 1 end
    return show(t2[1.0])
   end,
  })
  for n17 = 1, 5 do
   if tick() then break end
   if #t2 > 0 then t2[1 + 0 % #t2] = some(tostring(select('#', ...))) end
  end
 end
 local r18 = meta({a = (10 << -math.huge), b = 2^53}, {
  __le = function(x, y)
   if tick() then return 1 end
   return (show(r1) and -math.huge)
  end,
  __idiv = function(x, y)
   if tick() then return 1 end
   return show(t2)
  end,
  __shl = function(x, y)
   if tick() then return 1 end
   return (type({"a", "b"})):sub(0, -1)
  end,
  __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
  __unm = function(x, y)
   if tick() then return 1 end
   return (show(t2[#{1, 2}]) and "")
  end,
  __index = function(x, y)
   if tick() then return 1 end
   print(((- - 1e15) - 1e14), show(t2[1]))
   return table.concat({some(0x7fffffffffffffff), some("nan")}, "nan")
  end,
  __call = function(x, y)
   if tick() then return 1 end
   return 0x7f
  end,
  __pow = function(x, y)
   if tick() then return 1 end
   return #"x,y,z"
  end,
 })
 if (("10" < math.mininteger) or (false or 1e-10)) then
  local co19 = coroutine.create(function(...)
   local t20 = {0x7fffffffffffffff, "ä", 2^53}
   for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
   return "abc"
  end)
  print(coroutine.resume(co19, show(t2[0])))
  print(coroutine.resume(co19, ("nan" * -math.huge)))
  print(coroutine.resume(co19, ("0x10"):rep(1, nil)))
  print(coroutine.status(co19))
  print(coroutine.close(co19))
  t2, r18 = t2, r1
 else
  print(((- math.maxinteger) or show(r1)), (math.huge * ("key = value" - #"10")))
 end
 if (tonumber("key = value") <= tonumber("-7")) then
  local co21 = coroutine.create(function(...)
   do
    local c22 <close> = meta({}, {__close = function(o, e) print('close', 22, e) end})
    r18 = {a = (~ (7 // 1e15)), b = (255 // -3), [1] = show(t2['a'])}
    r18.m = show((...))
    print(show(r1.m))
   end
   for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
   return math.fmod(123456789012, (-3 // -3))
  end)
  print(coroutine.resume(co21, (~ (0/0))))
  print(coroutine.resume(co21, -3))
  print(coroutine.resume(co21, 2.5))
  print(coroutine.status(co21))
  print(coroutine.close(co21))
  r18, t2[2.5] = {a = ("" - 100), b = (false or 1e15), [2.5] = show(t2[0])}, some((math.min(0, -2.5) & (1/3 * 0x7f)))
 elseif ((2^63 >= 3) and (10 == 0.5)) then
  for n23, x24 in ipairs(t2) do
   if tick() then break end
   local s25 = (table.concat(t2, "0x10")):gsub("%a+", "%%")
  end
  local _ = r1 & show(t2)
 else
  print(0x7fffffffffffffff)
  if (math.ult(100, 2) ~= 1e-10) then
   print(show((...)), ((~ ("0x10" - 3.7)) + 0))
   local co26 = coroutine.create(function(...)
    r18.a = 10
    print(coroutine.yield(show(t2)))
    return show(t2[3])
   end)
   print(coroutine.resume(co26, 255))
   print(coroutine.resume(co26, math.floor(1/3)))
   print(coroutine.resume(co26, "ä"))
   print(coroutine.status(co26))
   print(coroutine.close(co26))
  end
 end
 return (math.type(2.5) // (0x7f ^ 0x7fffffffffffffff)), ("10" - (- 7))
end, string.format("%g", 0x7f), #"key = value"))
print("r1", pcall(function() return r1.a, r1.b, r1.c end))
print("t2", pcall(table.concat, t2, ','))
