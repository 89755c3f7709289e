--- @module assay.shop
--- @description shop: Orders, items and customers of a shop. to Sold or shipped
--- @keywords shop, orders
--- @env SHOP_URL, SHOP_TOKEN, SHOP_API_KEY, SHOP_USERNAME, SHOP_PASSWORD
--- @auth { token = "..." } or { api_key = "..." } or { username = "...", password = "..." }
--- @quickref c:list_orders(opts) -> [order] | List orders; opts: status, page, page_size, limit, x_tenant
--- @quickref c:each_list_orders(opts) -> iterator | Items of list_orders, part after part
--- @quickref c:create_order(body, opts) -> receipt | Create an order; opts: x_tenant
--- @quickref c:get_orders_order_id(order_id) -> result | One order, with "all" its items
--- @quickref c:end_(order_id) -> nil | DELETE /orders/{orderId}
--- @quickref c:upload(order_id, id, body) -> string | PUT /orders/{order-id}/items/{id}.csv

local M = {}
local c = {}
c.__index = c

local function escape(v)
  return (tostring(v):gsub("[^A-Za-z0-9%-._~]", function(byte) return string.format("%%%02X", byte:byte()) end))
end

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

-- need refuses a call that lacks something, before anything is sent.
local function need(fn, name, v, kind)
  if v == nil or kind == "element" and (v == "" or v == "." or v == "..") then
    error("shop." .. fn .. ": " .. name .. " is required", 0)
  end
  if kind == "table" and type(v) ~= "table" then
    error("shop." .. fn .. ": " .. name .. " must be a table, not " .. type(v), 0)
  end
end

-- pages yields the items of a listing that comes in parts. more changes the options to
-- those of the next part, and says whether there is one.
local function pages(opts, fetch, items, more)
  local o, list, i, on = {}, {}, 0, true
  for k, v in pairs(opts or {}) do o[k] = v end
  return function()
    while i >= #list do
      if not on then return nil end
      local answer = fetch(o)
      list, i = items(answer) or {}, 0
      on = more(o, answer, #list)
    end
    i = i + 1
    return list[i]
  end
end

local function call(client, verb, path, body, headers, as)
  headers = headers or {}
  if client.username then headers["Authorization"] = "Basic " .. base64.encode(client.username .. ":" .. (client.password or "")) end
  if client.token then headers["Authorization"] = "Bearer " .. client.token end
  if client.api_key then headers["X-Api-Key"] = client.api_key end
  local r, opts = nil, { headers = headers }
  if as and body then opts[as], body = body, nil end
  if verb == "get" or verb == "delete" then
    r = http[verb](client.url .. path, opts)
  else
    r = http[verb](client.url .. path, body, opts)
  end
  if r.status < 200 or r.status > 299 then
    error("shop: " .. verb:upper() .. " " .. path .. " HTTP " .. r.status .. ": " .. r.body, 0)
  end
  if r.body == "" then return nil end
  local ok, value = pcall(json.parse, r.body)
  if ok then return value end
  return r.body
end

-- What is not given comes from the environment.
function M.client(url, opts)
  opts = opts or { token = env.get("SHOP_TOKEN"), api_key = env.get("SHOP_API_KEY"), username = env.get("SHOP_USERNAME"), password = env.get("SHOP_PASSWORD") }
  url = url or env.get("SHOP_URL") or "https://api.example.com/v1"
  if not url then error("shop.client: url is required", 2) end
  return setmetatable({ url = (url:gsub("/+$", "")), token = opts.token, api_key = opts.api_key, username = opts.username, password = opts.password }, c)
end

--- List orders.
-- @param opts.status
-- @param opts.page
-- @param opts.page_size
-- @param opts.limit
-- @param opts.x_tenant
-- @return [order]
function c:list_orders(opts)
  opts = opts or {}
  return call(self, "get", "/orders" .. query("status", opts.status, "page", opts.page, "page[size]", opts.page_size, "limit", opts.limit), nil, { ["X-Tenant"] = opts.x_tenant })
end

--- Items of list_orders, part after part.
-- @return an iterator: for item in c:each_list_orders(opts) do ... end
function c:each_list_orders(opts)
  return pages(opts, function(o) return self:list_orders(o) end, function(answer) return answer end, function(o, answer, n)
    o.page = (tonumber(o.page) or 1) + 1
    return n > 0
  end)
end

--- Create an order.
-- @param body a table, sent as JSON
-- @param opts.x_tenant
-- @return receipt
function c:create_order(body, opts)
  opts = opts or {}
  return call(self, "post", "/orders", body, { ["X-Tenant"] = opts.x_tenant })
end

--- One order, with "all" its items.
-- @param order_id of the path
-- @return result
function c:get_orders_order_id(order_id)
  need("get_orders_order_id", "order_id", order_id, "element")
  return call(self, "get", "/orders/" .. escape(order_id))
end

--- DELETE /orders/{orderId}.
-- @param order_id of the path
-- @return nil
function c:end_(order_id)
  need("end_", "order_id", order_id, "element")
  return call(self, "delete", "/orders/" .. escape(order_id))
end

--- PUT /orders/{order-id}/items/{id}.csv.
-- @param order_id of the path
-- @param id of the path
-- @param body a string, sent as text/csv
-- @return string
function c:upload(order_id, id, body)
  need("upload", "order_id", order_id, "element")
  need("upload", "id", id, "element")
  return call(self, "put", "/orders/" .. escape(order_id) .. "/items/" .. escape(id) .. ".csv", body, { ["Content-Type"] = "text/csv" })
end

return M
