local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local t1 = sorted({some(0x7f), some(1e14), some(3)})
local n2 = (#"0x10" ^ #"nan")
local n3 = math.ult(("3.0" * n2), 0)
print(pcall(function(...)
 local r4 = meta({a = #"-7", b = show(n3)}, {
  __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
  __call = function(x, y)
   if tick() then return 1 end
   local n5 = 0
   while n5 < 1 do
    n5 = n5 + 1
    if tick() then break end
    local f6 = function(x, y) return tonumber(cut(-3 .. 2^53)) end
    f6 = f6
   end
   return cut(show(n3) .. 3)
  end,
 })
 n3, n3 = (- (~ 2^63)), (tonumber("10") % (n3 ^ n2))
 if (cut(0x7fffffffffffffff .. 1e100) < ("-7"):match("%a+")) then
  do
   n3, n2 = math.tointeger((n3 * 10)), (- - n3)
  end
  t1, n3 = {n = 1, some(...)}, ("0x10" - (n2 + 1e100))
  local s7 = cut(#"1e1" .. #"a")
 end
 print(tostring(1e14))
 print((((" 5 "):gsub(".", "%%")):byte(-1)):reverse(), show((...)))
 return (n3 ~ 1e-10), show(r4)
end, (n3 + n2), math.fmod(123456789012, n2)))
print(pcall(function(...)
 local n8 = 0
 while n8 < 3 do
  n8 = n8 + 1
  if tick() then break end
  local r9 = meta({a = show(n2), b = n2}, {
   __concat = function(x, y)
    if tick() then return 1 end
    if (("hello world" + n3) ~= n3) then
     n3 = #"key = value"
     n3 = 1e100
    elseif (math.fmod(0x7f, n8) == n3) then
     t1 = {1e100, "", 10}
     if #t1 > 0 then t1[1 + -1 % #t1] = some((-2.5 // n3)) end
    else
     if #t1 > 0 then t1[1 + 0 % #t1] = some((- - (1e100 - 1))) end
    end
    return #" 5 "
   end,
   __add = function(x, y)
    if tick() then return 1 end
    return -2.5
   end,
   __le = function(x, y)
    if tick() then return 1 end
    for n10 = 1/3, -1, 0.5 do
     if tick() then break end
     print(math.floor(#"10"))
     print(0x7f)
     print(tonumber(table.concat({"a", "b"}, "a")))
     hold(function() return n10 end)
    end
    return string.format("%#x", tonumber("10"))
   end,
   __div = function(x, y)
    if tick() then return 1 end
    return show(t1[0])
   end,
   __shl = function(x, y)
    if tick() then return 1 end
    return ("\0\1" // 255)
   end,
   __bor = function(x, y)
    if tick() then return 1 end
    return "-7"
   end,
   __shr = function(x, y)
    if tick() then return 1 end
    local n11 = ((math.ceil(n3) - -0.0) - 10)
    return tostring((1e-10 * 10))
   end,
   __band = function(x, y)
    if tick() then return 1 end
    return ("ä"):rep(3, nil)
   end,
  })
 end
 print(show(t1['a']), show(t1))
 print(pcall(function(...)
  n3 = n2
  print((tonumber("key = value") // (-3 + 1e15)))
 end))
end, (- - n2), 1e15))
print(pcall(function(...)
 if #t1 > 0 then t1[1 + math.type((0x7fffffffffffffff & 1.0)) == 'integer' and 3 or 2 % #t1] = some(tonumber("-7")) end
 do
  do
   local n12 = 0
   repeat local inner = (n3 * 7)
    n12 = n12 + 1
    print(math.huge)
    print(((n3 // (n3 + n2)) & math.tointeger((n3 + n3))))
   until n12 > 4 or inner == (n3 == n2)
  end
  t1, t1[1] = t1, some((-3 / 1/3))
 end
end, #"0x10", (true or 1.0)))
print("t1", pcall(table.concat, t1, ','))
print("n2", n2)
print("n3", n3)
