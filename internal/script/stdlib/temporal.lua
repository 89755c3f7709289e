--- @module assay.temporal
--- @description Temporal workflows. List, describe, signal, cancel, terminate and wait for workflows; schedules, task queues.
--- @keywords temporal, workflows, workflow, orchestration, signal, cancel, terminate, schedules, task-queue, history, durable-execution
--- @synonyms process, processes, run, running, start, stuck, hang, long-running, durable, execution, retry, saga, task, worker, event, activity, job
--- @asked is a workflow still running; signal or cancel a workflow; why did a workflow fail; list schedules
--- @env TEMPORAL_URL, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY
--- @auth { api_key = "..." }
--- @quickref c:health() -> bool | Is the server healthy
--- @quickref c:system_info() -> info | Get the version and capabilities of the server
--- @quickref c:namespaces() -> {namespaces} | List namespaces
--- @quickref c:namespace(name) -> namespace | Get a namespace
--- @quickref c:workflows(opts) -> {executions} | List workflows; opts: query, page_size, namespace
--- @quickref c:workflow(workflow_id, run_id, opts) -> workflow | Get a workflow
--- @quickref c:workflow_history(workflow_id, run_id, opts) -> {events} | Get the events of a workflow; opts: maximum_page_size, namespace
--- @quickref c:signal_workflow(workflow_id, signal_name, input, opts) -> result | Send a signal to a workflow; opts: run_id, namespace
--- @quickref c:terminate_workflow(workflow_id, reason, opts) -> result | Terminate a workflow at once; opts: run_id, namespace
--- @quickref c:cancel_workflow(workflow_id, opts) -> result | Ask a workflow to cancel; opts: run_id, namespace
--- @quickref c:task_queue(name, opts) -> queue | Get a task queue and its workers; opts: task_queue_type, namespace
--- @quickref c:schedules(opts) -> {schedules} | List schedules; opts: maximum_page_size, namespace
--- @quickref c:schedule(schedule_id, opts) -> schedule | Get a schedule
--- @quickref c:search(query, opts) -> {executions} | Find workflows by a visibility query; opts: page_size, namespace
--- @quickref c:is_workflow_running(workflow_id, opts) -> bool | Is a workflow running
--- @quickref c:wait_workflow_complete(workflow_id, timeout_secs, opts) -> workflow | Wait until a workflow is no longer running

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("temporal", function(client)
  return { Authorization = rest.authorization(client.api_key) }
end)
local get, path = api.get, api.path

local RUNNING = "WORKFLOW_EXECUTION_STATUS_RUNNING"

-- within is a path in the namespace of the call or else of the client.
local function within(client, opts, pattern, ...)
  return path("/api/v1/namespaces/{}/" .. pattern, (opts or {}).namespace or client.default_namespace, ...)
end

local function status(workflow)
  return ((workflow or {}).workflowExecutionInfo or {}).status
end

function M.client(url, opts)
  opts = opts or {}
  return setmetatable({
    url = rest.base("temporal.client", url or env.get("TEMPORAL_URL"), "TEMPORAL_URL"),
    default_namespace = opts.namespace or env.get("TEMPORAL_NAMESPACE") or "default",
    api_key = opts.api_key or env.get("TEMPORAL_API_KEY"),
  }, c)
end

-- The HTTP API has no path for its health: it is there if it answers. A proxy before it may
-- have /health.
function c:health()
  return api.send(self, "GET", "/api/v1/system-info").status == 200 or api.send(self, "GET", "/health").status == 200
end

function c:system_info()
  return get(self, "/api/v1/system-info")
end

function c:namespaces()
  return get(self, "/api/v1/namespaces")
end

function c:namespace(name)
  return get(self, path("/api/v1/namespaces/{}", name))
end

function c:workflows(opts)
  opts = rest.options("temporal.workflows", opts, "query page_size namespace")
  return get(self, within(self, opts, "workflows") .. query("query", opts.query, "pageSize", opts.page_size))
end

function c:workflow(workflow_id, run_id, opts)
  opts = rest.options("temporal.workflow", opts, "namespace")
  return get(self, within(self, opts, "workflows/{}", workflow_id) .. query("execution.runId", run_id))
end

function c:workflow_history(workflow_id, run_id, opts)
  opts = rest.options("temporal.workflow_history", opts, "maximum_page_size namespace")
  return get(self, within(self, opts, "workflows/{}/history", workflow_id)
    .. query("execution.runId", run_id, "maximumPageSize", opts.maximum_page_size))
end

-- change asks something of a workflow. Its run is named in the body: such a request has no
-- parameters beside its path.
local function change(client, opts, pattern, workflow_id, name, body)
  body.workflowExecution = (opts or {}).run_id and { runId = opts.run_id }
  return api.call(client, "POST", within(client, opts, "workflows/{}/" .. pattern, workflow_id, name), body)
end

-- Payloads are a list of values; one value is a list of one.
function c:signal_workflow(workflow_id, signal_name, input, opts)
  opts = rest.options("temporal.signal_workflow", opts, "run_id namespace")
  local list = input
  if type(input) ~= "nil" and (type(input) ~= "table" or input[1] == nil and not input.payloads) then
    list = { input }
  end
  return change(self, opts, "signal/{}", workflow_id, signal_name, { input = list })
end

function c:terminate_workflow(workflow_id, reason, opts)
  opts = rest.options("temporal.terminate_workflow", opts, "run_id namespace")
  return change(self, opts, "terminate", workflow_id, nil, { reason = reason })
end

function c:cancel_workflow(workflow_id, opts)
  opts = rest.options("temporal.cancel_workflow", opts, "run_id namespace")
  return change(self, opts, "cancel", workflow_id, nil, {})
end

function c:task_queue(name, opts)
  opts = rest.options("temporal.task_queue", opts, "task_queue_type namespace")
  return get(self, within(self, opts, "task-queues/{}", name) .. query("taskQueueType", opts.task_queue_type))
end

function c:schedules(opts)
  opts = rest.options("temporal.schedules", opts, "maximum_page_size namespace")
  return get(self, within(self, opts, "schedules") .. query("maximumPageSize", opts.maximum_page_size))
end

function c:schedule(schedule_id, opts)
  opts = rest.options("temporal.schedule", opts, "namespace")
  return get(self, within(self, opts, "schedules/{}", schedule_id))
end

function c:search(query, opts)
  opts = rest.options("temporal.search", opts, "page_size namespace")
  return self:workflows({ query = query, page_size = opts.page_size, namespace = opts.namespace })
end

function c:is_workflow_running(workflow_id, opts)
  opts = rest.options("temporal.is_workflow_running", opts, "namespace")
  return status(self:workflow(workflow_id, nil, opts)) == RUNNING
end

function c:wait_workflow_complete(workflow_id, timeout_secs, opts)
  opts = rest.options("temporal.wait_workflow_complete", opts, "namespace")
  local done = rest.poll(timeout_secs or 300, 5, function()
    local workflow = self:workflow(workflow_id, nil, opts)
    return status(workflow) ~= RUNNING and workflow
  end)
  return done or error("temporal: timeout waiting for workflow " .. workflow_id .. " to complete", 0)
end

return rest.module("temporal", M, "url string", "opts table: namespace api_key")
