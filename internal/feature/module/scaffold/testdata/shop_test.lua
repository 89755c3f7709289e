-- The test of assay.shop, against a mock server:
--   assay mock modules/tests/shop.json --port 8377
--   SHOP_URL=http://127.0.0.1:8377 assay modules/tests/shop.lua
local url = env.get("SHOP_URL")
local c = require("assay.shop").client(url, { token = "secret", api_key = "secret", username = "secret", password = "secret" })
local count

-- asked looks at the last request that the server had.
local function asked(method, path, query)
  local all = json.parse(http.get(url .. "/__requests").body)
  local last = all[#all]
  assert.eq(last.method .. " " .. last.path .. " " .. (last.query or ""), method .. " " .. path .. " " .. query)
end

-- refused wants an error before anything is sent.
local function refused(f, ...)
  local ok, err = pcall(f, ...)
  assert.eq(ok, false)
  assert.contains(tostring(err), " is required")
end

c:list_orders()
asked("GET", "/orders", "")
count = 0
for _ in c:each_list_orders() do count = count + 1 end
assert.eq(count, 1)

c:create_order(json.parse("{\"id\": 1, \"total\": 1}"))
asked("POST", "/orders", "")

c:get_orders_order_id("text")
asked("GET", "/orders/text", "")
refused(c.get_orders_order_id, c)

c:end_("text")
asked("DELETE", "/orders/text", "")
refused(c.end_, c)

c:upload("text", "text", "text")
asked("PUT", "/orders/text/items/text.csv", "")
refused(c.upload, c)

print("all functions ask as they should")
