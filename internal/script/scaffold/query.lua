
-- query("a", 1, "b", nil, "c", { 2, 3 }) is "?a=1&c=2&c=3".
local function query(...)
  local args, out = { ... }, {}
  for i = 1, select("#", ...), 2 do
    local values = args[i + 1]
    if type(values) ~= "table" then values = { values } end
    for _, v in ipairs(values) do out[#out + 1] = escape(args[i]) .. "=" .. escape(v) end
  end
  return out[1] and "?" .. table.concat(out, "&") or ""
end
