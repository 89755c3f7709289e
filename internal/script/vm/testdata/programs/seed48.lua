local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local f1 = function(x, y) return (("\0\1"):sub(1, 3)):gsub("[a-f]", "<%0>") end
local r2 = {a = (("3.0" - -0.0) - 123456789012), b = show(f1), ["c"] = (("10"):rep(2, nil)):gsub("%a+", "x")}
print(pcall(function(...)
 print(cut(cut("ä" .. show((...))) .. ("hello world" + (-0.0 * 255))))
 f1 = f1
 for i = 1, 3 do
  if tick() then break end
  if i % 2 == 1 then goto continue1 end
  r2.b = (("3.0"):upper()):upper()
  ::continue1::
 end
 local co3 = coroutine.create(function(...)
  print(#"abc", tostring(show((...))))
  f1, f1 = f1, function(x, y) return tonumber("3.0") end
  print((tonumber(type(10)) ^ tonumber("abc")))
  print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + show(f1))
  return (-3 - tonumber(" 5 "))
 end)
 print(coroutine.resume(co3, 10))
 print(coroutine.status(co3))
 print((show(f1(show(r2.a))) or tonumber("3.0")), tostring((0x7fffffffffffffff * 1)))
end, -0.0, ("\0\1"):byte(0)))
print(pcall(function(...)
 do
  local c4 <close> = meta({}, {__close = function(o, e) print('close', 4, e) end})
  f1, f1 = f1, f1
  print(pcall(function(...)
   if ((0 & math.mininteger) < math.ult(-2.5, 0x7f)) then
    local _ = f1()
    print(show(f1(show(r2))))
    print(("a" - tonumber("\0\1")))
   else
    f1 = f1
   end
   do
    r2.b = (-math.huge % 1)
    r2.a = (1/3 >= 0)
   end
   error((type({a = "a", b = math.maxinteger, [1] = 7})), 0)
  end))
  local n5 = (" 5 " * (1.0 % 3))
  error((123456789012))
 end
 local co6 = coroutine.create(function(...)
  local r7 = meta({a = show(f1(-1)), b = ("0x10" + 255)}, {
   __idiv = function(x, y)
    if tick() then return 1 end
    return 0.5
   end,
   __le = function(x, y)
    if tick() then return 1 end
    return (("x,y,z"):gsub("[^%s]+", string.upper)):byte(-1)
   end,
   __shr = function(x, y)
    if tick() then return 1 end
    local t8 <const> = {some(((1.0 // (0/0)) * (-1 + 1e15))), some(string.format("%05d", math.min(2^63, -1)))}
    return -2.5
   end,
   __lt = function(x, y)
    if tick() then return 1 end
    do
     if (true and false) then goto l2 end
     f1 = f1
     ::l2::
    end
    return (tonumber("3.0") ^ -math.huge)
   end,
   __shl = function(x, y)
    if tick() then return 1 end
    return cut(show(r2) .. 123456789012)
   end,
   __band = function(x, y)
    if tick() then return 1 end
    return show(f1((7 | 2^53)))
   end,
   __bnot = function(x, y)
    if tick() then return 1 end
    return show(f1(math.ult(255, 1e-10)))
   end,
   __bxor = function(x, y)
    if tick() then return 1 end
    return #"hello world"
   end,
  })
  print(pcall(function() print(coroutine.yield(show(f1("\0\1")))) error('inside') end))
  return show(r7.a)
 end)
 print(coroutine.resume(co6, 2^53))
 print(coroutine.resume(co6, ("a"):rep(0, nil)))
 print(coroutine.resume(co6, ("0x10" <= "0x10")))
 print(coroutine.status(co6))
 print((show(r2) and "nan"))
end, 1, show(f1(3))))
print(pcall(function(...)
 print(("hello world" + tonumber((" 5 "):match("$"))), math.ult(math.min((1.0 + -2.5), #"nan"), ((2^53 & 0) - 2)))
 print(("ä"):rep(2, nil))
 return 0x7fffffffffffffff, ((-2.5 % 2) ~= 1)
end, 100, ("0x10"):sub(-2, 3)))
print("f1", type(f1))
print("r2", pcall(function() return r2.a, r2.b, r2.c end))
