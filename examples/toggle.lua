-- Turns a feature on where it is off.
local unleash = require("assay.unleash")
local c = unleash.client()

local feature = c:feature("default", "checkout")
for _, e in ipairs(feature.environments) do
  if e.enabled then
    print(e.name .. " is on")
  else
    c:toggle_on("default", feature.name, e.name)
    print(e.name .. " turned on")
  end
end
