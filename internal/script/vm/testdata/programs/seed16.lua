local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local s1 = cut(string.format("%.3s", (~ -math.huge)) .. cut((- - 2^53) .. math.fmod(1, 1e15)))
local f2 = function(x, y) return tonumber(s1) end
local f3 = f2
local s4 = (s1):rep(3, "")
print(pcall(function(...)
 local f5 = function(x, y) return (tonumber(s4) & math.maxinteger) end
 local function f6(x7, x8)
  if tick() then return end
  print(("a" - #s1))
  print((s4):rep(3, "-"), tonumber(("abc"):byte(1)))
  return (s1):gsub("%", {a = "A", ["1"] = true})
 end
 print(show(f2), show(s1))
 do
  if not false then goto l1 end
  print((math.ceil((0/0)) >= ((10 * 100) ^ (-math.huge << 7))))
  ::l1::
 end
 print((10 or #"0x10"), (~ math.floor(math.ceil(1e-10))))
end, (1 % 1e-10), (255 and 255)))
print(pcall(function(...)
 local function f9(x10, x11)
  if tick() then return end
  f3, x11 = function(x, y) return (0.5 ^ 0.5) end, show(f2(show(f3(false))))
  local function f12(x13, x14, ...)
   if tick() then return end
   print(show((...)), not not ("0x10" <= s4))
   local r15 = meta({a = ("ä"):gsub("%f[%w]%w+", {a = "A", ["1"] = true}), b = show(f2)}, {
    __mod = function(x, y)
     if tick() then return 1 end
     return "\0\1"
    end,
    __len = function(x, y)
     if tick() then return 1 end
     print((("ä" // 100) * math.ceil(math.max(2.5, 0.5))))
     return ((-1 // 100) / (~ 1/3))
    end,
    __div = function(x, y)
     if tick() then return 1 end
     return 1e15
    end,
    __concat = function(x, y)
     if tick() then return 1 end
     return (-math.huge + 2)
    end,
    __idiv = function(x, y)
     if tick() then return 1 end
     return (1 % 7)
    end,
    __band = function(x, y)
     if tick() then return 1 end
     print(((math.ult(255, math.huge) >= -2.5) or (table.concat({"a", "b"}, "") ~= s1)))
     return type(#s4)
    end,
    __pow = function(x, y)
     if tick() then return 1 end
     s4 = (((s1):gsub("(.)%1", "<%0>")):gsub("%d", "x")):gsub("%f[%w]%w+", {a = "A", ["1"] = true})
     return show(x14)
    end,
    __sub = function(x, y)
     if tick() then return 1 end
     return (2 and (0/0))
    end,
   })
   print(((cut(-1 .. "\0\1")):find("l-") and (-0.0 > (s1 - 2^63))), show(f3((s1 + (10 >> math.mininteger)))))
   return "10", -2.5
  end
  return math.floor((- - (7 ^ -3)))
 end
 local t16 = {-0.0, "nan", 0}
 local r17 = {a = ((""):sub(2, 3)):gsub("%d", string.upper), b = (#s4 << 3), [true] = "1e1"}
 print((("ä"):rep(2, nil)):reverse(), "3.0")
end, type({a = -0.0, b = 100, [true] = "ä"}), math.ceil(math.maxinteger)))
print(pcall(function(...)
 local t18 <const> = {(0/0), "\0\1", 2^53}
end, (3 and nil), math.maxinteger))
print("s1", s1)
print("f2", type(f2))
print("f3", type(f3))
print("s4", s4)
