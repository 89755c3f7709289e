local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local f1 <const> = function(x, y) return (- - -2.5) end
local f2 = function(x, y) return math.mininteger end
local n3 = (tonumber(("\0\1"):gsub("(%w)(%w)", function(m) return m .. "!" end)) << 64)
print(pcall(function(...)
 print(pcall(function(...)
  local n4 = 0
  repeat local inner = "-7"
   n4 = n4 + 1
   for n5 = -math.huge, math.huge, 2 do
    if tick() then break end
    print(show(n3))
    f2 = function(x, y) return tostring((0/0)) end
    f2 = f2
    if (type("10") > type({1, 2, 3})) then break end
   end
  until n4 > 4 or inner == math.ult(n3, 0.5)
  print(f2(cut((nil or nil) .. show(f2(true))), (100 or 0.5)))
  print(not (math.fmod(n3, n3) > ("x,y,z" - n3)), show(f1(string.format("%x", n3))))
 end))
 if (n3 == #"hello world") then
  print(cut((n3 % n3) .. (n3 <= math.fmod(n3, n3))))
  print(show(f2))
 else
  local f6 <const> = f1
  f2 = f1
 end
 print(tonumber(string.format("%a", show(f1(false)))), show(select(2, ...)))
 f2, f2 = f2, function(x, y) return (3.7 and " 5 ") end
 local function f7(x8, x9)
  if tick() then return end
  local _ = f1 < #"0x10"
  print((show(x8) and (2^63 >> n3)))
  return show(x9), (~ #"ä")
 end
end, tostring((0/0)), n3))
print(pcall(function(...)
 local function f10(x11, x12, ...)
  if tick() then return end
  do
   local function f13(x14, x15)
    if tick() then return end
    print("hello world")
   end
   print(pcall(function(...)
    print(f1(((1/3 == 1e14) or (n3 <= n3)), show(f13)))
   end))
   print(((math.abs((0/0)) + math.huge) << ((~ n3) - tonumber("3.0"))), ((123456789012 - n3) | tonumber(" 5 ")))
  end
  local function f16(x17, x18)
   if tick() then return end
   local f19 = function(x, y) return math.ceil((1e100 & 10)) end
   return (("0x10" * (n3 - 3.7)) + math.max((n3 - n3), tonumber("key = value")))
  end
  n3 = n3
 end
 for n20 = 123456789012, 1/3, 3 do
  if tick() then break end
  print(pcall(function(...)
   print((tonumber("1e1") + 100), show(f10))
   print((show(f2((1/3 - n3))) or ("ä"):rep(2, "")))
   error((math.fmod(n3, n20)), 1)
  end))
 end
 print(pcall(function(...)
  for n21 = math.huge, 1e100, 0.5 do
   if tick() then break end
   local function f22(x23, x24, ...)
    if tick() then return end
    print(f10(math.floor((" 5 " + n21)), n21))
    x24 = math.ceil((1.0 - 1.0))
    x23 = " 5 "
    return tostring(n21), ("3.0" // (n21 ^ 0.5))
   end
   local f25 = f10
  end
  print(tonumber(cut(-math.huge .. (math.maxinteger or "\0\1"))), show(f1))
  local co26 = coroutine.create(function(...)
   do
    local c27 <close> = meta({}, {__close = function(o, e) print('close', 27, e) end})
    print((tonumber(("ä"):lower()) - (n3 ^ n3)))
    print(((tonumber("key = value") + -1) & 0))
   end
   f2 = f1
   return math.tointeger(255)
  end)
  print(coroutine.resume(co26, show(f2)))
  print(coroutine.resume(co26, n3))
  print(coroutine.resume(co26, 1.0))
  print(coroutine.resume(co26, (100 and "\0\1")))
  print(coroutine.status(co26))
 end))
 print(show(f2))
 local function f28(x29, x30, ...)
  if tick() then return end
  print(n3, string.format("%o", (123456789012 / 1e100)))
  return ((n3 - n3) / (-math.huge - 1e15)), show(f2(("nan" or true)))
 end
 return (math.fmod(10, n3) & 10), cut(math.tointeger(math.maxinteger) .. ("ä" + n3))
end, ("key = value" * 7), ("a"):rep(0, nil)))
print(pcall(function(...)
 local _ = f2 << "1e1"
 return (((1e15 ^ n3) ~= n3) or math.maxinteger), tostring(n3)
end, n3, 1/3))
print(pcall(function(...)
 print(((n3 / math.maxinteger) - (-3 % 1e-10)))
end, ("-7"):byte(3), string.format("%10.4s|", "nan")))
print(pcall(function(...)
 print(100, (n3 ~= (tonumber("abc") * (n3 // n3))))
 f2 = f1
 n3 = ("3.0" - tonumber(("key = value"):byte(5)))
end, (123456789012 * n3), n3))
print("f1", type(f1))
print("f2", type(f2))
print("n3", n3)
