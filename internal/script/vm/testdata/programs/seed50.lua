local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local s1 = cut(math.max(3, 100) .. (math.min(2^53, -1) or ((0/0) and 255)))
local t2 = {math.huge, "hello world", 10}
local f3 = function(x, y) return -3 end
local t4 = {table.unpack({some(1e100), -math.huge}, 1, 2)}
local f5 = f3
print(pcall(function(...)
 local n6 = 0
 repeat local inner = "key = value"
  n6 = n6 + 1
  local co7 = coroutine.create(function(...)
   local n8 = 0.5
   print(n8, (math.fmod((- - 2.5), (n8 % -1)) * 2))
   print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + tostring(0x7fffffffffffffff))
   return n8
  end)
  print(coroutine.resume(co7, cut(true .. (0/0))))
  print(coroutine.resume(co7, (math.mininteger | -3)))
  print(coroutine.resume(co7, show(t4[-1])))
  print(coroutine.resume(co7, (1e100 >= 100)))
  print(coroutine.status(co7))
  print(coroutine.close(co7))
  local function f9(x10, x11, ...)
   if tick() then return end
   print((((- - 1.0) % (10 ^ 1e100)) // 0x7f), 1)
  end
 until n6 > 1 or inner == math.huge
 print(math.mininteger, 2.5)
 print(("10"):rep(1, nil))
 do
  local c12 <close> = meta({}, {__close = function(o, e) print('close', 12, e) error('close12') end})
  s1, t2 = (type((0/0))):gsub("%b()", "%1"), {3.7, "", 2^63}
  table.insert(t4, some((s1 * 2^53)))
  print(tonumber((cut(1e14 .. 0)):byte(0)), (s1):lower())
 end
end, show(t2[1.0]), tostring(true)))
print(pcall(function(...)
 local function f13(x14, x15, ...)
  if tick() then return end
  print((math.abs(math.ceil(1e-10)) / math.max((1/3 ^ 0x7fffffffffffffff), math.ult(1.0, math.huge))), "x,y,z")
  if ((~ math.mininteger) >= (1e15 % 10)) then
   t2, s1 = t2, cut((10 << 2) .. -1)
   local r16 = meta({a = (1e100 << 64), b = (1e15 & 7)}, {
    __le = function(x, y)
     if tick() then return 1 end
     f3 = f3
     return cut(cut(1.0 .. 0) .. (0/0))
    end,
    __lt = function(x, y)
     if tick() then return 1 end
     return s1
    end,
    __idiv = function(x, y)
     if tick() then return 1 end
     return 1e14
    end,
    __tostring = function() return (s1):gsub("%s*$", "%%") end,
    __mul = function(x, y)
     if tick() then return 1 end
     return #"x,y,z"
    end,
    __bnot = function(x, y)
     if tick() then return 1 end
     return (("a"):rep(0, "")):gsub("x*", "%1")
    end,
   })
  elseif not ((0/0) and false) then
   local function f17(x18, x19, ...)
    if tick() then return end
    t4[#t4 + 1] = some(2)
    return show(t4[2.5]), ((1 == 255) and (1.0 > 2^53))
   end
   for i = 1, 5 do
    if tick() then break end
    if i % 2 == 1 then goto continue1 end
    x15 = ((math.abs(0.5) << 123456789012) << (2.5 // (1e-10 ^ 0.5)))
    ::continue1::
   end
  end
 end
 local n20 = (("key = value" - ("1e1" * math.huge)) // 1.0)
 if ((false and nil) and (-1 < 1.0)) then
  for i = 1, 3 do
   if tick() then break end
   if i % 2 == 0 then goto continue2 end
   if #t4 > 0 then t4[1 + -2 % #t4] = some(type({a = 1.0, b = 1/3, [1] = 0.5})) end
   print(show(t4[-1]))
   ::continue2::
  end
  local t21 = {table.unpack({some(false), 3.7}, 1, 2)}
  print(((2^63 * 2) | #s1), show(t2))
 end
 return ((("abc" - -0.0) >> (s1 // 1e100)) % 10), cut((n20 + n20) .. show(n20))
end, s1, (math.mininteger and 2)))
print(pcall(function(...)
 local function f22(x23, x24, ...)
  if tick() then return end
  print((~ (100 ^ -3)), tostring((~ (-3 + 3.7))))
 end
 f3 = f3
 t4, f3 = t2, f22
end, (7 / 3), show(f3(7))))
print(pcall(function(...)
 print((1e15 and show(t4[2])), tonumber(s1))
 print(#s1)
 for n25 = 0, 4 do
  if tick() then break end
  local r26 = {a = math.max((n25 + math.huge), (1.0 + 1/3)), b = 1/3, [true] = (n25 / 2^63)}
  do
   local c27 <close> = meta({}, {__close = function(o, e) print('close', 27, e) end})
   local co28 = coroutine.create(function(...)
    print(coroutine.yield(table.concat(t2, "a")))
    for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
    return math.max(1, n25)
   end)
   print(coroutine.resume(co28, show(r26.a)))
   print(coroutine.status(co28))
   print(coroutine.close(co28))
   for i = 1, 3 do
    if tick() then break end
    if i % 2 == 1 then goto continue3 end
    f5 = f5
    local _ = #s1
    ::continue3::
   end
  end
 end
 local function f29(x30, x31)
  if tick() then return end
  print(cut((s1 or show(f3(-0.0))) .. (0.5 % 1)))
  local s32 = tostring(show(t4))
  local n33 = 123456789012
 end
 do
  local c34 <close> = meta({}, {__close = function(o, e) print('close', 34, e) end})
  print((((123456789012 * 2^53) >= 0x7f) and ((1e-10 * -2.5) > tonumber(s1))), show(select(2, ...)))
  local function f35(x36, x37, ...)
   if tick() then return end
   local function f38(x39, x40)
    if tick() then return end
    print(((~ (1e-10 & math.huge)) // tonumber(string.format("%5.2f", 3.7))))
    local _ = t2.a.b
   end
   print(tonumber("hello world"))
  end
 end
end, cut(math.huge .. 1e15), show(t2[0])))
print("s1", s1)
print("t2", pcall(table.concat, t2, ','))
print("f3", type(f3))
print("t4", pcall(table.concat, t4, ','))
print("f5", type(f5))
