-- Renders the replies of several addresses and their times.
local healthcheck = require("assay.healthcheck")
local mock = env.get("MOCK")

local report = healthcheck.multi({
  { name = "health", check = function() return healthcheck.json_path(mock .. "/shop/health", "status", "up") end },
  { name = "slow", check = function() return healthcheck.endpoint(mock .. "/shop/slow", { max_latency_ms = 30000 }) end },
  { name = "absent", check = function() return healthcheck.status_code(mock .. "/shop/absent", 404) end },
})

return template.render_string([[
{% for r in results %}{{ r.name }}: {% if r.ok %}ok{% else %}{{ r.error }}{% endif %}
{% endfor %}{{ passed }} of {{ total }}]], report)
