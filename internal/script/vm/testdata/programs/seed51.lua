local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local n1 = 2
local n2 = 1e100
print(pcall(function(...)
 n1 = #"key = value"
 local n3 = 0
 repeat local inner = show((...))
  n3 = n3 + 1
  print((("key = value" * (n2 - 255)) // -1), math.tointeger(10))
  if ((math.huge - -1) <= n1) then
   print(pcall(function(...)
    print((cut(#"10" .. ("ä" or "nan")) == (("ä"):gsub("[^%s]+", "x")):byte(1)))
    print(((- (-3 * n2)) << 0.5))
   end))
  end
 until n3 > 4 or inner == cut("x,y,z" .. (0/0))
 n2, n2 = (0/0), n1
end, (math.huge % 7), n2))
print(pcall(function(...)
 local r4 = meta({a = 123456789012, b = (n1 ^ n1)}, {
  __index = function(x, y)
   if tick() then return 1 end
   return cut(n1 .. n1)
  end,
  __tostring = function() return ("-7"):find("$") end,
 })
 return "", ("3.0" - (n1 - 2))
end, ("x,y,z"):sub(0, 5), cut(3 .. "x,y,z")))
print(pcall(function(...)
 print(show(n2), (n1 or math.min(n2, (n1 | n2))))
 local co5 = coroutine.create(function(...)
  print(pcall(function(...)
   print((not (nil or nil) < "x,y,z"), 3.7)
   for n6 = 3, 3 do
    if tick() then break end
    print(n2)
    n2 = math.tointeger((#"" % ("nan" // math.maxinteger)))
    print(coroutine.yield(show(n6)))
   end
   error((n1), 2)
  end))
  print(pcall(function() print(coroutine.yield(n2))  end))
  return n2
 end)
 print(coroutine.resume(co5, n1))
 print(coroutine.resume(co5, 2^53))
 print(coroutine.resume(co5, (0.5 & 2^53)))
 print(coroutine.status(co5))
 return ((#"0x10" & 2) | (math.maxinteger / math.abs(7))), table.concat({table.unpack({some("3.0"), 123456789012}, 1, 2)}, "abc")
end, n2, (1 and true)))
print("n1", n1)
print("n2", n2)
