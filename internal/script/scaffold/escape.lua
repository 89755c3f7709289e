
local function escape(v)
  return (tostring(v):gsub("[^A-Za-z0-9%-._~]", function(byte) return string.format("%%%02X", byte:byte()) end))
end
