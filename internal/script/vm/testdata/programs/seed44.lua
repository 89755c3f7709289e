local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local t1 = sorted({some(1e15), some(1e100), some(2^63)})
local s2 = "3.0"
local n3 = 1.0
print(pcall(function(...)
 local r4 = {a = (- math.floor(n3)), b = show(t1[2]), [true] = show(t1[2.5])}
 local function f5(x6, x7, ...)
  if tick() then return end
  print(pcall(function(...)
   print(((3.7 << 3) * (n3 % n3)), ((tonumber("abc") / #s2) << ("" * (s2 - n3))))
  end))
  return select('#', ...)
 end
 local n8 = 0
 while n8 < 3 do
  n8 = n8 + 1
  if tick() then break end
  local function f9(x10, x11, ...)
   if tick() then return end
   local function f12(x13, x14)
    if tick() then return end
    local _ = r4 .. {a = "a", b = -3, [2.5] = ""}
   end
   local t15 = {table.unpack({some("x,y,z"), math.mininteger}, 1, 2)}
   local r16 = meta({a = ("nan"):rep(2, nil), b = show(t15['a'])}, {
    __eq = function(x, y)
     if tick() then return 1 end
     return show(n3)
    end,
    __lt = function(x, y)
     if tick() then return 1 end
     print(((1e-10 + (0.5 ^ n3)) - ((n3 // math.mininteger) / (n8 & -1))))
     return (n8 % n8)
    end,
    __bxor = function(x, y)
     if tick() then return 1 end
     return n8
    end,
    __add = function(x, y)
     if tick() then return 1 end
     return (("1e1"):byte(-2)):find("l-")
    end,
   })
   return f12((1e14 or n3))
  end
  print((((1e14 + n3) << tonumber(s2)) == #""), (math.min((~ n3), n8) // (math.ceil(2) ^ (- n3))))
  print((type({a = "nan", b = " 5 ", [true] = "3.0"})):byte(2), show(f5(-3)))
  hold(function() return n8 end)
 end
 for n17 = 3, 4 do
  if tick() then break end
  do
   print(s2, (tostring(show(r4.a))):sub(5, 0))
  end
  local n18 <const> = n3
 end
end, show(t1[1]), show(t1[0])))
print(pcall(function(...)
 for n19 = 2, 1 do
  if tick() then break end
  print(show(t1[2]), (((n3 * n19) // (3.7 | n19)) ~ math.ceil(0)))
 end
 print(123456789012, type(sorted({some(n3), some(n3), some(n3)})))
 return show(t1[1.0]), (math.maxinteger ~ n3)
end, 255, -0.0))
print(pcall(function(...)
 local r20 = {a = (2.5 ^ (n3 | n3)), b = (- n3), ["c"] = cut(cut(2.5 .. -0.0) .. cut("10" .. 1))}
 return ((- - n3) or show(t1[0])), (- - (math.huge // n3))
end, (n3 // n3), (3 or math.maxinteger)))
print(pcall(function(...)
 print((n3 and show(t1[2])), ((-1 - n3) or (tostring(" 5 ")):byte(2)))
 local function f21(x22, x23)
  if tick() then return end
  local r24 = {a = #"-7", b = n3, ["c"] = 2}
  local co25 = coroutine.create(function(...)
   do
    print(s2)
    x23 = (- ((~ n3) * (1e100 - n3)))
    x23 = show((...))
    r24.a = (- math.min(n3, n3))
   end
   r24.b = show(t1)
   for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
   return show(select(2, ...))
  end)
  print(coroutine.resume(co25, (s2):sub(5, 2)))
  print(coroutine.resume(co25, (false and "ä")))
  print(coroutine.resume(co25, (0x7fffffffffffffff and 2^63)))
  print(coroutine.resume(co25, tonumber(s2)))
  print(coroutine.status(co25))
  return show(r24.b)
 end
 local _ = t1()
 print((s2 + (- - 123456789012)), ((cut("x,y,z" .. 10)):lower()):sub(0, 3))
 local co26 = coroutine.create(function(...)
  for i = 1, 5 do
   if tick() then break end
   if i % 2 == 0 then goto continue1 end
   t1, t1[1] = t1, some(n3)
   ::continue1::
  end
  local n27 = 0
  while n27 < 2 do
   n27 = n27 + 1
   if tick() then break end
   local function f28(x29, x30, ...)
    if tick() then return end
    print(show(f21))
    print(string.format("%5.2f", show(n3)))
    if #t1 > 0 then t1[1 + 5 % #t1] = some(n27) end
   end
   local function f31(x32, x33, ...)
    if tick() then return end
    print(coroutine.yield(((n27 ~ n27) // 10)))
    print(coroutine.yield((("ä"):rep(3, nil)):find("%")))
    s2 = cut(#"x,y,z" .. n27)
    return ((s2):sub(math.type(math.mininteger) == 'integer' and 3 or 2, math.type(-1) == 'integer' and 3 or 2)):byte(-2)
   end
   local n34 = 0
   while n34 < 1 do
    n34 = n34 + 1
    if tick() then break end
    n3 = (tonumber((s2):find("%f[%w]%w+")) % ((n27 % 2) - 10))
   end
   hold(function() return n27 end)
  end
  print(pcall(function() print(coroutine.yield(cut(false .. "nan")))  end))
  return show(t1[3])
 end)
 print(coroutine.resume(co26, string.format("%q", 0)))
 print(coroutine.resume(co26, n3))
 print(coroutine.resume(co26, (math.maxinteger * n3)))
 print(coroutine.status(co26))
end, show(n3), #s2))
print(pcall(function(...)
 local r35 = meta({a = show(n3), b = 1e14}, {
  __band = function(x, y)
   if tick() then return 1 end
   print(pcall(function(...)
    local n36 = 0
    while n36 < 5 do
     n36 = n36 + 1
     if tick() then break end
     n3 = (- (- - 1e100))
     n3 = (n36 + math.min(tonumber(s2), (n36 % 123456789012)))
     print((s2 // ((-math.huge // 7) / ("1e1" * 3))))
    end
   end))
   return n3
  end,
 })
end, (n3 / 3.7), (-2.5 % n3)))
print(pcall(function(...)
 local co37 = coroutine.create(function(...)
  print(coroutine.yield((1e15 ^ 0x7f)))
  do
   for n38 = 0, 1 do
    if tick() then break end
    print(s2)
    print(coroutine.yield(show(n38)))
    s2 = "\0\1"
   end
   do
    local c39 <close> = meta({}, {__close = function(o, e) print('close', 39, e) end})
    print(tonumber(("nan"):sub(math.type(math.huge) == 'integer' and 3 or 2, math.type(2^63) == 'integer' and 3 or 2)))
    print(select('#', ...))
   end
   for n40 = 0, 0 do
    if tick() then break end
    n3 = (tonumber((s2):byte(0)) ^ #"x,y,z")
   end
  end
  print(pcall(function() print(coroutine.yield(n3))  end))
  return cut(show(select(2, ...)) .. show(t1[2.5]))
 end)
 print(coroutine.resume(co37, #"0x10"))
 print(coroutine.resume(co37, 2))
 print(coroutine.status(co37))
 print(coroutine.close(co37))
 local n41 = 0
 while n41 < 5 do
  n41 = n41 + 1
  if tick() then break end
  for n42 = 1, 2 do
   if tick() then break end
   local n43 = (math.abs(n41) // ((s2 - 3.7) * (1e14 - n3)))
   local co44 = coroutine.create(function(...)
    print((2 >> 10))
    s2 = table.concat(t1, "")
    print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + n3)
    return n42
   end)
   print(coroutine.resume(co44, type({})))
   print(coroutine.resume(co44, (n42 & 255)))
   print(coroutine.status(co44))
   print(coroutine.close(co44))
  end
 end
 t1 = t1
 return ((2^53 - 2.5) + -1), show(t1)
end, (100 and false), not nil))
print(pcall(function(...)
 print(table.concat({some((-0.0 ^ n3)), some(table.concat({"a", "b"}, "-7"))}, "10"))
 local n45 = 0
 while n45 < 1 do
  n45 = n45 + 1
  if tick() then break end
  print(show(t1), s2)
  local co46 = coroutine.create(function(...)
   print(cut(cut(n45 .. 2^53) .. (n3 | 3)), (n45 // (n45 / n3)))
   print(0x7f)
   for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
   return show(t1[0])
  end)
  print(coroutine.resume(co46, show(t1[0])))
  print(coroutine.status(co46))
  print(coroutine.close(co46))
  local n47 = ((0x7fffffffffffffff % math.ceil(7)) % n3)
 end
 return ((("1e1"):find("%s*$")):byte(-1)):gsub("%d", string.upper), tonumber(s2)
end, n3, (n3 ~= n3)))
print("t1", pcall(table.concat, t1, ','))
print("s2", s2)
print("n3", n3)
