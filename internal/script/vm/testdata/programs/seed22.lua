local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local n1 = ((0x7fffffffffffffff + 1.0) - 1e100)
local t2 = {1, "nan", -1}
local s3 = "-7"
local s4 = string.format("%i", n1)
local f5 = function(x, y) return n1 end
print(pcall(function(...)
 print((math.ceil(1e-10) == (s3 // (0.5 / n1))), "3.0")
end, ("a"):sub(3, -1), s4))
print(pcall(function(...)
 print(tostring((s3):byte(-1)))
 print(select('#', ...), 1e-10)
 return n1, cut((-math.huge == n1) .. (""):gsub("%a+", {a = "A", ["1"] = true}))
end, 0x7fffffffffffffff, n1))
print(pcall(function(...)
 local function f6(x7, x8, ...)
  if tick() then return end
  do
   local t9 = {some(((1e100 + n1) ^ (0.5 >> n1))), some(string.format("%a", n1))}
   if #t2 > 0 then t2[1 + 5 % #t2] = some((n1 / (- n1))) end
   local co10 = coroutine.create(function(...)
    table.insert(t2, some(show(t9[#{1, 2}])))
    print(pcall(function() print(coroutine.yield(show(x7))) error('inside') end))
    return show(select(2, ...))
   end)
   print(coroutine.resume(co10, cut(false .. 2^63)))
   print(coroutine.resume(co10, cut(1e100 .. 255)))
   print(coroutine.resume(co10, ("10" and 1.0)))
   print(coroutine.status(co10))
   print(coroutine.close(co10))
   print(pcall(function(...)
    print(tonumber("\0\1"))
   end))
  end
  return (((n1 * (0/0)) | 2^53) < n1)
 end
 print(show(t2['a']), show((...)))
 if ((10 * 2^63) < (n1 ^ -2.5)) then
  s3 = "ä"
  print(pcall(function(...)
   local n11 = ((tonumber("1e1") << #"key = value") // (n1 | n1))
   f6 = f6
   local function f12(x13, x14, ...)
    if tick() then return end
    n11 = 1e100
    print(show(f6((n1 and (s3):rep(2, "-")))))
    return f5((cut(2 .. 1)):sub(0, 1))
   end
   error((show(s4)), 2)
  end))
 else
  local n15 = 0
  while n15 < 2 do
   n15 = n15 + 1
   if tick() then break end
   print("\0\1", ((type(s4)):byte(3)):sub(5, 2))
   print(show(f5), tostring(100))
  end
  print(pcall(function(...)
   local r16 = meta({a = show(t2[-1]), b = show((...))}, {
    __call = function(x, y)
     if tick() then return 1 end
     local _ = s3 << 100
     return ((n1 & 0.5) >> (n1 % 1/3))
    end,
    __bnot = function(x, y)
     if tick() then return 1 end
     return ("" + -0.0)
    end,
    __idiv = function(x, y)
     if tick() then return 1 end
     s3 = "0x10"
     return (s3 + n1)
    end,
   })
   print(("10" == #"nan"))
   error(((1e14 or -3)), 0)
  end))
 end
 for n17 = 0, 1 do
  if tick() then break end
  for n18 = 2, 1 do
   if tick() then break end
   local function f19(x20, x21, ...)
    if tick() then return end
    print(type({a = select('#', ...), b = select('#', ...), ["c"] = (-2.5 ^ n17)}))
    print((n1 // 0))
    return (("x,y,z"):upper() and show(t2)), ((n17 // 3) | math.maxinteger)
   end
   if ((-math.huge // 0.5) <= (255 - 3)) then break end
  end
 end
end, 2^63, (- - math.maxinteger)))
print(pcall(function(...)
 local r22 = meta({a = (2.5 - n1), b = show(t2[2.5])}, {
  __bxor = function(x, y)
   if tick() then return 1 end
   local _ = n1.a.b
   return (("abc"):byte(1)):find(".")
  end,
  __bnot = function(x, y)
   if tick() then return 1 end
   return show(t2[-1])
  end,
 })
 if not (nil or false) then
  print(pcall(function(...)
   for n23 = 0x7f, 0.5, -2 do
    if tick() then break end
    f5 = f5
   end
   error((show(t2[2.5])), 0)
  end))
 elseif ("1e1" >= table.concat(t2, "a")) then
  do
   local c24 <close> = meta({}, {__close = function(o, e) print('close', 24, e) end})
   for i = 1, 2 do
    if tick() then break end
    if i % 2 == 1 then goto continue1 end
    table.insert(t2, some(cut(n1 .. ("3.0"):match("%b()"))))
    s4 = s4
    ::continue1::
   end
   r22.b = (1/3 << 10)
  end
 end
 for n25 = 2^63, 1e-10, 2 do
  if tick() then break end
  for n26 = 1, 2 do
   if tick() then break end
   n1, t2[1] = (("ä" // -3) - math.max(n1, n1)), some(show(t2[1.0]))
  end
  print((math.fmod(#s3, tonumber(s4)) * ((n1 * 255) - (1e15 // 10))), (tostring(n1)):sub(math.type(n1) == 'integer' and 3 or 2, 2))
  hold(function() return n25 end)
 end
 local function f27(x28, x29)
  if tick() then return end
  local r30 = meta({a = n1, b = n1}, {
   __eq = function(x, y)
    if tick() then return 1 end
    return not (s3 ~= s3)
   end,
   __pow = function(x, y)
    if tick() then return 1 end
    return (math.max(10, n1) % (n1 + 1e100))
   end,
   __mul = function(x, y)
    if tick() then return 1 end
    return show(f5(show(r22.a)))
   end,
   __div = function(x, y)
    if tick() then return 1 end
    return (n1 >> n1)
   end,
   __len = function(x, y)
    if tick() then return 1 end
    return show(f5((n1 + n1)))
   end,
   __index = {c = #s3, m = function(self, x) return x end},
  })
  local function f31(x32, x33)
   if tick() then return end
   s4 = string.format("%s", show(f5((nil and nil))))
   local function f34(x35, x36)
    if tick() then return end
    r22.a = show(f5)
    r22.c = 255
    f5 = function(x, y) return 3.7 end
    return show(f5((s3 - 7)))
   end
   local r37 = r22
   return show(x33), (tonumber(s4) * (n1 ^ -math.huge))
  end
  print("3.0")
 end
 return show(select(2, ...)), string.format("%05d", tostring(-math.huge))
end, 10, show(t2[3])))
print(pcall(function(...)
 for n38, x39 in ipairs({some(math.min(2.5, 1)), some(("key = value"):upper())}) do
  if tick() then break end
  do
   if not true then goto l2 end
   for i = 1, 4 do
    if tick() then break end
    if i % 2 == 0 then goto continue3 end
    if #t2 > 0 then t2[1 + math.type((0 ~ 0x7fffffffffffffff)) == 'integer' and 3 or 2 % #t2] = some(cut((n38 - n38) .. (123456789012 or true))) end
    ::continue3::
   end
   for n40 = 1.0, 2, -2 do
    if tick() then break end
    local _ = t2 .. {a = "0x10", b = "x,y,z", [1] = ""}
    print(math.min(((1e100 / 0) / (-2.5 + n1)), ((~ 2) * -1)))
    local _ = s3 < n1
   end
   ::l2::
  end
  local n41 = 0
  while n41 < 3 do
   n41 = n41 + 1
   if tick() then break end
   print((n38 - ((s4 // 0x7fffffffffffffff) // n1)), show(t2[2]))
   print(n38, 0x7fffffffffffffff)
  end
  local function f42(x43, x44, ...)
   if tick() then return end
   local co45 = coroutine.create(function(...)
    print(coroutine.yield(show(x44)))
    f5 = function(x, y) return show(t2[3]) end
    print((("10"):rep(2, "")):reverse())
    for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
    return 2^63
   end)
   print(coroutine.resume(co45, 3))
   print(coroutine.resume(co45, (10 <= 1)))
   print(coroutine.resume(co45, type(math.mininteger)))
   print(coroutine.status(co45))
   print((math.max(tonumber(s4), (s4 // 1.0)) and show(f5(n38))), ((("10"):sub(2, -2)):sub(1, math.type(n1) == 'integer' and 3 or 2)):byte(0))
  end
  if (n1 > math.huge) then break end
 end
end, show(s4), show(t2[0])))
print(pcall(function(...)
 print(((s3 * math.ult(255, n1)) - tonumber("")), show(s4))
 local t46 = sorted({some(n1), some(n1), some(2.5)})
 local s47 = cut(((n1 - -0.0) > #s3) .. ((0.5 - 0) & 0))
 print("1e1", show(t2[-1]))
end, show(t2[2]), ("x,y,z" or true)))
print(pcall(function(...)
 f5, t2 = f5, {100, "10", (0/0)}
 return (- (n1 * tonumber("\0\1"))), show(f5((true and false)))
end, (7 or 2), (~ 1e15)))
print(pcall(function(...)
 for n48, x49 in ipairs({table.unpack({some(false), -1}, 1, 2)}) do
  if tick() then break end
  do
   if (math.mininteger < 1) then goto l4 end
   print(pcall(function(...)
    t2 = sorted({some(n1), some(-0.0), some(math.mininteger)})
    s3 = (cut(type(123456789012) .. 3)):sub(-1, 1)
    table.insert(t2, some(((~ n1) & 2^53)))
   end))
   ::l4::
  end
  local r50 = {a = table.concat({table.unpack({some(1e14), (0/0)}, 1, 2)}, "abc"), b = (0x7f * -1), [true] = show(n1)}
  print((math.type(tonumber(s4)) > ((100 - 1e100) % -1)), (show(t2[0]) or cut(show(t2['a']) .. type(f5))))
  hold(function() return n48 end)
 end
 local co51 = coroutine.create(function(...)
  print((- math.fmod(#"key = value", math.min(100, 2^63))), show(f5(select('#', ...))))
  print(pcall(function() print(coroutine.yield(math.max(1e14, 2))) local x = nil + 1 end))
  return tonumber(("x,y,z"):sub(1, 2))
 end)
 print(coroutine.resume(co51, show(f5(1e-10))))
 print(coroutine.resume(co51, (s3):byte(1)))
 print(coroutine.resume(co51, 3))
 print(coroutine.status(co51))
 local n52 = (n1 ^ -math.huge)
 local co53 = coroutine.create(function(...)
  if #t2 > 0 then t2[1 + -1 % #t2] = some(show(t2[2.5])) end
  print(((tonumber("a") % #s4) + 10))
  for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
  return s4
 end)
 print(coroutine.resume(co53, (-3 and 0x7f)))
 print(coroutine.status(co53))
end, (n1 - n1), (s3 >= "hello world")))
print("n1", n1)
print("t2", pcall(table.concat, t2, ','))
print("s3", s3)
print("s4", s4)
print("f5", type(f5))
