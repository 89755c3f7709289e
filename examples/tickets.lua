-- Uses modules/tickets.lua, which was begun with
--   assay modules new tickets --openapi openapi/tickets.yaml
local tickets = require("tickets")
local c = tickets.client()

for _, t in ipairs(c:list_tickets({ state = "open" })) do
  print("#" .. t.id, t.title)
end
print("#" .. c:create_ticket({ title = "Buy a new printer" }).id, "made")
