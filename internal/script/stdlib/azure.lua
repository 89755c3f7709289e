--- @module assay.azure
--- @description Azure by access token. Resource groups, resources, virtual machines and their power, AKS, Key Vault secrets.
--- @keywords azure, microsoft, resource-group, resources, virtual-machine, vm, compute, aks, clusters, key-vault, keyvault, secrets, subscription, cloud
--- @synonyms server, machine, start, stop, deallocate, microsoft-cloud, tenant, key, password
--- @asked list resources of a subscription; stop a virtual machine; a password of Key Vault; clusters of AKS
--- @env AZURE_SUBSCRIPTION_ID, AZURE_ACCESS_TOKEN
--- @auth { token = "..." }
--- @quickref M.secret(vault_url, name, token) -> string | Get the value of a secret of a key vault; its token is of vault.azure.net
--- @quickref c:resource_groups() -> {value, nextLink} | List resource groups
--- @quickref c:resources(filter) -> {value, nextLink} | List resources; filter as "resourceType eq 'Microsoft.Compute/disks'"
--- @quickref c:resource(id, api_version) -> resource or nil | Get a resource by its whole id, with the version of its provider
--- @quickref c:vms() -> {value, nextLink} | List virtual machines
--- @quickref c:vm_status(group, name) -> {statuses} | Get the power state of a virtual machine
--- @quickref c:start_vm(group, name) -> nil | Start a virtual machine
--- @quickref c:stop_vm(group, name) -> nil | Stop a virtual machine and release its compute
--- @quickref c:aks_clusters() -> {value, nextLink} | List AKS clusters

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("azure", function(client)
  return { Authorization = rest.authorization(client.token) }
end)
local get, path = api.get, api.path

-- within is a path in the subscription, with the version of the API that its provider has.
local function within(client, version, pattern, ...)
  return path("/subscriptions/{}", client.subscription) .. path(pattern, ...) .. query("api-version", version)
end

local COMPUTE, RESOURCES, KEYVAULT = "2024-07-01", "2021-04-01", "7.4"
local MACHINE = "/resourceGroups/{}/providers/Microsoft.Compute/virtualMachines/{}"

function M.client(subscription, opts)
  opts = opts or {}
  return setmetatable({
    url = rest.base("azure.client", opts.endpoint or "https://management.azure.com"),
    subscription = rest.need(subscription or env.get("AZURE_SUBSCRIPTION_ID"), "azure.client: subscription is required", "AZURE_SUBSCRIPTION_ID"),
    token = rest.need(opts.token or env.get("AZURE_ACCESS_TOKEN"), "azure.client: token is required", "AZURE_ACCESS_TOKEN"),
  }, c)
end

function M.secret(vault_url, name, token)
  local client = {
    url = rest.base("azure.secret", vault_url),
    token = rest.need(token or env.get("AZURE_ACCESS_TOKEN"), "azure.secret: token is required", "AZURE_ACCESS_TOKEN"),
  }
  return get(client, path("/secrets/{}", name) .. query("api-version", KEYVAULT)).value
end

function c:resource_groups()
  return get(self, within(self, RESOURCES, "/resourcegroups"))
end

function c:resources(filter)
  return get(self, within(self, RESOURCES, "/resources") .. (filter and "&" .. query("$filter", filter):sub(2) or ""))
end

function c:resource(id, api_version)
  local where = "/" .. rest.still(rest.elements((rest.need(id, "azure: id is required"):gsub("^/+", ""))), "azure")
  return api.find(self, where .. query("api-version", rest.need(api_version, "azure: api_version is required")))
end

function c:vms()
  return get(self, within(self, COMPUTE, "/providers/Microsoft.Compute/virtualMachines"))
end

function c:vm_status(group, name)
  return get(self, within(self, COMPUTE, MACHINE .. "/instanceView", group, name))
end

function c:start_vm(group, name)
  api.call(self, "POST", within(self, COMPUTE, MACHINE .. "/start", group, name), nil, "20[02]")
end

function c:stop_vm(group, name)
  api.call(self, "POST", within(self, COMPUTE, MACHINE .. "/deallocate", group, name), nil, "20[02]")
end

function c:aks_clusters()
  return get(self, within(self, "2024-09-01", "/providers/Microsoft.ContainerService/managedClusters"))
end

return rest.module("azure", M, "subscription string", "opts table: token endpoint")
