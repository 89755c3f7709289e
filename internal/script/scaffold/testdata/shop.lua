--- @module assay.shop
--- @description shop: Orders, items and customers of a shop. to Sold or shipped
--- @keywords shop, orders
--- @env SHOP_URL, SHOP_TOKEN, SHOP_API_KEY, SHOP_USERNAME, SHOP_PASSWORD
--- @auth { token = "..." } or { api_key = "..." } or { username = "...", password = "..." }
--- @quickref c:list_orders(opts) -> [order] | List orders; opts: status, page_size, limit, x_tenant
--- @quickref c:create_order(body, opts) -> receipt | Create an order; opts: x_tenant
--- @quickref c:upload(order_id, id, body) -> string | PUT /orders/{order-id}/items/{id}.csv
--- @quickref c:get_orders_order_id(order_id) -> result | One order, with "all" its items
--- @quickref c:end_(order_id) -> nil | DELETE /orders/{orderId}

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

local function call(client, verb, path, body, headers)
  headers = headers or {}
  if client.username then headers["Authorization"] = "Basic " .. base64.encode(client.username .. ":" .. (client.password or "")) end
  if client.token then headers["Authorization"] = "Bearer " .. client.token end
  if client.api_key then headers["X-Api-Key"] = client.api_key end
  local r
  if verb == "get" or verb == "delete" then
    r = http[verb](client.url .. path, { headers = headers })
  else
    r = http[verb](client.url .. path, body, { headers = headers })
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

function c:list_orders(opts)
  opts = opts or {}
  return call(self, "get", "/orders" .. query("status", opts.status, "page[size]", opts.page_size, "limit", opts.limit), nil, { ["X-Tenant"] = opts.x_tenant })
end

function c:create_order(body, opts)
  opts = opts or {}
  return call(self, "post", "/orders", body, { ["X-Tenant"] = opts.x_tenant })
end

function c:upload(order_id, id, body)
  return call(self, "put", "/orders/" .. escape(order_id) .. "/items/" .. escape(id) .. ".csv", body, { ["Content-Type"] = "text/csv" })
end

function c:get_orders_order_id(order_id)
  return call(self, "get", "/orders/" .. escape(order_id))
end

function c:end_(order_id)
  return call(self, "delete", "/orders/" .. escape(order_id))
end

return M
