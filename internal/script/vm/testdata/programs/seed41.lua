local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local s1 = tostring((math.maxinteger > (0x7f % 3)))
local f2 = function(x, y) return -3 end
local f3 = function(x, y) return (~ (-math.huge // 1)) end
local n4 = 1e15
print(pcall(function(...)
 n4 = tonumber("10")
 return show(n4), s1
end, math.min(n4, n4), n4))
print(pcall(function(...)
 print(#"hello world")
 return (- 0x7fffffffffffffff), 1/3
end, math.huge, n4))
print(pcall(function(...)
 do
  local c5 <close> = meta({}, {__close = function(o, e) print('close', 5, e) error('close5') end})
  do
   if (math.huge and nil) then goto l1 end
   local co6 = coroutine.create(function(...)
    print(coroutine.yield(show((...))))
    print(coroutine.yield((("-7" * 0x7f) >> n4)))
    for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
    return (- - n4)
   end)
   print(coroutine.resume(co6, tonumber("0x10")))
   print(coroutine.resume(co6, show(select(2, ...))))
   print(coroutine.status(co6))
   print(coroutine.close(co6))
   for n7, x8 in ipairs({1e-10, "0x10", 255}) do
    if tick() then break end
    n4 = n4
   end
   ::l1::
  end
  print(((s1):rep(3, "-")):byte(-2), (3 and ((n4 < 0x7f) or (1e14 >= n4))))
  print(tostring(string.format("%5.2f", (s1 - n4))), ("3.0"):rep(2, ""))
 end
 print(pcall(function(...)
  print(("-7" - math.fmod((1e-10 - 64), (100 - -1))), s1)
  local r9 = meta({a = show(f3), b = (7 % n4)}, {
   __mul = function(x, y)
    if tick() then return 1 end
    local r10 = meta({a = n4, b = (1e14 ~= 1e14)}, {
     __mod = function(x, y)
      if tick() then return 1 end
      return #s1
     end,
     __index = function(x, y)
      if tick() then return 1 end
      return ((1 and 1e15) and "a")
     end,
     __bxor = function(x, y)
      if tick() then return 1 end
      return ((s1):match("$") < (n4 & 1e14))
     end,
     __sub = function(x, y)
      if tick() then return 1 end
      return n4
     end,
     __shl = function(x, y)
      if tick() then return 1 end
      return show(f2)
     end,
     __concat = function(x, y)
      if tick() then return 1 end
      return n4
     end,
    })
    return tonumber(type(0x7f))
   end,
   __bor = function(x, y)
    if tick() then return 1 end
    local _ = -f2
    return ("-7" + tonumber("1e1"))
   end,
  })
  local co11 = coroutine.create(function(...)
   f2, f3 = f2, f3
   print(math.max(1e15, #s1), show(f3(((3 / 255) % 2))))
   local f12 = f3
   print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + table.concat({"a", "b"}, "ä"))
   return tonumber(s1)
  end)
  print(coroutine.resume(co11, (2.5 or 0x7f)))
  print(coroutine.resume(co11, (n4 ^ n4)))
  print(coroutine.resume(co11, cut(true .. "key = value")))
  print(coroutine.status(co11))
 end))
 print((n4 << 64), ((table.concat({"a", "b"}, "1e1")):byte(5)):find("%a+"))
 print(("\0\1"):match("l-"), (((n4 // n4) << (n4 // n4)) % 0))
end, s1, cut(-2.5 .. "\0\1")))
print(pcall(function(...)
 local function f13(x14, x15, ...)
  if tick() then return end
  local n16 = ((math.floor(0x7f) / n4) + n4)
  do
   if (n4 < math.huge) then goto l2 end
   s1 = cut((s1):reverse() .. (n4 ^ n4))
   ::l2::
  end
 end
 print(pcall(function(...)
  print(show(f2(math.max(tonumber(s1), (s1 + 1e-10)))), (s1):rep(3, "-"))
  local function f17(x18, x19)
   if tick() then return end
   x18, f3 = tonumber((s1):gsub("()", {a = "A", ["1"] = true})), f3
   local function f20(x21, x22, ...)
    if tick() then return end
    x19 = (((n4 / n4) // (n4 // 100)) >> (n4 - 0x7f))
    print(select('#', ...))
    return ((n4 + n4) >= (n4 + math.mininteger)), tostring(show(n4))
   end
   return (math.abs(n4) or n4), (("0x10"):rep(2, nil)):byte(1)
  end
  local co23 = coroutine.create(function(...)
   local n24 = #"a"
   for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
   return (tostring("")):gsub("%f[%w]%w+", {a = "A", ["1"] = true})
  end)
  print(coroutine.resume(co23, select('#', ...)))
  print(coroutine.resume(co23, (n4 / 0x7fffffffffffffff)))
  print(coroutine.resume(co23, show(f3(2^53))))
  print(coroutine.resume(co23, show(select(2, ...))))
  print(coroutine.status(co23))
 end))
 print(-math.huge, tonumber((cut("a" .. 1e14)):lower()))
 for i = 1, 5 do
  if tick() then break end
  if i % 2 == 1 then goto continue3 end
  local co25 = coroutine.create(function(...)
   print(select('#', ...), 0x7fffffffffffffff)
   print((#s1 - (7 * math.abs(100))))
   return (s1 + n4)
  end)
  print(coroutine.resume(co25, math.maxinteger))
  print(coroutine.resume(co25, (s1 ~= s1)))
  print(coroutine.status(co25))
  f2, f13 = function(x, y) return 255 end, f3
  ::continue3::
 end
 print(pcall(function(...)
  local function f26(x27, x28, ...)
   if tick() then return end
   do
    local _ = n4 < (-math.huge and nil)
    print(((- (s1 + n4)) * n4))
    f13 = function(x, y) return (- 255) end
    print(tostring(n4))
   end
   f3, f3 = f13, function(x, y) return (n4 / n4) end
   print(show(f2((math.max(n4, 1) + ("3.0" * 255)))), #s1)
   return f2(not (n4 >= n4))
  end
  if ((n4 // math.maxinteger) < (- n4)) then
   for n29, x30 in ipairs({some(n4), some(type({}))}) do
    if tick() then break end
    print(f2(table.concat({table.unpack({some(false), 1e14}, 1, 2)}, "nan"), ("1e1"):rep(2, nil)))
    if (("3.0"):lower() == n29) then break end
    hold(function() return n29 end)
   end
   local function f31(x32, x33)
    if tick() then return end
    f26 = f3
    local _ = #s1
   end
   local r34 = meta({a = 3.7, b = ("10" or -math.huge)}, {
    __bor = function(x, y)
     if tick() then return 1 end
     print(f26((("ä"):find("l-")):sub(-2, 2), 1/3))
     return 10
    end,
    __mul = function(x, y)
     if tick() then return 1 end
     print(tonumber(cut(false .. 2^63)))
     return (tostring(255)):match("%")
    end,
    __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
    __le = function(x, y)
     if tick() then return 1 end
     print(#"x,y,z")
     return ((~ n4) - (2.5 % 10))
    end,
    __bxor = function(x, y)
     if tick() then return 1 end
     return ((0x7f / -1) and cut(255 .. -2.5))
    end,
    __lt = function(x, y)
     if tick() then return 1 end
     return string.format("%g", math.max(1e100, 3))
    end,
   })
  elseif ((s1 - 1.0) < (0.5 & math.huge)) then
   local function f35(x36, x37)
    if tick() then return end
    print(((-2.5 % 7) | (100 - 7)))
    n4 = (~ (#s1 - n4))
    print(math.fmod(255, (tonumber(s1) ~ (s1 * 1e-10))))
    return ((1/3 | math.maxinteger) ~ 1e100)
   end
  end
  local s38 <const> = tostring((table.concat({}, "10")):find("[a"))
 end))
 return (("0x10" + 1.0) and show(f3)), show((...))
end, show(f3("-7")), (- 3)))
print(pcall(function(...)
 local n39 = 0
 while n39 < 5 do
  n39 = n39 + 1
  if tick() then break end
  for n40 = 0x7f, -3, 3 do
   if tick() then break end
   local function f41(x42, x43, ...)
    if tick() then return end
    x43 = (s1):sub(2, -2)
    print(#"x,y,z")
   end
   print(show(select(2, ...)))
   local r44 = meta({a = (0x7f / 0.5), b = (s1):gsub("%a+", function(m) return m .. "!" end)}, {
    __len = function(x, y)
     if tick() then return 1 end
     return ((s1):sub(-1, 5)):sub(3, 0)
    end,
    __band = function(x, y)
     if tick() then return 1 end
     return s1
    end,
    __lt = function(x, y)
     if tick() then return 1 end
     f2 = function(x, y) return math.type(2^53) end
     return type(s1)
    end,
    __unm = function(x, y)
     if tick() then return 1 end
     return (7 * n40)
    end,
    __concat = function(x, y)
     if tick() then return 1 end
     local _ = s1.a.b
     return (type({"a", "b"})):gsub("(.)%1", "%%")
    end,
    __mul = function(x, y)
     if tick() then return 1 end
     print(((1e14 or ("x,y,z" >= s1)) or (s1 * math.max(n39, 0x7fffffffffffffff))))
     return 1e15
    end,
    __mod = function(x, y)
     if tick() then return 1 end
     return (~ ("a" // 1e14))
    end,
   })
   if (n39 <= 1) then break end
  end
  hold(function() return n39 end)
 end
 print(#s1, select('#', ...))
end, n4, ("\0\1"):sub(3, 3)))
print(pcall(function(...)
 print(n4, math.floor(math.type(0x7fffffffffffffff)))
 local n45 = tonumber("\0\1")
end, ("" and 2^63), 1e14))
print(pcall(function(...)
 local f46 = f2
 local function f47(x48, x49)
  if tick() then return end
  print(pcall(function(...)
   local function f50(x51, x52)
    if tick() then return end
    n4 = math.max((2^53 - n4), ((n4 + n4) + tonumber("x,y,z")))
    return f46((#s1 // math.ceil(-3)))
   end
   local t53 = {n = 1, some(...)}
  end))
  print((- - (~ 100)), (((math.mininteger % -math.huge) * tonumber("key = value")) // -math.huge))
  return #"", (1.0 // n4)
 end
end, (~ 0x7fffffffffffffff), show(f2)))
print("s1", s1)
print("f2", type(f2))
print("f3", type(f3))
print("n4", n4)
