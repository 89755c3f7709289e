local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local f1 = function(x, y) return -0.0 end
local n2 = ((math.min(math.mininteger, 123456789012) // ("3.0" // 2^63)) * ("nan" * tonumber("key = value")))
local n3 = ((math.floor(0.5) // (255 + 2^53)) ^ (tonumber("key = value") - math.fmod(n2, 1.0)))
print(pcall(function(...)
 print(cut((1 * n3) .. not (1.0 == 1/3)))
end, n3, -2.5))
print(pcall(function(...)
 n2 = (((n2 & 2.5) & 64) ^ ((n3 * n2) + ("" // 2.5)))
 print(f1(show(f1(show((...)))), (n3 - 1/3)))
 local r4 = {a = (math.mininteger + 10), b = math.type((math.mininteger - -1)), ["c"] = (("key = value"):sub(3, 3)):upper()}
 do
  local c5 <close> = meta({}, {__close = function(o, e) print('close', 5, e) end})
  local n6 = (math.max(math.maxinteger, math.ceil(-3)) | math.fmod((n3 ^ n3), math.ceil(1e15)))
  do
   if (nil and false) then goto l1 end
   print(pcall(function(...)
    n6 = n6
    r4.m = tonumber(("nan"):gsub("%a+", {a = "A", ["1"] = true}))
    r4.b = show(r4.m)
   end))
   do
    r4.b = ((" 5 " - n6) == #"key = value")
    r4.a = n3
   end
   ::l1::
  end
 end
 r4.a = (1/3 % -1)
 return string.format("%a", show(r4)), (n3 & n2)
end, (" 5 " + n2), ("3.0" - n3)))
print(pcall(function(...)
 print(f1(show(select(2, ...)), show(n3)))
 local co7 = coroutine.create(function(...)
  print(coroutine.yield((- - math.type(n3))))
  print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + 2)
  return (100 ~= #"x,y,z")
 end)
 print(coroutine.resume(co7, 10))
 print(coroutine.resume(co7, (0x7fffffffffffffff % 10)))
 print(coroutine.status(co7))
 local f8 = f1
end, n3, n3))
print("f1", type(f1))
print("n2", n2)
print("n3", n3)
