local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local n1 = #"\0\1"
local t2 = {100, "1e1", 3.7}
print(pcall(function(...)
 for n3 = 10, 1e15, 2 do
  if tick() then break end
  do
   print(#"3.0", tonumber(type(function(x, y) return math.maxinteger end)))
   do
    if (false or nil) then goto l1 end
    local _ = global_n3.x
    ::l1::
   end
  end
  local co4 = coroutine.create(function(...)
   local function f5(x6, x7)
    if tick() then return end
    print(tonumber(cut(1 .. "-7")))
    t2 = {table.unpack({some(2^63), math.huge}, 1, 2)}
    print(show(t2))
    return ((math.min(123456789012, 1/3) > 0) and (string.format("%+d", 100) > ("a"):gsub("^a", string.upper)))
   end
   local r8 = meta({a = (3.7 or 1e14), b = ("0x10" // n3)}, {
    __band = function(x, y)
     if tick() then return 1 end
     return 2
    end,
   })
   local r9 = meta({a = show(r8.a), b = show((...))}, {
    __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
    __mul = function(x, y)
     if tick() then return 1 end
     r8.a = n1
     return math.max(#" 5 ", (math.maxinteger - 3))
    end,
    __bnot = function(x, y)
     if tick() then return 1 end
     r8.a = #"\0\1"
     return show(r8.c)
    end,
    __sub = function(x, y)
     if tick() then return 1 end
     r8.c = (0x7f / tonumber("abc"))
     return ((n3 % 0.5) / math.tointeger(math.maxinteger))
    end,
    __unm = function(x, y)
     if tick() then return 1 end
     print(coroutine.yield(("" * (~ 2.5))))
     return (n1 / #"-7")
    end,
   })
   for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
   return ((n1 * n1) & (n3 * n3))
  end)
  print(coroutine.resume(co4, 3.7))
  print(coroutine.resume(co4, string.format("%c", nil)))
  print(coroutine.status(co4))
  do
   local function f10(x11, x12)
    if tick() then return end
    n1 = (((123456789012 >> math.mininteger) * n1) ~ math.min((n3 // n3), n3))
    x12 = (~ math.ult(("" * 3.7), (0.5 / -1)))
    local _ = x11 .. type({a = 123456789012, b = "x,y,z", [2.5] = " 5 "})
   end
   for n13 = 2, 1e15, 0.5 do
    if tick() then break end
    print(f10((n1 & math.floor(10)), n3))
    if not (n13 >= n3) then break end
   end
   f10, f10 = function(x, y) return ("1e1"):lower() end, f10
  end
 end
 print(math.tointeger((n1 // 1e14)), ("3.0" - ("\0\1" + ("nan" - n1))))
 local t14 = sorted({some(n1), some(n1), some(n1)})
 print(pcall(function(...)
  do
   local c15 <close> = meta({}, {__close = function(o, e) print('close', 15, e) end})
   for i = 1, 4 do
    if tick() then break end
    if i % 2 == 1 then goto continue2 end
    t14 = {some(n1), some((("hello world"):rep(0, "-")):find("."))}
    print(#"-7")
    ::continue2::
   end
  end
 end))
 return show(t14['a']), select('#', ...)
end, #"hello world", n1))
print(pcall(function(...)
 local co16 = coroutine.create(function(...)
  local function f17(x18, x19, ...)
   if tick() then return end
   print((show(t2[1.0]) or (cut(math.maxinteger .. "ä") <= cut(-1 .. "ä"))), tostring(select('#', ...)))
   t2 = t2
  end
  do
   local c20 <close> = meta({}, {__close = function(o, e) print('close', 20, e) end})
   print((~ ((10 - n1) / (- math.huge))))
   print((3.7 < (n1 ~ (1e14 & 1))), n1)
   do
    if ("0x10" ~= "x,y,z") then goto l3 end
    print(f17(#"-7", 1e14))
    ::l3::
   end
  end
  for n21 = 1, 5 do
   if tick() then break end
   print(-1, ((("x,y,z"):sub(1, 0)):find("%")):gsub("x*", {a = "A", ["1"] = true}))
   local r22 = {a = "-7", b = string.format("%+d", show(select(2, ...))), [true] = show(t2['a'])}
   print(pcall(function(...)
    r22.m = ((n1 + 2) / -0.0)
    error(((1e-10 & n1)), 1)
   end))
   if (string.format("%s", 2.5) ~= cut("\0\1" .. -1)) then break end
  end
  return show(t2[1.0])
 end)
 print(coroutine.resume(co16, ("0x10"):rep(0, "-")))
 print(coroutine.resume(co16, (false and false)))
 print(coroutine.resume(co16, n1))
 print(coroutine.status(co16))
 print(coroutine.close(co16))
 table.insert(t2, some(((2.5 * (0/0)) & 2)))
 local _ = -n1
 t2, n1 = {n = 1, some(...)}, math.maxinteger
 do
  do
   print(pcall(function(...)
    print((("hello world" - 123456789012) * (3.7 >> n1)))
    print(select('#', ...))
   end))
   local t23 = {123456789012, "-7", math.huge}
  end
 end
 return "-7", ("key = value"):rep(3, nil)
end, n1, ("nan"):match("x*")))
print(pcall(function(...)
 print(pcall(function(...)
  n1 = #"x,y,z"
 end))
 for n24 = 0, 6 do
  if tick() then break end
  for i = 1, 2 do
   if tick() then break end
   if i % 2 == 1 then goto continue4 end
   t2, n1 = {-3, "ä", 0.5}, 0x7fffffffffffffff
   print(pcall(function(...)
    print(("ä" // n24))
    error(((math.maxinteger - 2)), 2)
   end))
   ::continue4::
  end
  n1, t2['a'] = (n24 * (- n24)), some((- - (~ n1)))
 end
 local t25 = {2.5, "abc", 100}
end, ("10"):rep(1, "-"), ("x,y,z" or false)))
print(pcall(function(...)
 print(show(t2[0]))
 for n26, x27 in ipairs(t2) do
  if tick() then break end
  local r28 = meta({a = 1, b = tonumber("-7")}, {
   __shl = function(x, y)
    if tick() then return 1 end
    do
     n1 = tonumber(("a"):match("."))
     print(table.concat(t2, "a"))
     local _ = n1:m()
    end
    return ("nan"):rep(0, nil)
   end,
   __call = function(x, y)
    if tick() then return 1 end
    t2[#t2 + 1] = some((n26 * n26))
    return math.ceil(n26)
   end,
   __tostring = function() return tostring(-0.0) end,
   __bor = function(x, y)
    if tick() then return 1 end
    return show(x27)
   end,
   __idiv = function(x, y)
    if tick() then return 1 end
    do
     local _ = x27 < #" 5 "
     print((((n1 // 10) ^ n1) // n26))
     t2[#t2 + 1] = some(cut(string.format("%q", -0.0) .. ("-7"):byte(3)))
    end
    return show(t2[2])
   end,
  })
 end
 return "0x10", n1
end, cut(2^53 .. 10), (2.5 << n1)))
print(pcall(function(...)
 local n29 = 0
 while n29 < 2 do
  n29 = n29 + 1
  if tick() then break end
  n1, t2[-1] = (n1 & (123456789012 * n1)), some(math.fmod(("3.0" + 0x7fffffffffffffff), ("ä" - 1e100)))
  print((#"a" // (2.5 / -math.huge)), show(select(2, ...)))
  if (tonumber("3.0") > tonumber("a")) then break end
 end
end, -math.huge, n1))
print("n1", n1)
print("t2", pcall(table.concat, t2, ','))
