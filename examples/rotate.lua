-- Gives a secret a new password, without printing it.
local vault = require("assay.vault")
local c = vault.client()

local secret = c:kv_get("secret", "app").data
secret.password = crypto.random(24)
local written = c:kv_put("secret", "app", secret)
return "version " .. written.version .. " for " .. secret.user
