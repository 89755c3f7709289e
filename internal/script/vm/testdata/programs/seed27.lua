local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local f1 = function(x, y) return (-1 and (1e15 ^ 3.7)) end
local r2 <const> = {a = type(cut(1e15 .. 0x7f)), b = 0.5, [2.5] = (math.tointeger(0x7fffffffffffffff) % math.ceil(-3))}
local f3 = f1
print(pcall(function(...)
 f3, f3 = f1, f3
 print(pcall(function(...)
  do
   print((((0/0) // ("0x10" * 1)) * math.tointeger(3)), 1e100)
   local n4 = (((3.7 << -math.huge) * 2) - 0.5)
  end
  for n5, x6 in ipairs(sorted({some(-math.huge), some(-3), some(-3)})) do
   if tick() then break end
   local _ = r2:m()
   r2.b = math.tointeger(tonumber("abc"))
  end
 end))
end, (2.5 - 2^63), (- -0.0)))
print(pcall(function(...)
 for n7 = 1, 2 do
  if tick() then break end
  local co8 = coroutine.create(function(...)
   print(show(r2.a), ((""):sub(1, math.type(n7) == 'integer' and 3 or 2)):lower())
   local n9 = 0
   repeat local inner = table.concat(sorted({some(n7), some(n7), some(100)}), "")
    n9 = n9 + 1
    f3 = function(x, y) return tonumber("nan") end
   until n9 > 1 or inner == show(r2.c)
   print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + n7)
   return tonumber("key = value")
  end)
  print(coroutine.resume(co8, (nil and true)))
  print(coroutine.status(co8))
 end
 r2.b = show(f1(123456789012))
 do
  local co10 = coroutine.create(function(...)
   local n11 = 0
   while n11 < 1 do
    n11 = n11 + 1
    if tick() then break end
    r2.m = (math.floor(1/3) | n11)
    r2.b = (n11 | ("nan" * -3))
   end
   print(pcall(function() print(coroutine.yield(show(r2.c)))  end))
   return (- -3)
  end)
  print(coroutine.resume(co10, ((0/0) >= 3)))
  print(coroutine.resume(co10, show(r2.b)))
  print(coroutine.status(co10))
  local r12 = meta({a = 2, b = ("abc"):match("^a")}, {
   __mul = function(x, y)
    if tick() then return 1 end
    return (1.0 and -3)
   end,
   __mod = function(x, y)
    if tick() then return 1 end
    return (string.format("%d", 1e-10)):sub(0, 3)
   end,
   __le = function(x, y)
    if tick() then return 1 end
    return -math.huge
   end,
   __shr = function(x, y)
    if tick() then return 1 end
    return ("key = value"):rep(0, "")
   end,
   __len = function(x, y)
    if tick() then return 1 end
    return cut(math.ult(123456789012, 2) .. math.ult(1e100, math.mininteger))
   end,
   __unm = function(x, y)
    if tick() then return 1 end
    for n13 = 1e14, math.mininteger, 3 do
     if tick() then break end
     f1 = f3
    end
    return ((0.5 * 2) - (~ 7))
   end,
   __lt = function(x, y)
    if tick() then return 1 end
    return ("-7"):rep(2, "-")
   end,
   __add = function(x, y)
    if tick() then return 1 end
    do
     if (1 == 255) then goto l1 end
     f3 = f1
     ::l1::
    end
    return (-1 - (-1 // 10))
   end,
  })
 end
end, cut(2 .. "-7"), ("\0\1" < math.huge)))
print(pcall(function(...)
 do
  if (255 ~= -0.0) then goto l2 end
  print(("x,y,z" + 0x7fffffffffffffff), (((-math.huge or "0x10") or (math.mininteger & 3)) ~= show(select(2, ...))))
  local _ = f1()
  ::l2::
 end
 local function f14(x15, x16, ...)
  if tick() then return end
  print(f3(math.ceil(#"-7"), 1e-10))
  local r17 = meta({a = (true or "10"), b = "3.0"}, {
   __band = function(x, y)
    if tick() then return 1 end
    return (string.format("%q", "\0\1")):gsub("%b()", "%%")
   end,
   __div = function(x, y)
    if tick() then return 1 end
    do
     r2.c = 0x7f
     print(tonumber(table.concat({255, " 5 ", -2.5}, "10")))
     print(-0.0)
    end
    return (0x7f - math.mininteger)
   end,
   __mul = function(x, y)
    if tick() then return 1 end
    local t18 = {some(tonumber(("ä"):gsub("$", "<%0>"))), some("1e1")}
    return show(f1((0x7f > 1e-10)))
   end,
   __eq = function(x, y)
    if tick() then return 1 end
    return (- - (- - 1))
   end,
   __call = function(x, y)
    if tick() then return 1 end
    return (1e-10 / 1e15)
   end,
  })
  return -math.huge, show(r17.b)
 end
end, type(0.5), tostring("a")))
print("f1", type(f1))
print("r2", pcall(function() return r2.a, r2.b, r2.c end))
print("f3", type(f3))
