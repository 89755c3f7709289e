local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local n1 = (~ 1e-10)
local r2 = {a = #"10", b = n1, [true] = ((n1 - 3.7) << 10)}
local n3 = (((n1 / n1) % n1) / ("" // (n1 - n1)))
local t4 = {-2.5, " 5 ", math.huge}
local s5 = ("key = value"):rep(3, "")
print(pcall(function(...)
 print(show(t4[3]), ((10 ~ 0x7fffffffffffffff) >> (n3 % 100)))
end, (s5):gsub(".", "<%0>"), (0 or nil)))
print(pcall(function(...)
 print(show(t4['a']), ((s5 - math.fmod(0x7fffffffffffffff, 2.5)) or n1))
 local f6 = function(x, y) return math.floor(n1) end
end, 3.7, n3))
print(pcall(function(...)
 print(cut(1 .. (- (1e100 >> n3))), not ((- - n3) >= (0x7f + n1)))
 if not (n1 ~= 3.7) then
  print(n3, show(r2))
  n3, t4[1] = ("1e1" // math.min(math.mininteger, 2^53)), some(2)
  print(type({n = 1, some(...)}), show(r2.a))
 elseif (math.abs(n1) == n1) then
  print((math.ceil((100 >> 100)) or string.format("%+d", show(t4[0]))), show(select(2, ...)))
  local f7 = function(x, y) return (- - (math.huge - 2^63)) end
 end
 print(show(n1))
end, show(n3), n3))
print("n1", n1)
print("r2", pcall(function() return r2.a, r2.b, r2.c end))
print("n3", n3)
print("t4", pcall(table.concat, t4, ','))
print("s5", s5)
