--- @module assay.k8s
--- @description Kubernetes API. Pods, deployments, secrets, config maps, events, logs, nodes, rollouts, readiness, CRDs.
--- @keywords k8s, kubernetes, pods, deployments, deployment, services, secrets, configmap, events, logs, nodes, rollout, readiness, cluster, container
--- @synonyms crash, crashing, crashloop, restart, restarts, kill, memory, cpu, resources, capacity, namespace, namespaces, replicas, scale, rolled-out, deploy, manifest, apply, service, ingress, volume, jobs, image, describe, kubectl, machines, printed, why
--- @asked restart or scale a deployment; why does a pod crash; show the logs of a container; which nodes are not ready; read a config map or secret of a namespace
--- @env KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT
--- @auth { token = "..." } or { base_url = "...", token = "..." }
--- @quickref M.register_crd(kind, api_group, version, plural, cluster_scoped) -> nil | Make a custom kind known
--- @quickref M.get(path, opts) -> resource | Get a path of the API
--- @quickref M.post(path, body, opts) -> resource | Post to a path of the API
--- @quickref M.put(path, body, opts) -> resource | Put to a path of the API
--- @quickref M.patch(path, body, opts) -> resource | Patch a path of the API; opts: content_type
--- @quickref M.delete(path, opts) -> nil | Delete a path of the API
--- @quickref M.get_resource(namespace, kind, name, opts) -> resource | Get a resource
--- @quickref M.list(namespace, kind, opts) -> {items} | List resources, of all namespaces if nil; opts: label_selector, field_selector, limit, continue
--- @quickref M.create(namespace, kind, body, opts) -> resource | Create a resource
--- @quickref M.update(namespace, kind, name, body, opts) -> resource | Replace a resource
--- @quickref M.patch_resource(namespace, kind, name, body, opts) -> resource | Patch a resource; opts: content_type
--- @quickref M.delete_resource(namespace, kind, name, opts) -> nil | Delete a resource
--- @quickref M.exists(namespace, kind, name, opts) -> bool | Does a resource exist
--- @quickref M.get_secret(namespace, name, opts) -> {key = value} | Get the decoded data of a secret
--- @quickref M.get_configmap(namespace, name, opts) -> {key = value} | Get the data of a config map
--- @quickref M.list_pods(namespace, opts) -> {items} | List pods; opts: label_selector, field_selector, limit, continue
--- @quickref M.list_events(namespace, opts) -> {items} | List events; opts: label_selector, field_selector, limit, continue
--- @quickref M.pod_status(namespace, opts) -> {running, pending, succeeded, failed, unknown, total} | Count pods by phase
--- @quickref M.is_ready(namespace, kind, name, opts) -> bool | Is a deployment, stateful set, job, pod or node ready
--- @quickref M.wait_ready(namespace, kind, name, timeout_secs, opts) -> true | Wait until a resource is ready (60 s)
--- @quickref M.service_endpoints(namespace, name, opts) -> [ip] | List the addresses behind a service
--- @quickref M.logs(namespace, pod_name, opts) -> string | Get the log of a pod; opts: container, tail, since, previous
--- @quickref M.rollout_status(namespace, name, opts) -> {desired, updated, ready, available, unavailable, complete} | Get how far the rollout of a deployment is
--- @quickref M.node_status(opts) -> [{name, ready, roles, capacity, allocatable}] | List nodes with their state
--- @quickref M.namespace_exists(name, opts) -> bool | Does a namespace exist
--- @quickref M.events_for(namespace, kind, name, opts) -> {items} | List the events of a resource; kind as Kubernetes spells it, e.g. Pod

-- Every function takes opts last: base_url and token in place of the pod's own.

local rest = require("assay._rest")
local kube = require("assay._kube")
local path_of, query = rest.api("k8s").path, rest.query

local M = {}

local kinds = {}

