local n = 0/0
for _, y in ipairs{-1, 1, 2, 3, 4, -2, 0.5, 1/0, 0/0, 1e300, 2^53+1} do print(y, n ^ y, (-n) ^ y, #string.format("%g", n ^ y)) end
