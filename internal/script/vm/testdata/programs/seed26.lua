local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local s1 = string.format("%d", ((- - 1) < (- - 10)))
local t2 = {2.5, "a", 1e-10}
local r3 = {a = type(type(function(x, y) return math.huge end)), b = 1, [2.5] = (show(t2[-1]) or 0x7fffffffffffffff)}
print(pcall(function(...)
 for n4 = 2, 2 do
  if tick() then break end
  local r5 = meta({a = n4, b = string.format("%i", 1)}, {
   __div = function(x, y)
    if tick() then return 1 end
    for n6 = 3, 123456789012, -1 do
     if tick() then break end
     local _ = t2 < n6
     local _ = n6 // cut(math.maxinteger .. 1e-10)
    end
    return #"ä"
   end,
   __mod = function(x, y)
    if tick() then return 1 end
    return n4
   end,
   __concat = function(x, y)
    if tick() then return 1 end
    return show(r3.c)
   end,
   __tostring = function() return (s1):find("%") end,
   __shl = function(x, y)
    if tick() then return 1 end
    return not ("10" < "10")
   end,
   __band = function(x, y)
    if tick() then return 1 end
    for i = 1, 4 do
     if tick() then break end
     if i % 2 == 1 then goto continue1 end
     print(((n4 << (0x7fffffffffffffff - 2^63)) >= math.max(#s1, (n4 >> 3))))
     r3 = r3
     ::continue1::
    end
    return show(t2[-1])
   end,
   __pow = function(x, y)
    if tick() then return 1 end
    return n4
   end,
  })
  local _ = s1.a.b
  local co7 = coroutine.create(function(...)
   local function f8(x9, x10, ...)
    if tick() then return end
    s1 = table.concat({table.unpack({some("3.0"), 0.5}, 1, 2)}, "nan")
    t2 = t2
    return show(t2[3])
   end
   r3.a = s1
   print(pcall(function() print(coroutine.yield(("hello world"):rep(2, "-"))) error('inside') end))
   return show(r3.m)
  end)
  print(coroutine.resume(co7, show(r3.a)))
  print(coroutine.resume(co7, string.format("%05d", "ä")))
  print(coroutine.status(co7))
 end
 local s11 = (tostring(1)):gsub("$", "<%0>")
end, (2^63 % -1), (0x7fffffffffffffff << 2)))
print(pcall(function(...)
 local function f12(x13, x14, ...)
  if tick() then return end
  t2, t2 = t2, {1/3, "abc", 100}
  print(type(function(x, y) return (-1 > (0/0)) end), ((math.fmod(1e14, 1e15) ^ (0x7f * (0/0))) or (#s1 % math.fmod(10, 1e-10))))
  print((math.ceil(0x7f) * (s1 + 100)))
 end
 do
  local c15 <close> = meta({}, {__close = function(o, e) print('close', 15, e) end})
  local co16 = coroutine.create(function(...)
   r3.m = math.min((1e15 >> 1.0), #"3.0")
   return (s1 - math.max(0, 1e14))
  end)
  print(coroutine.resume(co16, #s1))
  print(coroutine.status(co16))
  print(coroutine.close(co16))
  local t17 = t2
  print(pcall(function(...)
   for n18, x19 in ipairs({n = 1, some(...)}) do
    if tick() then break end
    print(s1)
    print(f12(show(x19), n18))
    print(f12(((s1):gsub("[^%s]+", {a = "A", ["1"] = true})):gsub(".", "x"), show(f12(0))))
    hold(function() return n18 end)
   end
   local n20 = 0
   while n20 < 1 do
    n20 = n20 + 1
    if tick() then break end
    local _ = t17 % show(f12("10"))
    print(f12(table.concat({table.unpack({some(3.7), -2.5}, 1, 2)}, "hello world"), show(r3.b)))
   end
   error(((1 - 2)), 1)
  end))
 end
 print((("x,y,z" + (2.5 - math.huge)) - (math.ult(1, -0.0) >> (-3 ^ 1e-10))), ((math.ult(0x7f, 10) & (-0.0 / 1)) | (math.abs(1e14) - math.ceil(7))))
end, " 5 ", (-math.huge and false)))
print(pcall(function(...)
 r3 = r3
end, (0.5 or 0x7fffffffffffffff), "10"))
print(pcall(function(...)
 local function f21(x22, x23)
  if tick() then return end
  do
   if (1 >= 1) then goto l2 end
   if not (1e-10 ~= 0.5) then
    r3.b = show(r3.a)
   else
    s1 = table.concat(t2, " 5 ")
   end
   ::l2::
  end
 end
 local n24 = #s1
 if ((s1 + 2) < (n24 & n24)) then
  local r25 = meta({a = cut(nil .. true), b = (math.huge ~ 100)}, {
   __shr = function(x, y)
    if tick() then return 1 end
    local function f26(x27, x28)
     if tick() then return end
     print(f21(string.format("%5.2f", show(t2[1])), (n24 // n24)))
     r3.c = type((n24 % n24))
     return f21((s1):rep(2, "-"))
    end
    return n24
   end,
   __add = function(x, y)
    if tick() then return 1 end
    for i = 1, 4 do
     if tick() then break end
     if i % 2 == 1 then goto continue3 end
     s1 = cut(not not nil .. n24)
     ::continue3::
    end
    return 0x7fffffffffffffff
   end,
   __mul = function(x, y)
    if tick() then return 1 end
    return math.abs(tonumber("key = value"))
   end,
   __le = function(x, y)
    if tick() then return 1 end
    f21 = f21
    return (#"-7" // (7 * 1e100))
   end,
   __sub = function(x, y)
    if tick() then return 1 end
    do
     n24 = #"abc"
     if #t2 > 0 then t2[1 + math.type((~ n24)) == 'integer' and 3 or 2 % #t2] = some(#s1) end
     r3 = {a = string.format("%5.2f", tostring(0x7f)), b = ((255 ^ n24) + 2), [1] = (tonumber(s1) + ("" * n24))}
     f21 = function(x, y) return show(t2[1]) end
    end
    return (~ n24)
   end,
   __call = function(x, y)
    if tick() then return 1 end
    for n29, x30 in ipairs(sorted({some(-3), some(7), some(n24)})) do
     if tick() then break end
     s1 = (cut(((0/0) or "\0\1") .. math.min(0, 7))):match("[a")
     s1 = (string.format("%x", (1e100 % 3))):gsub("[a-f]", "%1")
    end
    return (cut(123456789012 .. 1e-10)):byte(-2)
   end,
  })
  print("", (table.concat({table.unpack({some(-1), 1e14}, 1, 2)}, "abc") > string.format("%-5s|", tostring(123456789012))))
 end
end, cut(1.0 .. 2.5), ((0/0) // 3.7)))
print("s1", s1)
print("t2", pcall(table.concat, t2, ','))
print("r3", pcall(function() return r3.a, r3.b, r3.c end))
