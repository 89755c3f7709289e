-- Integers are folded to 0 too, so that a constant has no name; floats are not.
local n <const> = -(3 % 3)
print(n, pcall(function() return n.a.b end))
local f <const> = -0.0
print(f, 1 / f, pcall(function() return f.a end))
print(~-1, -0, 0.0 * -1, 2^53 | 0, "a" .. 1 + 2)