local function define(api, cluster_scoped, plurals)
  for kind, plural in pairs(plurals) do
    kinds[kind] = { api = api, plural = plural, cluster_scoped = cluster_scoped }
  end
end

define("/api/v1", false, {
  pod = "pods",
  service = "services",
  secret = "secrets",
  configmap = "configmaps",
  endpoints = "endpoints",
  serviceaccount = "serviceaccounts",
  persistentvolumeclaim = "persistentvolumeclaims",
  pvc = "persistentvolumeclaims",
  limitrange = "limitranges",
  resourcequota = "resourcequotas",
  event = "events",
})
define("/api/v1", true, {
  namespace = "namespaces",
  node = "nodes",
  persistentvolume = "persistentvolumes",
  pv = "persistentvolumes",
})
define("/apis/apps/v1", false, {
  deployment = "deployments",
  statefulset = "statefulsets",
  daemonset = "daemonsets",
  replicaset = "replicasets",
})
define("/apis/batch/v1", false, { job = "jobs", cronjob = "cronjobs" })
define("/apis/networking.k8s.io/v1", false, { ingress = "ingresses", networkpolicy = "networkpolicies" })
define("/apis/networking.k8s.io/v1", true, { ingressclass = "ingressclasses" })
define("/apis/storage.k8s.io/v1", true, { storageclass = "storageclasses" })
define("/apis/rbac.authorization.k8s.io/v1", false, { role = "roles", rolebinding = "rolebindings" })
define("/apis/rbac.authorization.k8s.io/v1", true, {
  clusterrole = "clusterroles",
  clusterrolebinding = "clusterrolebindings",
})
define("/apis/autoscaling/v2", false, { hpa = "horizontalpodautoscalers" })
define("/apis/policy/v1", false, { poddisruptionbudget = "poddisruptionbudgets", pdb = "poddisruptionbudgets" })

-- The options of all functions, and of those that list.
local COMMON = "base_url token"
local LISTING = COMMON .. " label_selector field_selector limit continue"

local function send(verb, path, body, opts, headers)
  opts, headers = opts or {}, headers or {}
  local base
  if opts.base_url then
    base = rest.base("k8s", opts.base_url)
  else
    base = kube.server("k8s", env.get("KUBERNETES_SERVICE_HOST"), env.get("KUBERNETES_SERVICE_PORT"))
  end
  headers.Authorization = rest.authorization(opts.token or kube.account_token())
  return rest.request(verb, base .. path, headers, body, kube.transport())
end

-- answered sends a request and returns the response if its status matches ok.
local function answered(verb, path, ok, body, opts, headers)
  if path:sub(1, 1) ~= "/" then
    path = "/" .. path
  end
  local response = send(verb, path, body, opts, headers)
  local status = rest.text(response.status)
  if not status:find("^" .. ok .. "$") then
    error("k8s." .. verb:lower() .. ": HTTP " .. status .. " " .. path .. ": " .. response.body, 0)
  end
  return response
end

local function call(...)
  return rest.parse(answered(...), "k8s:")
end

function M.register_crd(kind, api_group, version, plural, cluster_scoped)
  define("/apis/" .. api_group .. "/" .. version, cluster_scoped or false, { [kind:lower()] = plural })
end

-- _list_path is the path of a namespace's resources of a kind, or, without one, of all.
function M._list_path(namespace, kind)
  local known = kinds[kind:lower()]
    or error("k8s: unknown resource kind '" .. kind .. "'. Use k8s.register_crd() to make it known", 0)
  if known.cluster_scoped or not namespace or namespace == "" then
    return known.api .. "/" .. known.plural
  end
  return path_of(known.api .. "/namespaces/{}/" .. known.plural, namespace)
end

function M._resource_path(namespace, kind, name)
  local list = M._list_path(namespace, kind)
  if not kinds[kind:lower()].cluster_scoped then
    rest.need(namespace, "k8s: the namespace of the " .. kind .. " is required")
  end
  return list .. path_of("/{}", rest.need(name, "k8s: the name of the " .. kind .. " is required"))
