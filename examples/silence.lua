-- Silences an alert for two hours if it is firing: assay silence.lua DiskFull
local alertmanager = require("assay.alertmanager")
local name = ... or "DiskFull"

if not alertmanager.is_firing(nil, name) then
  return name .. " is not firing"
end
local id = alertmanager.silence_alert(nil, name, 2, { comment = "disk is being replaced" })
log.info("silenced " .. name)
return { alert = name, silence = id, still_firing = alertmanager.is_firing(nil, name) }
