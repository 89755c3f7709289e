-- The line of a shell and a mark of UTF-8 are of files: load takes no text that begins with them.
print(load("#!/bin/sh\nreturn 1", "=f"))
print(load("\xEF\xBB\xBFreturn 1", "=f"))
print(load("# = 1", "=f"))
-- What a text is called is its beginning, shortened where it would be 60 bytes.
for n = 42, 48 do
  local _, message = load(string.rep("x", n))
  print(n, (message:gsub("%]:.*", "]")))
end
