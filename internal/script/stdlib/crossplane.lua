--- @module assay.crossplane
--- @description Crossplane infrastructure. Providers, configurations, functions, XRDs, compositions, managed resources.
--- @keywords crossplane, infrastructure, providers, xrd, compositions, managed-resources, cloud, control-plane, kubernetes
--- @synonyms infrastructure-as-code, provision, claims, resources, functions, packages, composite, database, ready
--- @asked is a managed resource ready; which providers are installed; why does a claim not become ready
--- @env KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT
--- @auth { token = "..." }
--- @quickref c:providers() -> {items} | List providers
--- @quickref c:provider(name) -> provider or nil | Get a provider
--- @quickref c:is_provider_healthy(name) -> bool | Is a provider healthy
--- @quickref c:is_provider_installed(name) -> bool | Is a provider installed
--- @quickref c:provider_status(name) -> {installed, healthy, current_revision, conditions} | Get the status of a provider
--- @quickref c:provider_revisions() -> {items} | List revisions of providers
--- @quickref c:provider_revision(name) -> revision or nil | Get a revision of a provider
--- @quickref c:configurations() -> {items} | List configurations
--- @quickref c:configuration(name) -> config or nil | Get a configuration
--- @quickref c:is_configuration_healthy(name) -> bool | Is a configuration healthy
--- @quickref c:is_configuration_installed(name) -> bool | Is a configuration installed
--- @quickref c:functions() -> {items} | List composition functions
--- @quickref c:xfunction(name) -> function or nil | Get a composition function
--- @quickref c:is_function_healthy(name) -> bool | Is a composition function healthy
--- @quickref c:xrds() -> {items} | List composite resource definitions
--- @quickref c:xrd(name) -> xrd or nil | Get a composite resource definition
--- @quickref c:is_xrd_established(name) -> bool | Is a composite resource definition established
--- @quickref c:compositions() -> {items} | List compositions
--- @quickref c:composition(name) -> composition or nil | Get a composition
--- @quickref c:managed_resource(api_group, version, kind, name) -> resource or nil | Get a managed resource; kind is the plural
--- @quickref c:is_managed_ready(api_group, version, kind, name) -> bool | Is a managed resource ready
--- @quickref c:managed_resources(api_group, version, kind) -> {items} | List managed resources of a kind
--- @quickref c:all_providers_healthy() -> {healthy, unhealthy, total, unhealthy_names} | Count providers that are healthy
--- @quickref c:all_xrds_established() -> {established, not_established, total} | Count definitions that are established

local rest = require("assay._rest")
local kube = require("assay._kube")

local M = {}
local c = {}
c.__index = c

local api = kube.api("crossplane")
local find, path = api.find, api.path

local PKG = "/apis/pkg.crossplane.io/v1"
local FUNCTIONS = "/apis/pkg.crossplane.io/v1beta1/functions"
local EXTENSIONS = "/apis/apiextensions.crossplane.io/v1"

local function list(client, where)
  return api.list(client, where, { items = {} })
end

function M.client(url, token)
  return kube.client("crossplane", c, url, token, env.get("KUBERNETES_SERVICE_HOST"), env.get("KUBERNETES_SERVICE_PORT"))
end

function c:providers()
  return list(self, PKG .. "/providers")
end

function c:provider(name)
  return find(self, path(PKG .. "/providers/{}", name))
end

function c:is_provider_healthy(name)
  return kube.holds(self:provider(name), "Healthy")
end

function c:is_provider_installed(name)
  return kube.holds(self:provider(name), "Installed")
end

function c:provider_status(name)
  local provider = self:provider(name) or error("crossplane: provider " .. name .. " not found", 0)
  return {
    installed = kube.holds(provider, "Installed"),
    healthy = kube.holds(provider, "Healthy"),
    current_revision = kube.status(provider).currentRevision,
    conditions = kube.conditions(provider),
  }
end

function c:provider_revisions()
  return list(self, PKG .. "/providerrevisions")
end

function c:provider_revision(name)
  return find(self, path(PKG .. "/providerrevisions/{}", name))
end

function c:configurations()
  return list(self, PKG .. "/configurations")
end

function c:configuration(name)
  return find(self, path(PKG .. "/configurations/{}", name))
end

function c:is_configuration_healthy(name)
  return kube.holds(self:configuration(name), "Healthy")
end

function c:is_configuration_installed(name)
  return kube.holds(self:configuration(name), "Installed")
end

function c:functions()
  return list(self, FUNCTIONS)
end

function c:xfunction(name)
  return find(self, path(FUNCTIONS .. "/{}", name))
end

function c:is_function_healthy(name)
  return kube.holds(self:xfunction(name), "Healthy")
end

function c:xrds()
  return list(self, EXTENSIONS .. "/compositeresourcedefinitions")
end

function c:xrd(name)
  return find(self, path(EXTENSIONS .. "/compositeresourcedefinitions/{}", name))
end

function c:is_xrd_established(name)
  return kube.holds(self:xrd(name), "Established")
end

function c:compositions()
  return list(self, EXTENSIONS .. "/compositions")
end

function c:composition(name)
  return find(self, path(EXTENSIONS .. "/compositions/{}", name))
end

function c:managed_resource(api_group, version, kind, name)
  return find(self, path("/apis/{}/{}/{}/{}", api_group, version, kind, name))
end

function c:is_managed_ready(api_group, version, kind, name)
  return kube.holds(self:managed_resource(api_group, version, kind, name), "Ready")
end

function c:managed_resources(api_group, version, kind)
  return list(self, path("/apis/{}/{}/{}", api_group, version, kind))
end

function c:all_providers_healthy()
  local healthy, unhealthy, total, names = kube.tally(function(provider)
    return kube.holds(provider, "Healthy")
  end, self:providers())
  return { healthy = healthy, unhealthy = unhealthy, total = total, unhealthy_names = names }
end

function c:all_xrds_established()
  local established, not_established, total = kube.tally(function(xrd)
    return kube.holds(xrd, "Established")
  end, self:xrds())
  return { established = established, not_established = not_established, total = total }
end

return rest.module("crossplane", M, "url string", "token string or table: token")
