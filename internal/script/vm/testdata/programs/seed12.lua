local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local n1 <const> = (- 1e14)
local n2 <const> = n1
local s3 = (cut(((0/0) / 123456789012) .. n1)):byte(1)
local n4 = ("3.0" // 0x7f)
local f5 = function(x, y) return ((n1 % 1) and n4) end
print(pcall(function(...)
 local function f6(x7, x8)
  if tick() then return end
  local co9 = coroutine.create(function(...)
   s3 = type({n = 1, some(...)})
   print(pcall(function(...)
    print(f5(show(n2), (s3):reverse()))
    print(show(f5(not (nil and false))))
    print((tonumber(s3) ~= 3.7))
   end))
   local function f10(x11, x12)
    if tick() then return end
    x7 = type({0x7f, "\0\1", (0/0)})
    print(2^63)
   end
   print(pcall(function() print(coroutine.yield(0x7fffffffffffffff)) local x = nil + 1 end))
   return n1
  end)
  print(coroutine.resume(co9, (n1 % n1)))
  print(coroutine.status(co9))
  print(coroutine.close(co9))
  return f5(((255 + math.huge) * n2))
 end
 do
  local r13 = meta({a = n1, b = (s3 * n2)}, {
   __shl = function(x, y)
    if tick() then return 1 end
    return #s3
   end,
   __div = function(x, y)
    if tick() then return 1 end
    return n2
   end,
   __bxor = function(x, y)
    if tick() then return 1 end
    return (tostring(0.5) and show(f5(-math.huge)))
   end,
   __shr = function(x, y)
    if tick() then return 1 end
    return (n4 << -1)
   end,
   __eq = function(x, y)
    if tick() then return 1 end
    return math.mininteger
   end,
   __len = function(x, y)
    if tick() then return 1 end
    return s3
   end,
  })
 end
 print(pcall(function(...)
  do
   print((~ (n2 >> (- - math.maxinteger))), s3)
   print(not ((n2 * 0) <= n2))
   print(f6((n4 - n4), ("-7" and "a")))
  end
 end))
 return ((("-7"):rep(2, "")):byte(1)):sub(-2, 5), cut(("abc" > s3) .. (s3):sub(5, -2))
end, n1, -2.5))
print(pcall(function(...)
 local f14 = f5
 local r15 = meta({a = ("-7" < false), b = select('#', ...)}, {
  __len = function(x, y)
   if tick() then return 1 end
   return show(n1)
  end,
  __bnot = function(x, y)
   if tick() then return 1 end
   return show(f5)
  end,
  __mul = function(x, y)
   if tick() then return 1 end
   return n4
  end,
  __add = function(x, y)
   if tick() then return 1 end
   for n16 = 3, 2^63, -2 do
    if tick() then break end
    local s17 = cut(math.huge .. math.fmod(255, math.fmod((0/0), 100)))
    local function f18(x19, x20, ...)
     if tick() then return end
     local _ = n1:m()
     return ("ä" + -1), (n16 + (0/0))
    end
   end
   return (table.concat({}, "hello world")):sub(5, 5)
  end,
  __sub = function(x, y)
   if tick() then return 1 end
   return n2
  end,
  __eq = function(x, y)
   if tick() then return 1 end
   return type(("10"):sub(2, 2))
  end,
 })
 local n21 = 0
 while n21 < 3 do
  n21 = n21 + 1
  if tick() then break end
  print(pcall(function(...)
   for n22, x23 in ipairs({n = 1, some(...)}) do
    if tick() then break end
    r15.c = (n4 - 10)
   end
   do
    local c24 <close> = meta({}, {__close = function(o, e) print('close', 24, e) end})
    s3 = "0x10"
    print((((1e100 + 0x7f) << math.min(-1, n4)) * 3))
    print(cut(table.concat({some(n2), some("-7")}, "10") .. (show(n21) or show(f14("x,y,z")))))
    error(((" 5 "):rep(0, "-")))
   end
  end))
  local n25 = 0
  repeat local inner = math.ult(math.mininteger, 0x7fffffffffffffff)
   n25 = n25 + 1
   print(pcall(function(...)
    local _ = f5 .. {some(n4), some(s3)}
    print((((-3 & 0) & 1) / ((2^63 / n1) / -3)))
   end))
   print(f5((100 ^ n1), (1 + 1/3)))
  until n25 > 1 or inner == n1
  print(((- - 1/3) and show(r15.a)), #s3)
 end
end, (n1 + n1), show(n4)))
print(pcall(function(...)
 print(show(select(2, ...)), #"1e1")
 return s3, (cut(math.huge .. " 5 ") >= tostring(-2.5))
end, (3.7 / -2.5), n1))
print(pcall(function(...)
 local co26 = coroutine.create(function(...)
  local t27 = sorted({some(2^53), some(1e14), some(n2)})
  print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + "")
  return (table.concat(t27, "ä")):gsub("%f[%w]%w+", "%%")
 end)
 print(coroutine.resume(co26, (3 ^ 0x7fffffffffffffff)))
 print(coroutine.resume(co26, (n4 * 3)))
 print(coroutine.status(co26))
 print(((1e100 ^ (0x7f - n4)) & -1), n2)
 local n28 = 1.0
 return (n28 + (1/3 + n28)), show(s3)
end, ("0x10"):rep(3, ""), n1))
print(pcall(function(...)
 n4, n4 = (- - n1), (-0.0 * math.max(0x7fffffffffffffff, n4))
 print(show(f5), math.ceil(((n1 // 3) / #s3)))
 local r29 = meta({a = show(n1), b = (7 / n1)}, {
  __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
  __bxor = function(x, y)
   if tick() then return 1 end
   return n4
  end,
  __lt = function(x, y)
   if tick() then return 1 end
   return n2
  end,
 })
 return ((-0.0 & n4) * ("hello world" + 2^53)), show((...))
end, show(f5(2.5)), show(f5(3))))
print("n1", n1)
print("n2", n2)
print("s3", s3)
print("n4", n4)
print("f5", type(f5))
