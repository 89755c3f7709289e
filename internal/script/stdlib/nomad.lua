--- @module assay.nomad
--- @description Nomad workloads. Jobs, allocations and their logs, deployments, scale, dispatch, stop, nodes and drain.
--- @keywords nomad, jobs, job, scheduler, allocations, allocation, deployment, rollout, dispatch, scale, nodes, drain, logs, hashicorp, orchestration
--- @synonyms task, tasks, batch, run, running, restart, stop, workload, container, leader, group, parameters, queue, where
--- @asked run or stop a job; scale a task group; logs of an allocation; drain a node
--- @env NOMAD_ADDR, NOMAD_TOKEN, NOMAD_NAMESPACE
--- @auth { token = "...", namespace = "..." }
--- @quickref c:leader() -> string | Get the address of the leader
--- @quickref c:jobs(opts) -> [job] | List jobs; opts: prefix, namespace
--- @quickref c:job(id, opts) -> job or nil | Get a job; opts: namespace
--- @quickref c:register(job) -> {EvalID} | Register or update a job, as JSON of a job
--- @quickref c:parse(hcl) -> job | Turn the text of a job file into a job
--- @quickref c:stop(id, opts) -> {EvalID} | Stop a job; opts: purge, namespace
--- @quickref c:scale(id, group, count, opts) -> {EvalID} | Set the count of a task group; opts: message, namespace
--- @quickref c:dispatch(id, meta, payload) -> {DispatchedJobID} | Start an instance of a parameterized job
--- @quickref c:job_allocations(id, opts) -> [allocation] | List allocations of a job; opts: namespace
--- @quickref c:job_deployment(id, opts) -> deployment or nil | Get the latest deployment of a job; opts: namespace
--- @quickref c:allocation(id) -> allocation or nil | Get an allocation
--- @quickref c:logs(allocation_id, task, opts) -> string | Get the log of a task; opts: kind ("stderr"), offset, origin
--- @quickref c:nodes() -> [node] | List nodes
--- @quickref c:drain(node_id, deadline_secs) -> {EvalIDs} | Move all work off a node

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("nomad", function(client)
  return { ["X-Nomad-Token"] = client.token }
end)
local get, find, path = api.get, api.find, api.path

local function space(client, opts, ...)
  return query("namespace", (opts or {}).namespace or client.namespace, ...)
end

function M.client(url, opts)
  opts = opts or { token = env.get("NOMAD_TOKEN"), namespace = env.get("NOMAD_NAMESPACE") }
  return setmetatable({
    url = rest.base("nomad.client", url or env.get("NOMAD_ADDR") or "http://127.0.0.1:4646"),
    token = opts.token,
    namespace = opts.namespace,
  }, c)
end

function c:leader()
  return get(self, "/v1/status/leader")
end

function c:jobs(opts)
  opts = rest.options("nomad.jobs", opts, "prefix namespace")
  return get(self, "/v1/jobs" .. space(self, opts, "prefix", opts.prefix))
end

function c:job(id, opts)
  opts = rest.options("nomad.job", opts, "namespace")
  return find(self, path("/v1/job/{}", id) .. space(self, opts))
end

function c:register(job)
  return api.call(self, "POST", "/v1/jobs" .. space(self), { Job = job })
end

function c:parse(hcl)
  return api.call(self, "POST", "/v1/jobs/parse", { JobHCL = hcl, Canonicalize = true })
end

function c:stop(id, opts)
  opts = rest.options("nomad.stop", opts, "purge namespace")
  return api.call(self, "DELETE", path("/v1/job/{}", id) .. space(self, opts, "purge", opts.purge or nil))
end

function c:scale(id, group, count, opts)
  opts = rest.options("nomad.scale", opts, "message namespace")
  return api.call(self, "POST", path("/v1/job/{}/scale", id) .. space(self, opts),
    { Target = { Group = group }, Count = count, Message = opts.message })
end

function c:dispatch(id, meta, payload)
  return api.call(self, "POST", path("/v1/job/{}/dispatch", id) .. space(self), { Meta = meta, Payload = payload and base64.encode(payload) })
end

function c:job_allocations(id, opts)
  opts = rest.options("nomad.job_allocations", opts, "namespace")
  return get(self, path("/v1/job/{}/allocations", id) .. space(self, opts))
end

function c:job_deployment(id, opts)
  opts = rest.options("nomad.job_deployment", opts, "namespace")
  return find(self, path("/v1/job/{}/deployment", id) .. space(self, opts))
end

function c:allocation(id)
  return find(self, path("/v1/allocation/{}", id))
end

function c:logs(allocation_id, task, opts)
  opts = rest.options("nomad.logs", opts, "kind offset origin")
  local where = path("/v1/client/fs/logs/{}", allocation_id) .. query("task", rest.need(task, "nomad: task is required"),
    "type", opts.kind or "stdout", "plain", true, "offset", opts.offset, "origin", opts.origin)
  return rest.check(api.send(self, "GET", where), "200", "nomad: GET " .. where).body
end

function c:nodes()
  return get(self, "/v1/nodes")
end

function c:drain(node_id, deadline_secs)
  local spec = { Deadline = (deadline_secs or 3600) * 1000000000, IgnoreSystemJobs = false }
  return api.call(self, "POST", path("/v1/node/{}/drain", node_id), { DrainSpec = spec })
end

return rest.module("nomad", M, "url string", "opts table: token namespace")