end

function M.get(path, opts)
  opts = rest.options("k8s.get", opts, COMMON)
  return call("GET", path, "200", nil, opts)
end

function M.post(path, body, opts)
  opts = rest.options("k8s.post", opts, COMMON)
  return call("POST", path, "2..", body, opts)
end

function M.put(path, body, opts)
  opts = rest.options("k8s.put", opts, COMMON)
  return call("PUT", path, "2..", body, opts)
end

function M.patch(path, body, opts)
  opts = rest.options("k8s.patch", opts, COMMON .. " content_type")
  local kind = opts.content_type or "application/merge-patch+json"
  return call("PATCH", path, "2..", body, opts, { ["Content-Type"] = kind })
end

function M.delete(path, opts)
  opts = rest.options("k8s.delete", opts, COMMON)
  answered("DELETE", path, "2..", nil, opts)
end

function M.get_resource(namespace, kind, name, opts)
  opts = rest.options("k8s.get_resource", opts, COMMON)
  return M.get(M._resource_path(namespace, kind, name), opts)
end

function M.list(namespace, kind, opts)
  opts = rest.options("k8s.list", opts, LISTING)
  return call("GET", M._list_path(namespace, kind) .. query("labelSelector", opts.label_selector,
    "fieldSelector", opts.field_selector, "limit", opts.limit, "continue", opts.continue), "200", nil, opts)
end

function M.create(namespace, kind, body, opts)
  opts = rest.options("k8s.create", opts, COMMON)
  return M.post(M._list_path(namespace, kind), body, opts)
end

function M.update(namespace, kind, name, body, opts)
  opts = rest.options("k8s.update", opts, COMMON)
  return M.put(M._resource_path(namespace, kind, name), body, opts)
end

function M.patch_resource(namespace, kind, name, body, opts)
  opts = rest.options("k8s.patch_resource", opts, COMMON .. " content_type")
  return M.patch(M._resource_path(namespace, kind, name), body, opts)
end

function M.delete_resource(namespace, kind, name, opts)
  opts = rest.options("k8s.delete_resource", opts, COMMON)
  M.delete(M._resource_path(namespace, kind, name), opts)
end

function M.exists(namespace, kind, name, opts)
  opts = rest.options("k8s.exists", opts, COMMON)
  return send("GET", M._resource_path(namespace, kind, name), nil, opts).status == 200
end

function M.get_secret(namespace, name, opts)
  opts = rest.options("k8s.get_secret", opts, COMMON)
  local decoded = {}
  for key, value in pairs(M.get_resource(namespace, "secret", name, opts).data or {}) do
    decoded[key] = value and base64.decode(value) or nil
  end
  return decoded
end

function M.get_configmap(namespace, name, opts)
  opts = rest.options("k8s.get_configmap", opts, COMMON)
  return M.get_resource(namespace, "configmap", name, opts).data or {}
end

function M.list_pods(namespace, opts)
  opts = rest.options("k8s.list_pods", opts, LISTING)
  return M.list(namespace, "pod", opts)
end

function M.list_events(namespace, opts)
  opts = rest.options("k8s.list_events", opts, LISTING)
  return M.list(namespace, "event", opts)
end

function M.pod_status(namespace, opts)
  opts = rest.options("k8s.pod_status", opts, LISTING)
  local counts = { running = 0, pending = 0, succeeded = 0, failed = 0, unknown = 0, total = 0 }
  for _, pod in ipairs(M.list_pods(namespace, opts).items or {}) do
    local phase = (kube.status(pod).phase or "Unknown"):lower()
    phase = phase ~= "total" and counts[phase] and phase or "unknown"
    counts[phase] = counts[phase] + 1
    counts.total = counts.total + 1
  end
  return counts
end

local function replicas_ready(status)
  local wanted = status.replicas or 0
  return wanted > 0 and (status.readyReplicas or 0) >= wanted
end

