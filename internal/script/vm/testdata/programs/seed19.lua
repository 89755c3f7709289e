local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local s1 = ("nan"):rep(2, nil)
local f2 = function(x, y) return cut(3 .. 100) end
local f3 = function(x, y) return (s1):byte(-2) end
local f4 = function(x, y) return 0x7f end
local f5 = f2
print(pcall(function(...)
 if not (s1 < s1) then
  if ((-2.5 == 3) or (math.huge <= 3)) then
   print((-2.5 / math.maxinteger), tostring((1e100 + (1e15 - 10))))
  elseif ((-3 + 0) <= (-1 / 100)) then
   print(((tonumber(s1) + (-0.0 ^ 2.5)) > 3), ((tonumber("ä") - (1e100 * 1.0)) // (math.ceil(7) / (1 + 3))))
  end
  print(pcall(function(...)
   local t6 <const> = {some((s1 * math.ceil((0/0)))), some("1e1")}
   do
    if #t6 > 0 then t6[1 + -1 % #t6] = some((1e-10 ~ tonumber("-7"))) end
    print((type({1, "", 3.7})):reverse())
   end
   do
    print((255 == ((255 * 7) >> 1e-10)))
    f3 = f3
   end
  end))
  local n7 = 0
  while n7 < 3 do
   n7 = n7 + 1
   if tick() then break end
   local function f8(x9, x10)
    if tick() then return end
    x9 = (n7 ^ n7)
    return f2(math.type(#"ä"))
   end
  end
 elseif (0.5 < ("3.0"):gsub("%a+", {a = "A", ["1"] = true})) then
  do
   print(((math.ult(1e100, -2.5) - (1e15 << 2^63)) and ("hello world" * tonumber(s1))))
   local function f11(x12, x13)
    if tick() then return end
    f3 = f3
    print(show(f5))
    return f5(cut((10 % -3) .. 0x7f))
   end
  end
 else
  local n14 <const> = math.abs(3.7)
  for i = 1, 2 do
   if tick() then break end
   if i % 2 == 1 then goto continue1 end
   if ((n14 - n14) < n14) then
    print(n14)
   elseif (("10"):gsub("(%w)(%w)", "%1") == cut(1e15 .. 1/3)) then
    print(f2(((math.maxinteger // n14) or show(f2)), show(f4)))
    s1 = cut(("3.0"):find(".") .. n14)
   else
    print(s1)
   end
   ::continue1::
  end
 end
 local _ = f3.a.b
 if ((~ -3) <= (3.7 & 10)) then
  f2, f4 = function(x, y) return (-0.0 ^ 255) end, f3
  print(pcall(function(...)
   for n15, x16 in ipairs(sorted({some(-2.5), some(1.0), some(3.7)})) do
    if tick() then break end
    print(show(f4))
   end
   f5 = function(x, y) return (~ 1e15) end
   local co17 = coroutine.create(function(...)
    f2 = f3
    for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
    return s1
   end)
   print(coroutine.resume(co17, show(f2(2^63))))
   print(coroutine.status(co17))
   print(coroutine.close(co17))
  end))
  local n18 = 0
  while n18 < 3 do
   n18 = n18 + 1
   if tick() then break end
   local co19 = coroutine.create(function(...)
    print(coroutine.yield(n18))
    print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + (s1):lower())
    return math.abs(0)
   end)
   print(coroutine.resume(co19, ("0x10" * n18)))
   print(coroutine.resume(co19, select('#', ...)))
   print(coroutine.status(co19))
   print(coroutine.close(co19))
   local function f20(x21, x22)
    if tick() then return end
    print(tonumber(s1))
    print((("nan" // n18) + (10 >> 0)))
    print((s1):rep(1, "-"))
   end
   if (math.mininteger >= 2.5) then break end
  end
 end
 print((cut((-0.0 // 0.5) .. 2.5)):len(), ((1e15 ^ #s1) - ((~ math.huge) ^ #"3.0")))
 return select('#', ...), not (100 ~= 3)
end, show(f4(1.0)), cut(0.5 .. "3.0")))
print(pcall(function(...)
 local f23 = f4
 print(pcall(function(...)
  local n24 <const> = (math.fmod((1/3 << 2), 2^63) / 1/3)
  local s25 = type(" 5 ")
  error(((0x7f and 1.0)), 2)
 end))
 local t26 = sorted({some(0.5), some(0x7fffffffffffffff), some(3)})
 return math.fmod(math.tointeger(tonumber(s1)), (s1 - math.abs((0/0)))), (show((...)) and show(t26[3]))
end, (s1):sub(2, -1), (0/0)))
print(pcall(function(...)
 print(#"x,y,z", #s1)
 local f27 <const> = f4
 for n28 = 3, 3 do
  if tick() then break end
  local n29 = 0
  while n29 < 3 do
   n29 = n29 + 1
   if tick() then break end
   print(n29)
   print((((100 - 3) ~ n28) < ((n29 + n28) - (n28 & n28))))
   print((- - #s1))
  end
  f5, f5 = function(x, y) return ("-7"):sub(0, 1) end, f3
  if not (100 ~= 0x7f) then
   print(pcall(function(...)
    local _ = -n28
    local _ = f3()
    f3 = f27
   end))
   print((1.0 and (s1 - (n28 % 0.5))), show(f4))
  end
 end
end, (nil and "\0\1"), 1/3))
print(pcall(function(...)
 local n30 = 1.0
 print(math.ceil((0x7fffffffffffffff / 0.5)), show(f4))
end, 0, (7 // 7)))
print(pcall(function(...)
 local n31 = 0
 repeat local inner = ((255 == 1e-10) and (1/3 ~= (0/0)))
  n31 = n31 + 1
  local f32 = f3
  local co33 = coroutine.create(function(...)
   local n34 <const> = #s1
   for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
   return n34
  end)
  print(coroutine.resume(co33, (0 // 10)))
  print(coroutine.resume(co33, tonumber(s1)))
  print(coroutine.status(co33))
  print(coroutine.close(co33))
 until n31 > 2 or inner == -3
 return ((~ (123456789012 ^ -2.5)) or (-2.5 / 100)), (10 or show(select(2, ...)))
end, 123456789012, ((0/0) - 0x7fffffffffffffff)))
print("s1", s1)
print("f2", type(f2))
print("f3", type(f3))
print("f4", type(f4))
print("f5", type(f5))
