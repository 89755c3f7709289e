local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local r1 = {a = ((1/3 + 10) // math.floor(2)), b = ((" 5 "):byte(-2) <= type(function(x, y) return 3 end)), [1] = (-math.huge ~ (0/0))}
local s2 = cut(((2^63 % 1e15) and -3) .. 10)
local f3 = function(x, y) return show(s2) end
print(pcall(function(...)
 r1, f3 = {a = show(f3), b = show(f3), [2.5] = show(r1.b)}, function(x, y) return show(f3) end
 local n4 = (math.mininteger & 7)
 do
  local c5 <close> = meta({}, {__close = function(o, e) print('close', 5, e) end})
  print((s2 - 2.5), (#"3.0" >= -1))
 end
 return ((("1e1"):reverse()):gsub("%a+", "<%0>")):sub(math.type(2^63) == 'integer' and 3 or 2, 0), show(s2)
end, ((0/0) & 0x7f), 0.5))
print(pcall(function(...)
 f3, r1 = function(x, y) return 3 end, r1
 r1, r1 = {a = tostring(" 5 "), b = 1.0, [true] = select('#', ...)}, {a = cut(1e15 .. 1/3), b = string.format("%5.2f", 2^63), ["c"] = ("-7"):lower()}
end, (nil and 3.7), show(r1.b)))
print(pcall(function(...)
 local n6 = #"10"
 print(pcall(function(...)
  local t7 = {(0/0), " 5 ", 123456789012}
  error(((1e14 // math.mininteger)), 0)
 end))
 local function f8(x9, x10, ...)
  if tick() then return end
  print(n6, show(r1.c))
  if not (1e-10 == n6) then
   print(show(f3(show(r1.b))), show(r1.m))
   local s11 = s2
   local r12 = r1
  else
   if ((n6 ~= -1) or (false or 1e-10)) then
    s2 = " 5 "
    print((100 / -2.5))
   else
    f3 = function(x, y) return (string.format("%-5s|", nil)):lower() end
    print((s2):rep(0, "-"))
   end
   if ((n6 <= 3) or (0x7f == n6)) then
    r1.m = 1e100
   end
  end
  print((tonumber(s2) << 10), tonumber((cut("\0\1" .. 2^53)):find(".")))
  return "a", cut(("\0\1" * n6) .. n6)
 end
 return table.concat({table.unpack({some(1e100), 1}, 1, 2)}, "hello world"), ("hello world"):rep(2, "-")
end, show(f3(0.5)), (1e100 ~ 1e14)))
print("r1", pcall(function() return r1.a, r1.b, r1.c end))
print("s2", s2)
print("f3", type(f3))