-- Kinds that tell their readiness by counting.
local counted = {
  deployment = replicas_ready,
  statefulset = replicas_ready,
  daemonset = function(status)
    local wanted = status.desiredNumberScheduled or 0
    return wanted > 0 and (status.numberReady or 0) >= wanted
  end,
  job = function(status)
    return (status.succeeded or 0) >= 1
  end,
}

local ready_phases = { Active = true, Running = true, Bound = true, Ready = true }

function M.is_ready(namespace, kind, name, opts)
  opts = rest.options("k8s.is_ready", opts, COMMON)
  local resource = M.get_resource(namespace, kind, name, opts)
  local status = kube.status(resource)
  local count = counted[kind:lower()]
  if count then
    return count(status)
  elseif kube.condition(resource, "Ready") then
    return kube.holds(resource, "Ready")
  end
  return ready_phases[status.phase] or false
end

function M.wait_ready(namespace, kind, name, timeout_secs, opts)
  opts = rest.options("k8s.wait_ready", opts, COMMON)
  local timeout = timeout_secs or 60
  local ready = rest.poll(timeout, 2, function()
    local ok, is_ready = pcall(M.is_ready, namespace, kind, name, opts)
    return ok and is_ready
  end)
  return ready or error("k8s.wait_ready: " .. kind .. "/" .. name .. " not ready after " .. rest.text(timeout) .. "s", 0)
end

function M.service_endpoints(namespace, name, opts)
  opts = rest.options("k8s.service_endpoints", opts, COMMON)
  local ips = {}
  for _, subset in ipairs(M.get_resource(namespace, "endpoints", name, opts).subsets or {}) do
    for _, address in ipairs(subset.addresses or {}) do
      ips[#ips + 1] = address.ip or nil
    end
  end
  return ips
end

function M.logs(namespace, pod_name, opts)
  opts = rest.options("k8s.logs", opts, COMMON .. " container tail since previous")
  local path = M._resource_path(namespace, "pod", pod_name) .. "/log" .. query("container", opts.container,
    "tailLines", opts.tail, "sinceSeconds", opts.since, "previous", opts.previous or nil)
  return answered("GET", path, "200", nil, opts).body
end

function M.rollout_status(namespace, name, opts)
  opts = rest.options("k8s.rollout_status", opts, COMMON)
  local deployment = M.get_resource(namespace, "deployment", name, opts)
  local status = kube.status(deployment)
  local desired = (deployment.spec or {}).replicas or 0
  local updated, ready = status.updatedReplicas or 0, status.readyReplicas or 0
  return {
    desired = desired,
    updated = updated,
    ready = ready,
    available = status.availableReplicas or 0,
    unavailable = status.unavailableReplicas or 0,
    complete = updated == desired and ready == desired,
  }
end

function M.node_status(opts)
  opts = rest.options("k8s.node_status", opts, COMMON)
  local nodes = {}
  for i, node in ipairs(M.list(nil, "node", opts).items or {}) do
    local roles = {}
    for label, value in pairs(node.metadata.labels or {}) do
      local role = label:match("^node%-role%.kubernetes%.io/(.+)$")
      if role and value then
        roles[#roles + 1] = role
      end
    end
    table.sort(roles)
    nodes[i] = {
      name = node.metadata.name,
      ready = kube.holds(node, "Ready"),
      roles = roles,
      capacity = kube.status(node).capacity,
      allocatable = kube.status(node).allocatable,
    }
  end
  return nodes
end

function M.namespace_exists(name, opts)
  opts = rest.options("k8s.namespace_exists", opts, COMMON)
  return M.exists(nil, "namespace", name, opts)
end

function M.events_for(namespace, kind, name, opts)
  opts = rest.options("k8s.events_for", opts, COMMON)
  local selector = "involvedObject.kind=" .. kind .. ",involvedObject.name=" .. name
  return M.list_events(namespace, { base_url = opts.base_url, token = opts.token, field_selector = selector })
end

return M
