local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local f1 = function(x, y) return (~ math.maxinteger) end
local f2 = function(x, y) return math.max(1e15, -2.5) end
local t3 = sorted({some(100), some(math.huge), some(1e-10)})
local f4 = function(x, y) return math.floor(123456789012) end
local n5 = 1
print(pcall(function(...)
 local co6 = coroutine.create(function(...)
  local function f7(x8, x9, ...)
   if tick() then return end
   x9 = show(f1(show(t3[#{1, 2}])))
   print(((("1e1"):gsub("(.)%1", "%1")):len() > "ä"))
   return show(f4((n5 // -0.0)))
  end
  print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + (- 10))
  return (("\0\1"):gsub("l-", {a = "A", ["1"] = true})):byte(3)
 end)
 print(coroutine.resume(co6, (-1 > 1)))
 print(coroutine.status(co6))
 f4, f2 = f1, function(x, y) return show(t3[1.0]) end
 do
  if (2 < n5) then goto l1 end
  for n10 = 0, 4 do
   if tick() then break end
   for n11 = 0, 2 do
    if tick() then break end
    print((- - (- - n5)))
    print(("ä" or select('#', ...)))
    t3[#t3 + 1] = some(((1 and "hello world") and show(select(2, ...))))
   end
   print(pcall(function(...)
    print((" 5 "):lower())
    print(show(f1))
   end))
   print(("-7"):rep(0, ""), -1)
   if (("abc" < "\0\1") or ("" ~= "x,y,z")) then break end
  end
  local s12 <const> = (cut((- n5) .. show(t3[1.0]))):gsub("(%w)(%w)", {a = "A", ["1"] = true})
  ::l1::
 end
 return cut(((n5 > -math.huge) and (n5 < n5)) .. (1e14 // n5)), (- - math.floor(123456789012))
end, n5, ((0/0) >> 2^63)))
print(pcall(function(...)
 local f13 = f4
 local n14 = (- - (2.5 << (0x7fffffffffffffff >> 1/3)))
 do
  local c15 <close> = meta({}, {__close = function(o, e) print('close', 15, e) error('close15') end})
  for n16 = 2^53, 0, 2 do
   if tick() then break end
   print(pcall(function(...)
    t3 = t3
    print(f4(((math.huge + n5) ~ n16), show(select(2, ...))))
   end))
  end
  f1, t3[2.5] = f2, some((#"nan" >= (n5 | n5)))
  for n17 = 2, 1 do
   if tick() then break end
   local function f18(x19, x20, ...)
    if tick() then return end
    print(cut((- (n5 + math.maxinteger)) .. show(f2(math.min(n14, -2.5)))))
    print(f1(show(f4), 0x7fffffffffffffff))
    return (#"3.0" % n5)
   end
   local f21 = f1
   if (-0.0 ~= 1) then break end
   hold(function() return n17 end)
  end
 end
 do
  print((math.max(n5, 7) / (n14 * n5)), (n14 // n5))
  local s22 = cut((- - #"3.0") .. ("abc"):rep(2, "-"))
  for n23 = 0.5, 1/3, 1 do
   if tick() then break end
   print(f1(n5, show(f2)))
   if not (" 5 " == s22) then break end
  end
 end
 do
  local c24 <close> = meta({}, {__close = function(o, e) print('close', 24, e) end})
  print(show(f4(type(t3))))
  for n25 = 1, 2 do
   if tick() then break end
   print(3.7, show(f4(((n14 ^ n14) or (n25 < n14)))))
  end
  if (not false or ("nan" or true)) then
   f13, t3[-1] = function(x, y) return (2^53 >> n14) end, some(n14)
   print(show(t3['a']))
  elseif (#"a" == 100) then
   print((((n5 + 7) / (n5 * 3)) % 1e14))
  else
   local function f26(x27, x28)
    if tick() then return end
    print(255)
    local _ = -x27
    x27 = string.format("%d", cut(show(x28) .. n14))
    return show(f13(((""):byte(3) == (""):byte(2))))
   end
   for i = 1, 2 do
    if tick() then break end
    if i % 2 == 0 then goto continue2 end
    f26 = function(x, y) return n14 end
    ::continue2::
   end
  end
  error((("10"):gsub("()", "%1")))
 end
 return 10, ((n5 + n14) | (1e-10 // 0.5))
end, 2^63, (0 - 3.7)))
print(pcall(function(...)
 do
  local s29 = type({a = #"-7", b = (math.maxinteger * 1), ["c"] = show(n5)})
  local n30 = 0
  repeat local inner = math.maxinteger
   n30 = n30 + 1
   for n31 = 1/3, 0x7f, -2 do
    if tick() then break end
    f4 = function(x, y) return cut(("key = value"):rep(3, "") .. (1/3 and 2^53)) end
    print(n31)
    f2 = f1
   end
  until n30 > 4 or inner == (-2.5 or 0x7fffffffffffffff)
  do
   do
    t3 = {table.unpack({some(true), 255}, 1, 2)}
   end
  end
 end
 do
  local c32 <close> = meta({}, {__close = function(o, e) print('close', 32, e) end})
  if #t3 > 0 then t3[1 + 1 % #t3] = some(#"x,y,z") end
 end
end, (n5 ~= n5), tonumber("3.0")))
print("f1", type(f1))
print("f2", type(f2))
print("t3", pcall(table.concat, t3, ','))
print("f4", type(f4))
print("n5", n5)
