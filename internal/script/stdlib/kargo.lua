--- @module assay.kargo
--- @description Kargo promotion pipelines on Kubernetes. Stages, freight, promotions, warehouses, projects, pipelines.
--- @keywords kargo, promotion, promote, pipeline, stages, freight, warehouses, gitops, release, continuous-delivery, kubernetes
--- @synonyms environment, environments, staging, production, version, approve, approval, build, rollout, deliver, next, move
--- @asked promote a version to the next stage; which freight is in production; approve a promotion
--- @env KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT
--- @auth { token = "..." }
--- @quickref c:stages(namespace) -> [stage] | List stages
--- @quickref c:stage(namespace, name) -> stage | Get a stage
--- @quickref c:stage_status(namespace, name) -> {phase, current_freight_id, health, conditions} | Get the status of a stage
--- @quickref c:is_stage_healthy(namespace, name) -> bool | Is a stage healthy
--- @quickref c:wait_stage_healthy(namespace, name, timeout_secs) -> true | Wait until a stage is healthy (60 s)
--- @quickref c:freight_list(namespace, opts) -> [freight] | List freight; opts: stage, warehouse
--- @quickref c:freight(namespace, name) -> freight | Get a piece of freight
--- @quickref c:freight_status(namespace, name) -> status | Get the status of a piece of freight
--- @quickref c:promotions(namespace, opts) -> [promotion] | List promotions; opts: stage
--- @quickref c:promotion(namespace, name) -> promotion | Get a promotion
--- @quickref c:promotion_status(namespace, name) -> {phase, message, freight_id} | Get the status of a promotion
--- @quickref c:promote(namespace, stage, freight) -> promotion | Promote freight to a stage
--- @quickref c:warehouses(namespace) -> [warehouse] | List warehouses
--- @quickref c:warehouse(namespace, name) -> warehouse | Get a warehouse
--- @quickref c:projects() -> [project] | List projects
--- @quickref c:project(name) -> project | Get a project
--- @quickref c:pipeline_status(namespace) -> [{name, phase, freight, healthy}] | Get the state of every stage

local rest = require("assay._rest")
local kube = require("assay._kube")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = kube.api("kargo")
local get, path = api.get, api.path

local ROOT = "/apis/kargo.akuity.io/v1alpha1"

local function items(client, where)
  return (get(client, where) or {}).items or {}
end

local function current_freight(stage)
  local status = kube.status(stage)
  return (status.currentFreight or {}).name or status.currentFreightId
end

local function healthy(stage)
  return kube.status(stage).phase == "Steady" or kube.holds(stage, "Healthy")
end

-- labels is a label selector: a query has one, whose terms are joined by commas.
local function labels(opts)
  local terms = {}
  for _, label in ipairs({ "stage", "warehouse" }) do
    if opts[label] then
      terms[#terms + 1] = "kargo.akuity.io/" .. label .. "=" .. opts[label]
    end
  end
  return query("labelSelector", terms[1] and table.concat(terms, ","))
end

function M.client(url, token)
  return kube.client("kargo", c, url, token, env.get("KUBERNETES_SERVICE_HOST"), env.get("KUBERNETES_SERVICE_PORT"))
end

function c:stages(namespace)
  return items(self, path(ROOT .. "/namespaces/{}/stages", namespace))
end

function c:stage(namespace, name)
  return get(self, path(ROOT .. "/namespaces/{}/stages/{}", namespace, name))
end

function c:stage_status(namespace, name)
  local stage = self:stage(namespace, name)
  local status = kube.status(stage)
  return {
    phase = status.phase,
    current_freight_id = current_freight(stage),
    health = status.health,
    conditions = kube.conditions(stage),
  }
end

function c:is_stage_healthy(namespace, name)
  return healthy(self:stage(namespace, name))
end

function c:wait_stage_healthy(namespace, name, timeout_secs)
  local timeout = timeout_secs or 60
  local ready = rest.poll(timeout, 5, function()
    local ok, is_healthy = pcall(self.is_stage_healthy, self, namespace, name)
    return ok and is_healthy
  end)
  return ready or error("kargo: stage " .. namespace .. "/" .. name .. " not healthy after " .. rest.text(timeout) .. "s", 0)
end

function c:freight_list(namespace, opts)
  opts = rest.options("kargo.freight_list", opts, "stage warehouse")
  return items(self, path(ROOT .. "/namespaces/{}/freight", namespace) .. labels(opts))
end

function c:freight(namespace, name)
  return get(self, path(ROOT .. "/namespaces/{}/freight/{}", namespace, name))
end

function c:freight_status(namespace, name)
  return kube.status(self:freight(namespace, name))
end

function c:promotions(namespace, opts)
  opts = rest.options("kargo.promotions", opts, "stage")
  return items(self, path(ROOT .. "/namespaces/{}/promotions", namespace) .. labels({ stage = opts.stage }))
end

function c:promotion(namespace, name)
  return get(self, path(ROOT .. "/namespaces/{}/promotions/{}", namespace, name))
end

function c:promotion_status(namespace, name)
  local promotion = self:promotion(namespace, name)
  local status = kube.status(promotion)
  local freight = (status.freight or {}).name or status.freightId or (promotion.spec or {}).freight
  return { phase = status.phase, message = status.message, freight_id = freight }
end

function c:promote(namespace, stage, freight)
  return api.call(self, "POST", path(ROOT .. "/namespaces/{}/promotions", namespace), {
    apiVersion = "kargo.akuity.io/v1alpha1",
    kind = "Promotion",
    metadata = { generateName = stage .. "-", namespace = namespace },
    spec = { stage = stage, freight = freight },
  }, "2..")
end

function c:warehouses(namespace)
  return items(self, path(ROOT .. "/namespaces/{}/warehouses", namespace))
end

function c:warehouse(namespace, name)
  return get(self, path(ROOT .. "/namespaces/{}/warehouses/{}", namespace, name))
end

function c:projects()
  return items(self, ROOT .. "/projects")
end

function c:project(name)
  return get(self, path(ROOT .. "/projects/{}", name))
end

function c:pipeline_status(namespace)
  local pipeline = {}
  for i, stage in ipairs(self:stages(namespace)) do
    pipeline[i] = {
      name = stage.metadata.name,
      phase = kube.status(stage).phase,
      freight = current_freight(stage),
      healthy = healthy(stage),
    }
  end
  return pipeline
end

return rest.module("kargo", M, "url string", "token string or table: token")
