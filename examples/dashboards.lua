#!/usr/bin/env assay
-- Is Grafana up, and which dashboards does it have? Adds an annotation to a graph.
local grafana = require("assay.grafana")
local c = grafana.client()

local health = c:health()
assert.eq(health.database, "ok", "Grafana's database")
print("Grafana " .. health.version)

for _, d in ipairs(c:search({ type = "dash-db" })) do
  print(d.uid, d.title)
end

local made = c:create_annotation({ text = "looked at by an example", tags = { "example" } })
print("annotation " .. made.id)
