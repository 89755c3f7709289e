local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local n1 = (((math.huge << -1) / ("" + 1/3)) | ("key = value" * math.min(math.huge, 1e14)))
local r2 = {a = show(n1), b = (n1 // n1), [2.5] = 2^53}
print(pcall(function(...)
 r2 = r2
 local r3 = meta({a = show(select(2, ...)), b = ("a"):gsub("%s*$", "%%")}, {
  __call = function(x, y)
   if tick() then return 1 end
   return type(function(x, y) return "-7" end)
  end,
 })
 print(((-2.5 - (n1 % n1)) ~ ((-1 - n1) * n1)))
 for i = 1, 2 do
  if tick() then break end
  if i % 2 == 0 then goto continue1 end
  local n4 = 0
  while n4 < 4 do
   n4 = n4 + 1
   if tick() then break end
   print(pcall(function(...)
    n1 = (((100 % n4) ^ #"ä") // tonumber(("abc"):gsub("(%w)(%w)", "%%")))
   end))
   local function f5(x6, x7)
    if tick() then return end
    print(string.format("%d", (math.abs(n1) / n1)))
    return ((0.5 // n4) and ("x,y,z" // n1))
   end
  end
  ::continue1::
 end
end, cut(nil .. 2^63), ("key = value"):rep(2, nil)))
print(pcall(function(...)
 print((n1 or math.min(n1, n1)))
 do
  n1, r2 = ((1 * 2^53) / #"-7"), {a = -3, b = n1, [true] = show(r2.a)}
  print(((n1 / 2) & 2))
  local function f8(x9, x10, ...)
   if tick() then return end
   local function f11(x12, x13, ...)
    if tick() then return end
    print((n1 - (n1 >> n1)))
   end
   print((math.ult(n1, math.huge) - ("\0\1" + n1)), (~ n1))
   return f11(math.ult((~ n1), tonumber("-7")))
  end
  local co14 = coroutine.create(function(...)
   local r15 = r2
   print(show(f8(show(r2.b))), ("-7" - n1))
   print(pcall(function(...)
    print(f8((cut(100 .. math.huge)):upper(), "x,y,z"))
    n1 = n1
   end))
   print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + cut("hello world" .. "-7"))
   return 0x7fffffffffffffff
  end)
  print(coroutine.resume(co14, tonumber("10")))
  print(coroutine.resume(co14, math.tointeger(-1)))
  print(coroutine.resume(co14, (n1 >= 255)))
  print(coroutine.status(co14))
 end
 local n16 <const> = (tonumber(("ä"):reverse()) // (tonumber("ä") // ("nan" - n1)))
 print(("\0\1"):gsub("%s*$", function(m) return m .. "!" end), ("hello world" * (#"x,y,z" * math.ult(0x7f, 123456789012))))
end, ("abc"):lower(), n1))
print(pcall(function(...)
 local r17 = meta({a = (1/3 and false), b = (" 5 " * (0/0))}, {
  __eq = function(x, y)
   if tick() then return 1 end
   return (-0.0 * 2)
  end,
  __lt = function(x, y)
   if tick() then return 1 end
   return math.type(n1)
  end,
  __unm = function(x, y)
   if tick() then return 1 end
   return show(r2.c)
  end,
  __add = function(x, y)
   if tick() then return 1 end
   print((- 1.0), ((#"0x10" - (n1 & n1)) - (math.ceil(n1) ^ (1e15 ~ 3.7))))
   return cut(#"-7" .. n1)
  end,
  __concat = function(x, y)
   if tick() then return 1 end
   return #"0x10"
  end,
  __tostring = function() return ("1e1"):rep(0, "") end,
 })
 local t18 = {some(0), some((string.format("%10.4s|", 3)):lower())}
 do
  print(pcall(function(...)
   r2 = r2
   for n19, x20 in ipairs({3.7, "10", -1}) do
    if tick() then break end
    local _ = -x20
    if ((0 ~= n1) and (true or true)) then break end
   end
  end))
  print(#" 5 ", show(t18[3]))
  local t21 = t18
 end
 if (n1 == (0.5 << math.mininteger)) then
  local f22 <const> = function(x, y) return ((1e100 ~= n1) and (false < 0x7fffffffffffffff)) end
  local r23 = meta({a = ("hello world"):sub(5, 0), b = show(r17)}, {
   __bnot = function(x, y)
    if tick() then return 1 end
    local _ = n1:m()
    return "x,y,z"
   end,
   __lt = function(x, y)
    if tick() then return 1 end
    for n24 = -2.5, math.huge, 0.5 do
     if tick() then break end
     r17 = r17
     r2.m = ((1e100 >> (0/0)) >> (n1 - n24))
     print((- math.fmod(n24, n1)))
    end
    return ("nan" * 100)
   end,
   __index = function(x, y)
    if tick() then return 1 end
    return ((-0.0 * -3) > 1)
   end,
  })
  print(show(f22(show(f22((-2.5 >> 1e14))))), show(t18[2]))
 end
 local n25 = 0
 while n25 < 4 do
  n25 = n25 + 1
  if tick() then break end
  print(math.min(("3.0" // tonumber("0x10")), ((n25 % 1e15) / #"key = value")))
 end
end, 0.5, 1e100))
print(pcall(function(...)
 do
  local c26 <close> = meta({}, {__close = function(o, e) print('close', 26, e) end})
  local co27 = coroutine.create(function(...)
   do
    print(coroutine.yield(show(r2.c)))
   end
   print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + -math.huge)
   return show(select(2, ...))
  end)
  print(coroutine.resume(co27, cut(nil .. 0)))
  print(coroutine.resume(co27, type({1, 2, 3})))
  print(coroutine.resume(co27, math.abs(1e-10)))
  print(coroutine.status(co27))
 end
 local t28 = {n = 1, some(...)}
 print(tonumber(table.concat({1, 2, 3}, "a")), tonumber(("a"):reverse()))
 print((n1 ~ (- - n1)), ((2 << n1) >> (n1 ^ n1)))
 print(pcall(function(...)
  for n29 = 2, 3 do
   if tick() then break end
   print(math.min(1e14, (- - (-2.5 - n1))), select('#', ...))
   for n30, x31 in ipairs(t28) do
    if tick() then break end
    print("hello world")
    local _ = x31 * (- n30)
    print(255)
    if (math.abs(n29) == 10) then break end
   end
  end
 end))
end, (3.7 or -3), (1.0 < math.huge)))
print(pcall(function(...)
 r2.b = show(r2.b)
 local function f32(x33, x34, ...)
  if tick() then return end
  print(pcall(function(...)
   for n35 = 2, 2 do
    if tick() then break end
    x34 = (- ((n35 + n35) % n1))
   end
   print(math.ult(math.type(10), (n1 - 1e15)), tonumber(tostring(("1e1"):byte(1))))
   print(pcall(function(...)
    r2 = {a = (table.concat({1, 2, 3}, "nan")):gsub("%", function(m) return m .. "!" end), b = ((1 < 1) or (1e14 ~= "hello world")), [1] = ("-7" - (- n1))}
   end))
  end))
  for n36 = 3, 4 do
   if tick() then break end
   local n37 = 0
   while n37 < 4 do
    n37 = n37 + 1
    if tick() then break end
    r2.a = ((true and false) or (255 == 2^63))
    r2.c = ((1e-10 ^ n37) >> (1.0 | -math.huge))
    print(((("abc" * n37) % (1e14 ^ n36)) or "0x10"))
   end
   print(((n36 + math.type(n36)) and (string.format("%g", "abc")):gsub("^a", string.upper)))
  end
 end
 local function f38(x39, x40)
  if tick() then return end
  print(pcall(function(...)
   print(pcall(function(...)
    r2 = r2
    error((#"-7"), 2)
   end))
   error((n1), 1)
  end))
 end
 local n41 = 0
 repeat local inner = 2^63
  n41 = n41 + 1
  print((((n1 * -1) * 10) or (#"nan" / (- - 1))))
 until n41 > 1 or inner == show(f32)
 return show(r2.c), math.min(n1, n1)
end, (1.0 or "1e1"), (2^63 and "abc")))
print(pcall(function(...)
 for n42 = 0, 6 do
  if tick() then break end
  local _ = r2 < (-2.5 >> 1e15)
  local n43 = 0
  repeat local inner = (n1 or 3)
   n43 = n43 + 1
   local _ = n1.a.b
   n1, r2 = ((-math.huge - (0/0)) * (10 >> 100)), {a = n42, b = show(r2.a), [2.5] = select('#', ...)}
  until n43 > 4 or inner == (false or "nan")
  hold(function() return n42 end)
 end
end, (n1 // n1), ("a" >= "x,y,z")))
print("n1", n1)
print("r2", pcall(function() return r2.a, r2.b, r2.c end))
