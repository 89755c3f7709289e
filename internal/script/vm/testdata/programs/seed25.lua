local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local n1 = (1e-10 ^ math.min((123456789012 & 0.5), math.abs(-2.5)))
local t2 = {255, "\0\1", 2^63}
local r3 = {a = 7, b = (cut("key = value" .. 0) or "\0\1"), [2.5] = (2 >= tonumber("1e1"))}
local s4 <const> = tostring((string.format("%10.4s|", "\0\1")):len())
print(pcall(function(...)
 local function f5(x6, x7, ...)
  if tick() then return end
  local co8 = coroutine.create(function(...)
   print(#s4, show(n1))
   do
    if (n1 < 3) then goto l1 end
    print((s4):lower())
    ::l1::
   end
   do
    print(math.abs(tonumber(cut(123456789012 .. 0x7fffffffffffffff))))
    print(255)
   end
   print(pcall(function() print(coroutine.yield((n1 << 0))) error('inside') end))
   return show(select(2, ...))
  end)
  print(coroutine.resume(co8, show(x6)))
  print(coroutine.resume(co8, "nan"))
  print(coroutine.resume(co8, 3))
  print(coroutine.status(co8))
  local f9 = function(x, y) return s4 end
  return ((false or 2) < 1e100), show(s4)
 end
end, n1, (~ math.huge)))
print(pcall(function(...)
 t2, t2 = sorted({some(n1), some(n1), some(n1)}), t2
 r3.a = show(s4)
 t2[#t2 + 1] = some(show(r3))
 print(pcall(function(...)
  print(((math.floor(n1) - 7) - ((n1 ^ n1) % 0.5)), (((1 // 7) >> tonumber("a")) / (((0/0) ^ 0x7f) / 2^63)))
 end))
 local function f10(x11, x12, ...)
  if tick() then return end
  print((((- 2.5) <= ("ä" - math.maxinteger)) and (type({a = 1/3, b = "abc", [2.5] = 3.7})):len()), ((s4 * n1) + math.type((- - (0/0)))))
  local n13 = 0
  while n13 < 1 do
   n13 = n13 + 1
   if tick() then break end
   print(type(function(x, y) return n13 end), ((n1 ^ 2^53) * tonumber(s4)))
  end
  do
   local c14 <close> = meta({}, {__close = function(o, e) print('close', 14, e) error('close14') end})
   if (("key = value" // 1e14) < (1/3 & -1)) then
    x11 = (((3 or 10) and show(r3.m)) < math.tointeger(n1))
    r3.a = ((- - n1) * ("key = value" // 3.7))
    table.insert(t2, some(((- - n1) & 0)))
   else
    r3.a = show(t2['a'])
    r3 = r3
   end
  end
  return ((255 // 1/3) * 10), tonumber(table.concat(t2, "x,y,z"))
 end
 return show(r3), tonumber(("ä"):gsub("l-", "%1"))
end, type("a"), show(t2[2.5])))
print(pcall(function(...)
 t2 = {n = 1, some(...)}
 return ("\0\1"):byte(0), ((0/0) ^ n1)
end, show(r3.c), (2.5 // -1)))
print("n1", n1)
print("t2", pcall(table.concat, t2, ','))
print("r3", pcall(function() return r3.a, r3.b, r3.c end))
print("s4", s4)
