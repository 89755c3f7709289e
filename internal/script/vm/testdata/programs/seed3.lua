local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local s1 = "10"
local t2 = {table.unpack({some(""), 0}, 1, 2)}
local f3 = function(x, y) return ((math.mininteger << 0.5) // (0.5 / 2^63)) end
print(pcall(function(...)
 local f4 = f3
 print(pcall(function(...)
  t2, f3 = {table.unpack({some("key = value"), -2.5}, 1, 2)}, f4
  f3, f3 = f4, function(x, y) return #s1 end
 end))
end, (3 * 0.5), show(f3(0x7f))))
print(pcall(function(...)
 print(s1)
 if (cut(1e100 .. 2^63) ~= s1) then
  do
   local c5 <close> = meta({}, {__close = function(o, e) print('close', 5, e) end})
   print(pcall(function(...)
    t2 = {1, "ä", 255}
    print(1e100)
    t2 = {1e15, "10", 1}
   end))
   for n6 = (0/0), 123456789012, 3 do
    if tick() then break end
    t2 = t2
    print(show(t2[2]))
    print((tonumber("0x10") / tonumber(s1)))
    hold(function() return n6 end)
   end
   local n7 = math.floor((~ ("10" * 0x7fffffffffffffff)))
  end
 else
  local r8 = meta({a = show(t2[3]), b = 2^53}, {
   __mod = function(x, y)
    if tick() then return 1 end
    print(tonumber((tostring("abc")):reverse()), ((math.abs(-0.0) * 1e100) + ((- - -0.0) + (-1 >> 1e14))))
    return show(f3)
   end,
   __mul = function(x, y)
    if tick() then return 1 end
    return ((s1):lower()):gsub("[^%s]+", "%%")
   end,
   __div = function(x, y)
    if tick() then return 1 end
    return show(f3((s1):rep(2, "")))
   end,
   __len = function(x, y)
    if tick() then return 1 end
    return math.ceil(((0/0) & 10))
   end,
   __idiv = function(x, y)
    if tick() then return 1 end
    return tostring(s1)
   end,
   __bxor = function(x, y)
    if tick() then return 1 end
    return show(t2[1])
   end,
   __shr = function(x, y)
    if tick() then return 1 end
    print(pcall(function(...)
     local _ = f3 - show(t2['a'])
     print(((s1):sub(math.type(-2.5) == 'integer' and 3 or 2, 3) >= (s1):rep(1, "-")))
     print(f3(cut((-2.5 <= -math.huge) .. (-1 + -2.5)), (- - 1.0)))
    end))
    return #s1
   end,
  })
 end
end, ("x,y,z" or 3.7), (10 and 1e-10)))
print(pcall(function(...)
 local r9 = meta({a = #"-7", b = table.concat(t2, "nan")}, {
  __idiv = function(x, y)
   if tick() then return 1 end
   return (#"0x10" << (255 << 7))
  end,
 })
 local co10 = coroutine.create(function(...)
  print(coroutine.yield((255 == tonumber(s1))))
  print(f3((0/0), show(select(2, ...))))
  do
   local c11 <close> = meta({}, {__close = function(o, e) print('close', 11, e) end})
   f3, t2[2.5] = function(x, y) return 7 end, some(show(t2[-1]))
   f3 = function(x, y) return (2^63 + 2.5) end
   do
    local c12 <close> = meta({}, {__close = function(o, e) print('close', 12, e) end})
    s1 = (s1):rep(1, "-")
    error(((2^53 / 10)))
   end
  end
  return show(s1)
 end)
 print(coroutine.resume(co10, -0.0))
 print(coroutine.status(co10))
 return show(t2[3]), show(f3)
end, 3.7, (-3 == "0x10")))
print("s1", s1)
print("t2", pcall(table.concat, t2, ','))
print("f3", type(f3))
