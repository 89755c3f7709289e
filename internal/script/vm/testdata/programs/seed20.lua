local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local n1 = ("x,y,z" // (math.fmod(math.huge, -0.0) ^ math.type(1e100)))
local r2 = {a = n1, b = math.type(math.ceil(2^63)), ["c"] = show(n1)}
print(pcall(function(...)
 print(((("abc"):sub(1, 0)):match("(%w)(%w)")):byte(0))
end, show(n1), n1))
print(pcall(function(...)
 do
  if (n1 == n1) then goto l1 end
  local co3 = coroutine.create(function(...)
   local function f4(x5, x6)
    if tick() then return end
    r2.b = ((0 * math.maxinteger) <= 100)
    x6 = (- - ("abc" + n1))
    print(cut(show(r2.c) .. ("-7" - n1)))
   end
   for n7 = 0x7fffffffffffffff, 7, 3 do
    if tick() then break end
    r2 = r2
    print(coroutine.yield(tonumber("3.0")))
    print(((cut(0.5 .. -math.huge)):gsub("()", {a = "A", ["1"] = true})):gsub(".", {a = "A", ["1"] = true}))
   end
   print(pcall(function(...)
    print(show(r2.b))
    print(((math.min(n1, 1e-10) / n1) + tonumber(cut(2.5 .. "10"))))
    print(coroutine.yield((show(n1) or (0.5 // n1))))
    error((n1), 0)
   end))
   for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
   return math.abs(n1)
  end)
  print(coroutine.resume(co3, 255))
  print(coroutine.resume(co3, (n1 - math.mininteger)))
  print(coroutine.status(co3))
  r2 = {a = math.tointeger(123456789012), b = show(n1), ["c"] = 1.0}
  ::l1::
 end
 print(not (type(function(x, y) return -2.5 end) >= (""):sub(-2, 1)), #"1e1")
 for n8, x9 in ipairs(sorted({some(1e100), some(-1), some(n1)})) do
  if tick() then break end
  if (#"\0\1" > 0) then
   n1 = math.min(n8, n1)
  else
   print(((("" * n1) ^ (3.7 & 0.5)) < cut(show(n1) .. ("1e1" or 2^53))), show((...)))
  end
  local n10 = (math.ceil((- - n1)) & 10)
  hold(function() return n8 end)
 end
end, show(r2.b), (3 + 123456789012)))
print(pcall(function(...)
 local r11 = {a = show(r2), b = math.min(2.5, (- n1)), [2.5] = (show(select(2, ...)) or show(r2))}
 print((- - (n1 * n1)), ((("a"):rep(0, "-")):byte(5) > (("x,y,z"):gsub("%", function(m) return m .. "!" end)):find("()")))
 r2, r2 = r2, {a = n1, b = (true or " 5 "), [2.5] = (- n1)}
 return (table.concat({2, "-7", 0x7f}, "hello world")):gsub("%b()", "x"), (n1 ^ n1)
end, n1, n1))
print(pcall(function(...)
 r2 = {a = ((n1 * 0.5) + tonumber("0x10")), b = (n1 and (n1 & n1)), ["c"] = (("1e1" and math.maxinteger) and ("key = value"):find("()"))}
 return cut(type(cut(nil .. 1e100)) .. show(r2.b)), (("ä"):find("[a")):lower()
end, (n1 // -math.huge), #"x,y,z"))
print(pcall(function(...)
 do
  if (n1 ~= 100) then goto l2 end
  print(show(r2), show(r2.m))
  local function f12(x13, x14)
   if tick() then return end
   do
    local c15 <close> = meta({}, {__close = function(o, e) print('close', 15, e) error('close15') end})
    print((2.5 ~ ((n1 % n1) * (- -math.huge))))
    x14 = (math.tointeger(n1) % (2.5 | 2.5))
   end
   local function f16(x17, x18)
    if tick() then return end
    print(math.floor(("-7" - tonumber("ä"))))
    x13 = (n1 - n1)
    return n1, (("-7" * 2) % 1)
   end
   print(table.concat(sorted({some(n1), some(n1), some(n1)}), "key = value"), #"key = value")
  end
  ::l2::
 end
 print(pcall(function(...)
  do
   local function f19(x20, x21, ...)
    if tick() then return end
    local _ = r2 .. r2
   end
   print(("x,y,z"):rep(0, ""), (show(r2.m) or show((...))))
   do
    local c22 <close> = meta({}, {__close = function(o, e) print('close', 22, e) end})
    f19 = f19
    print(((show(r2.a) or ("0x10"):rep(3, "-")) or show((...))))
    r2.m = math.tointeger(n1)
   end
  end
  local co23 = coroutine.create(function(...)
   print(show(r2.m))
   print(("nan"):rep(3, ""), ((n1 ~ n1) >= -1))
   local s24 = ("0x10"):gsub("(.)%1", string.upper)
   return show((...))
  end)
  print(coroutine.resume(co23, string.format("%i", 7)))
  print(coroutine.resume(co23, (" 5 "):gsub("[a", "x")))
  print(coroutine.resume(co23, 1))
  print(coroutine.status(co23))
  error(((-2.5 * 7)), 1)
 end))
 r2.a = ((n1 // n1) and ("10"):byte(1))
end, "hello world", (n1 % math.huge)))
print(pcall(function(...)
 print(0x7fffffffffffffff, ("10" * ((1/3 + -1) * (2 | n1))))
 for n25, x26 in ipairs({some((- n1)), some(("-7"):find("(%w)(%w)"))}) do
  if tick() then break end
  local function f27(x28, x29)
   if tick() then return end
   for n30 = 0x7fffffffffffffff, 0x7f, 0.5 do
    if tick() then break end
    print(show(r2.m))
    n1 = ("hello world" - (- - math.ult(n1, n1)))
    print(show(x29))
    if ((true ~= "hello world") or (-1 < math.huge)) then break end
    hold(function() return n30 end)
   end
   return show(n25)
  end
  local r31 = meta({a = show(f27("abc")), b = n1}, {
   __band = function(x, y)
    if tick() then return 1 end
    return cut(("-7"):upper() .. -2.5)
   end,
   __mul = function(x, y)
    if tick() then return 1 end
    for i = 1, 5 do
     if tick() then break end
     if i % 2 == 1 then goto continue3 end
     n1 = tonumber(tostring(n25))
     local _ = x26 | string.format("%c", -3)
     ::continue3::
    end
    return show(r2.b)
   end,
  })
 end
end, math.ceil(n1), n1))
print(pcall(function(...)
 local function f32(x33, x34)
  if tick() then return end
  local r35 = r2
  print(2.5, show(r2.b))
  return math.floor(math.type(2.5))
 end
 print(pcall(function(...)
  print((" 5 " or math.abs((n1 % n1))), (tostring(("hello world"):lower())):gsub("x*", "%1"))
  local function f36(x37, x38)
   if tick() then return end
   for n39 = 0, 0 do
    if tick() then break end
    n1 = n39
    hold(function() return n39 end)
   end
   return ((math.maxinteger ^ n1) < (n1 * 0.5)), (#"-7" & 1)
  end
  error((7), 0)
 end))
 local function f40(x41, x42, ...)
  if tick() then return end
  local n43 = 0
  repeat local inner = show(x42)
   n43 = n43 + 1
   r2.a = ((1.0 or false) or (n1 < 3))
  until n43 > 4 or inner == (3.7 * n1)
  local function f44(x45, x46)
   if tick() then return end
   local f47 = f32
   print(pcall(function(...)
    print(f47(3.7, show(select(2, ...))))
   end))
   return f47(show(f47))
  end
  return (math.type(1.0) % (- n1)), show(r2.c)
 end
 local function f48(x49, x50, ...)
  if tick() then return end
  for n51 = 0, 3 do
   if tick() then break end
   for n52 = 2, 6 do
    if tick() then break end
    x50 = show(n52)
    x49 = ((- - n51) / (0x7f * -1))
    n1 = n1
   end
   local r53 = meta({a = ("abc" and 7), b = tonumber("-7")}, {
    __len = function(x, y)
     if tick() then return 1 end
     return "3.0"
    end,
    __shr = function(x, y)
     if tick() then return 1 end
     return n1
    end,
    __le = function(x, y)
     if tick() then return 1 end
     return n1
    end,
    __pow = function(x, y)
     if tick() then return 1 end
     r2.c = math.tointeger((math.mininteger % 100))
     return 2.5
    end,
    __shl = function(x, y)
     if tick() then return 1 end
     r2.b = show(r2.b)
     return ("-7"):gsub("[a-f]", "x")
    end,
   })
   print(f32(cut(cut(nil .. true) .. (n51 ^ n1)), ("x,y,z"):rep(0, nil)))
  end
  n1 = (n1 | 3)
  print(pcall(function(...)
   local n54 = 0
   repeat local inner = #" 5 "
    n54 = n54 + 1
    r2.a = ((" 5 "):reverse()):lower()
    local _ = n1:m()
   until n54 > 1 or inner == 1
   for i = 1, 2 do
    if tick() then break end
    if i % 2 == 0 then goto continue4 end
    print(f40(show(r2), 0x7fffffffffffffff))
    n1 = -2.5
    ::continue4::
   end
   error((cut(-0.0 .. 1e15)), 0)
  end))
  return (#"x,y,z" + math.fmod(n1, n1))
 end
 local t55 = {-3, "10", (0/0)}
end, table.concat({}, "a"), (n1 // -3)))
print(pcall(function(...)
 local r56 = meta({a = (10 or "\0\1"), b = 1/3}, {
  __eq = function(x, y)
   if tick() then return 1 end
   return 2^53
  end,
  __index = function(x, y)
   if tick() then return 1 end
   return (show(r2.c) or show(r2.a))
  end,
 })
 local co57 = coroutine.create(function(...)
  print(table.concat({n = 1, some(...)}, "10"), ((#"3.0" + n1) % (math.fmod(1e15, 2) * (1e-10 - 1))))
  for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
  return (cut("nan" .. "nan")):lower()
 end)
 print(coroutine.resume(co57, 1e15))
 print(coroutine.resume(co57, n1))
 print(coroutine.resume(co57, 0))
 print(coroutine.status(co57))
 do
  print(pcall(function(...)
   local f58 = function(x, y) return not (n1 <= math.huge) end
   if (" 5 " == ("nan"):reverse()) then
    r2 = {a = (100 ~= (n1 - n1)), b = select('#', ...), [true] = show(r56.c)}
   elseif (-0.0 ~= 100) then
    f58 = function(x, y) return #"abc" end
    print(show(r2))
   else
    r56.c = 1
   end
   local t59 = {n = 1, some(...)}
  end))
 end
 local f60 <const> = function(x, y) return table.concat({some(n1), some("ä")}, "a") end
end, show(r2), math.mininteger))
print("n1", n1)
print("r2", pcall(function() return r2.a, r2.b, r2.c end))
