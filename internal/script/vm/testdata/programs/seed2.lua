local ticks = 0 function tick() ticks = ticks + 1 return ticks > 120 end function show(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then return t end return v end function some(v) if v == nil then return 0 end return v end function cut(s) if type(s) == "string" and #s > 200 then return s:sub(1, 100) end return s end function sorted(t) for _, v in ipairs(t) do if v ~= v then return t end end table.sort(t) return t end function hold(f) print(f()) end do local out, str, select, pcall = print, tostring, select, pcall function print(...) local s = "" for i = 1, select("#", ...) do local ok, v = pcall(str, (select(i, ...))) s = s .. v:gsub("builtin: ", ""):gsub("(%a+): 0x%x+", "%1"):gsub("%-?nan", "nan") .. "\t" end if s:find("divide by zero", 1, true) or s:find("'n%0'", 1, true) then s = s:gsub("p:%d+: ", "") end out(s) end end 
local meta = setmetatable
local r1 <const> = {a = -math.huge, b = table.concat({some(1e100), some("10")}, "a"), ["c"] = (cut(1e15 .. 2.5) ~= "x,y,z")}
local n2 = ((math.min(100, 3) // 2^63) + 2.5)
print(pcall(function(...)
 print(show(r1), math.tointeger((n2 / 3)))
 local f3 = function(x, y) return "x,y,z" end
 local function f4(x5, x6)
  if tick() then return end
  local n7 = n2
  print(show(f3(show(r1.a))), 1e100)
  for i = 1, 2 do
   if tick() then break end
   if i % 2 == 0 then goto continue1 end
   do
    local c8 <close> = meta({}, {__close = function(o, e) print('close', 8, e) end})
    print(f3(("abc" * ("-7" + 1e100)), cut("" .. 2)))
    x6 = (1 or 1e-10)
   end
   ::continue1::
  end
  return f3((#" 5 " // (n2 & 64)))
 end
 return (tonumber(("key = value"):gsub("%b()", "x")) / (math.floor(1e100) << 7)), tonumber("10")
end, (0x7f or 3), ("10" // 0x7fffffffffffffff)))
print(pcall(function(...)
 n2 = tonumber(((""):byte(1)):gsub("^a", "x"))
 if not (-0.0 ~= n2) then
  do
   print(((n2 >= math.abs(-math.huge)) and ((- - n2) ~= (- 1e15))), #"hello world")
  end
 elseif (#"3.0" >= math.min(n2, 1e14)) then
  local function f9(x10, x11)
   if tick() then return end
   for n12 = 1, 3 do
    if tick() then break end
    local _ = #x11
    x11 = (0.5 % n2)
    print((- (1.0 * -2.5)))
   end
   return (n2 | 0x7f), (2.5 >> n2)
  end
 else
  local function f13(x14, x15)
   if tick() then return end
   print(pcall(function(...)
    n2 = n2
   end))
   print(((math.max(1/3, (0/0)) % 3) >> n2), math.type(tonumber("1e1")))
   print(pcall(function(...)
    r1.a = math.mininteger
    r1.b = #"nan"
   end))
  end
 end
 return (math.abs(#"nan") // (tonumber(" 5 ") + (- - -2.5))), tonumber(cut(math.maxinteger .. 2))
end, show(n2), 10))
print(pcall(function(...)
 local f16 = function(x, y) return #"" end
 print(#"-7", show(f16))
 print(show(select(2, ...)), show(r1.a))
 local t17 = sorted({some(2^63), some(-1), some(n2)})
end, ("-7"):byte(5), cut(1e15 .. false)))
print(pcall(function(...)
 local s18 = ("0x10"):rep(3, nil)
end, n2, (nil and true)))
print(pcall(function(...)
 if ((2 and 2.5) < show(select(2, ...))) then
  local function f19(x20, x21, ...)
   if tick() then return end
   local r22 = meta({a = 1/3, b = ("hello world"):gsub("%s*$", string.upper)}, {
    __div = function(x, y)
     if tick() then return 1 end
     return n2
    end,
    __add = function(x, y)
     if tick() then return 1 end
     return (n2 - 64)
    end,
    __mod = function(x, y)
     if tick() then return 1 end
     return (0/0)
    end,
    __concat = function(x, y)
     if tick() then return 1 end
     r1.c = ("-7"):gsub("[^%s]+", "%%")
     return ((n2 > 3) and (n2 <= n2))
    end,
    __eq = function(x, y)
     if tick() then return 1 end
     return show(x21)
    end,
    __call = function(x, y)
     if tick() then return 1 end
     return tonumber("hello world")
    end,
   })
   local co23 = coroutine.create(function(...)
    r22.b = n2
    print(meta({}, {__add = function(a, b) return coroutine.yield(b) end}) + ("x,y,z" * 0x7f))
    return (n2 ^ n2)
   end)
   print(coroutine.resume(co23, 3))
   print(coroutine.status(co23))
  end
  if ("0x10" ~= (n2 % -3)) then
   f19 = function(x, y) return cut(string.format("%10.4s|", 100) .. (- n2)) end
   print((n2 ~= 0), show(r1.a))
   for n24 = 2, 2 do
    if tick() then break end
    local _ = f19()
    r1.c = tonumber(string.format("%d", 100))
   end
  elseif (string.format("%10.4s|", "hello world") <= ("\0\1"):sub(5, 1)) then
   print(pcall(function(...)
    local _ = r1 * show(f19)
    error((table.concat({"a", "b"}, "abc")), 0)
   end))
  else
   local s25 = string.format("%c", (table.concat({}, "key = value")):gsub("[^%s]+", "<%0>"))
   local _ = f19()
  end
  for n26, x27 in ipairs(sorted({some(-2.5), some(3.7), some(n2)})) do
   if tick() then break end
   print((-2.5 * 2))
  end
 end
 local r28 = meta({a = show(r1.m), b = 1e15}, {
  __shr = function(x, y)
   if tick() then return 1 end
   return ((n2 | 123456789012) + (3 / 0))
  end,
  __lt = function(x, y)
   if tick() then return 1 end
   return "0x10"
  end,
  __sub = function(x, y)
   if tick() then return 1 end
   return (0/0)
  end,
  __band = function(x, y)
   if tick() then return 1 end
   return #"abc"
  end,
  __tostring = function() return "hello world" end,
  __concat = function(x, y)
   if tick() then return 1 end
   return cut((2^53 + n2) .. (n2 <= math.mininteger))
  end,
  __newindex = function(t, k, v) print('set', k) rawset(t, k, v) end,
  __le = function(x, y)
   if tick() then return 1 end
   return (math.ceil(7) or 1e-10)
  end,
 })
end, math.mininteger, "x,y,z"))
print(pcall(function(...)
 local t29 = {2, "nan", 1e14}
 if ((nil ~= "") or (1.0 ~= n2)) then
  do
   local c30 <close> = meta({}, {__close = function(o, e) print('close', 30, e) end})
   local r31 = {a = ((n2 * 64) % (2^63 % n2)), b = ((2 + n2) / math.max(1e15, n2)), ["c"] = tostring(show(t29['a']))}
  end
 elseif (#"hello world" <= (n2 * n2)) then
  print((string.format("%.3s", show((...)))):find("%"))
 else
  print(pcall(function(...)
   print(((- - n2) or ((- - n2) ^ (1e-10 % n2))), "nan")
  end))
 end
 local function f32(x33, x34)
  if tick() then return end
  do
   if (n2 == 1) then goto l2 end
   for n35, x36 in ipairs(t29) do
    if tick() then break end
    local _ = x33()
   end
   print(n2, (tonumber(("-7"):rep(0, "-")) % (math.ult(0x7fffffffffffffff, 1) % 64)))
   ::l2::
  end
  local co37 = coroutine.create(function(...)
   if ((~ 2^53) == 0) then
    r1.c = 1e-10
    r1.c = (n2 * 10)
    print(table.remove(t29))
   end
   print(("nan" + (n2 // (n2 + -3))), (cut(0x7f .. (n2 ~ math.mininteger)) or (("0x10" // 0x7fffffffffffffff) == (10 - n2))))
   for k, v in function(s, i) if (i or 0) < 2 then return coroutine.yield(i) or (i or 0) + 1 end end do print(k, v) end
   return (n2 ^ n2)
  end)
  print(coroutine.resume(co37, show(r1.m)))
  print(coroutine.resume(co37, (~ n2)))
  print(coroutine.status(co37))
  return cut(cut("ä" .. 0x7fffffffffffffff) .. math.huge), math.ult((n2 + n2), (123456789012 + 1.0))
 end
 local n38 = 0
 repeat local inner = select('#', ...)
  n38 = n38 + 1
  print(f32(1/3, show(f32(false))))
  f32 = f32
 until n38 > 1 or inner == (n2 % 3)
 return show(t29[2]), (#"key = value" * 1/3)
end, (0x7f or true), math.ult(3, n2)))
print(pcall(function(...)
 local s39 = table.concat({3, "\0\1", math.huge}, "3.0")
 local n40 = (s39 * 1e15)
 return #"hello world", show(n40)
end, math.maxinteger, show(r1)))
print(pcall(function(...)
 if (("10" and nil) and (true and nil)) then
  local s41 = cut(show(r1) .. " 5 ")
 end
 print(show(r1), (type(function(x, y) return 3.7 end)):find("%"))
 print(((("nan"):byte(1)):sub(-1, 5) and string.format("%05d", (7 * 255))), #"0x10")
 print(tonumber("abc"))
 return math.ult((- 1e15), n2), show(n2)
end, (math.mininteger and 255), "0x10"))
print(pcall(function(...)
 do
  local s42 = ((("x,y,z"):byte(-2)):upper()):gsub("[^%s]+", string.upper)
 end
 do
  local c43 <close> = meta({}, {__close = function(o, e) print('close', 43, e) end})
  do
   local c44 <close> = meta({}, {__close = function(o, e) print('close', 44, e) end})
   do
    print(-0.0)
    print((cut(("a"):rep(2, "-") .. (2^53 * n2))):reverse())
    print(tonumber(table.concat(sorted({some(math.huge), some((0/0)), some(0x7f)}), "3.0")))
   end
  end
  local f45 = function(x, y) return (cut(2.5 .. 1e15)):byte(5) end
  print(tostring(((n2 + 2) and (n2 & 1))), (cut(show(f45(-1)) .. (100 + 7))):reverse())
 end
end, n2, cut(1e100 .. "3.0")))
print("r1", pcall(function() return r1.a, r1.b, r1.c end))
print("n2", n2)
