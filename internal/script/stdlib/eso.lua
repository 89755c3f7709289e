--- @module assay.eso
--- @description External Secrets Operator on Kubernetes. External secrets, secret stores, sync status and readiness.
--- @keywords eso, external-secrets, secrets, secret-store, sync, operator, vault, kubernetes
--- @synonyms external, copy, copied, resync, refresh, broken, synchronise, credentials, password, key-store
--- @asked is an external secret synced; why does a secret not appear in the cluster; which secret stores are ready
--- @env KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT
--- @auth { token = "..." }
--- @quickref c:external_secrets(namespace) -> {items} | List external secrets
--- @quickref c:external_secret(namespace, name) -> es or nil | Get an external secret
--- @quickref c:external_secret_status(namespace, name) -> {ready, status, sync_hash, conditions} | Get the sync status of an external secret
--- @quickref c:is_secret_synced(namespace, name) -> bool | Is an external secret synced
--- @quickref c:wait_secret_synced(namespace, name, timeout_secs) -> true | Wait until an external secret is synced (60 s)
--- @quickref c:secret_stores(namespace) -> {items} | List secret stores
--- @quickref c:secret_store(namespace, name) -> store or nil | Get a secret store
--- @quickref c:secret_store_status(namespace, name) -> {ready, conditions} | Get the status of a secret store
--- @quickref c:is_store_ready(namespace, name) -> bool | Is a secret store ready
--- @quickref c:cluster_secret_stores() -> {items} | List secret stores of the cluster
--- @quickref c:cluster_secret_store(name) -> store or nil | Get a secret store of the cluster
--- @quickref c:is_cluster_store_ready(name) -> bool | Is a secret store of the cluster ready
--- @quickref c:cluster_external_secrets() -> {items} | List external secrets of the cluster
--- @quickref c:cluster_external_secret(name) -> es or nil | Get an external secret of the cluster
--- @quickref c:all_secrets_synced(namespace) -> {synced, failed, total, failed_names} | Count external secrets that are synced
--- @quickref c:all_stores_ready(namespace) -> {ready, not_ready, total, not_ready_names} | Count secret stores that are ready

local rest = require("assay._rest")
local kube = require("assay._kube")

local M = {}
local c = {}
c.__index = c

local api = kube.api("eso")
local find, list, path = api.find, api.list, api.path

local ROOT = "/apis/external-secrets.io/v1beta1"

function M.client(url, token)
  return kube.client("eso", c, url, token, env.get("KUBERNETES_SERVICE_HOST"), env.get("KUBERNETES_SERVICE_PORT"))
end

function c:external_secrets(namespace)
  return list(self, path(ROOT .. "/namespaces/{}/externalsecrets", namespace))
end

function c:external_secret(namespace, name)
  return find(self, path(ROOT .. "/namespaces/{}/externalsecrets/{}", namespace, name))
end

function c:external_secret_status(namespace, name)
  local secret = self:external_secret(namespace, name)
    or error("eso: ExternalSecret " .. namespace .. "/" .. name .. " not found", 0)
  local ready = kube.condition(secret, "Ready") or {}
  return {
    ready = ready.status == "True",
    status = ready.reason or "Unknown",
    sync_hash = kube.status(secret).syncedResourceVersion or "",
    conditions = kube.conditions(secret),
  }
end

function c:is_secret_synced(namespace, name)
  return kube.holds(self:external_secret(namespace, name), "Ready")
end

function c:wait_secret_synced(namespace, name, timeout_secs)
  local timeout = timeout_secs or 60
  local synced = rest.poll(timeout, 5, function()
    return self:is_secret_synced(namespace, name)
  end)
  return synced
    or error("eso: ExternalSecret " .. namespace .. "/" .. name .. " not synced after " .. rest.text(timeout) .. "s", 0)
end

function c:secret_stores(namespace)
  return list(self, path(ROOT .. "/namespaces/{}/secretstores", namespace))
end

function c:secret_store(namespace, name)
  return find(self, path(ROOT .. "/namespaces/{}/secretstores/{}", namespace, name))
end

function c:secret_store_status(namespace, name)
  local store = self:secret_store(namespace, name) or error("eso: SecretStore " .. namespace .. "/" .. name .. " not found", 0)
  return { ready = kube.holds(store, "Ready"), conditions = kube.conditions(store) }
end

function c:is_store_ready(namespace, name)
  return kube.holds(self:secret_store(namespace, name), "Ready")
end

function c:cluster_secret_stores()
  return list(self, ROOT .. "/clustersecretstores")
end

function c:cluster_secret_store(name)
  return find(self, path(ROOT .. "/clustersecretstores/{}", name))
end

function c:is_cluster_store_ready(name)
  return kube.holds(self:cluster_secret_store(name), "Ready")
end

function c:cluster_external_secrets()
  return list(self, ROOT .. "/clusterexternalsecrets")
end

function c:cluster_external_secret(name)
  return find(self, path(ROOT .. "/clusterexternalsecrets/{}", name))
end

function c:all_secrets_synced(namespace)
  local synced, failed, total, names = kube.tally(function(secret)
    return kube.holds(secret, "Ready")
  end, self:external_secrets(namespace))
  return { synced = synced, failed = failed, total = total, failed_names = names }
end

function c:all_stores_ready(namespace)
  return kube.readiness(self:secret_stores(namespace))
end

return rest.module("eso", M, "url string", "token string or table: token")
