-- Is the deployment healthy? Asks Kubernetes and Prometheus at the same time.
local k8s = require("assay.k8s")
local prometheus = require("assay.prometheus")
local opts = { base_url = env.get("K8S_URL"), token = env.get("K8S_TOKEN") }

local ready = async.spawn(function() return k8s.is_ready("shop", "deployment", "web", opts) end)
local up = async.spawn(function() return prometheus.query(nil, "sum(up)") end)

local result = { ready = ready.await()[1], up = up.await()[1] }
assert.eq(result.ready, true, "the deployment")
assert.gt(result.up, 2, "instances")
return result
