local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local r1 = {a = ("3.0"):rep(1, ""), b = (- - #"1e1"), [1] = (3 and (- - 1))}
local n2 <const> = 1e100
local s3 = "0x10"
print(pcall(function(...)
 local t4 = {some((2.5 // (math.huge % n2))), some(table.concat({math.huge, "-7", 100}, "key = value"))}
 r1 = {a = -math.huge, b = cut(show(t4[1]) .. 100), [true] = 1.0}
 for n5 = 1, 4 do
  if tick() then break end
  r1.b = math.fmod((- 2^63), n2)
 end
 local f6 = function(x, y) return #"" end
 return show(f6(show(f6(cut("-7" .. 0x7fffffffffffffff))))), show(t4[#{1, 2}])
end, (n2 - 0x7fffffffffffffff), ("a"):upper()))
print(pcall(function(...)
 print(n2)
 local n7 = 0
 while n7 < 4 do
  n7 = n7 + 1
  if tick() then break end
  local r8 = meta({a = show(s3), b = ("nan" and 3)}, {
   __concat = function(x, y)
    if tick() then return 1 end
    return (tonumber("\0\1") or 0.5)
   end,
   __bor = function(x, y)
    if tick() then return 1 end
    return (~ #s3)
   end,
   __shr = function(x, y)
    if tick() then return 1 end
    print((tonumber("3.0") << n7), (((n7 + -1) & 1) or 2))
    return ("a" and ("\0\1"):upper())
   end,
  })
 end
 s3, r1 = (cut("10" .. -3)):sub(math.type(math.huge) == 'integer' and 3 or 2, -2), r1
end, 0x7fffffffffffffff, (0/0)))
print(pcall(function(...)
 s3 = cut(string.format("%+d", 2) .. ((- - 1e-10) * 64))
 print(not ((- n2) <= (-1 * n2)))
 r1, r1 = {a = math.maxinteger, b = math.huge, [true] = #"1e1"}, {a = 2^53, b = select('#', ...), [1] = ("\0\1"):reverse()}
 return math.tointeger((- - n2)), show(r1.m)
end, n2, show(s3)))
print(pcall(function(...)
 print(((n2 % 0x7f) // (~ n2)), ("nan" or show(select(2, ...))))
 local r9 = meta({a = show(r1.a), b = #s3}, {
  __shl = function(x, y)
   if tick() then return 1 end
   return (math.floor(n2) - (3 / 1.0))
  end,
  __idiv = function(x, y)
   if tick() then return 1 end
   return -math.huge
  end,
  __index = {c = type("ä"), m = function(self, x) return x end},
  __unm = function(x, y)
   if tick() then return 1 end
   return #"x,y,z"
  end,
  __call = function(x, y)
   if tick() then return 1 end
   return (n2 >> n2)
  end,
  __shr = function(x, y)
   if tick() then return 1 end
   print((-2.5 // (1e100 + math.type(3))))
   return ((n2 % 7) ^ (n2 % n2))
  end,
  __lt = function(x, y)
   if tick() then return 1 end
   return (tonumber("10") or (-0.0 + n2))
  end,
 })
 print((("a" // (7 - n2)) << (n2 + (-0.0 ^ n2))), (n2 and (n2 + math.huge)))
 local f10 = function(x, y) return #s3 end
end, show(s3), show(s3)))
print("r1", pcall(function() return r1.a, r1.b, r1.c end))
print("n2", n2)
print("s3", s3)
