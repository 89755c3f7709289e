--- @module assay.eks
--- @description Amazon EKS by SigV4. Kubernetes of AWS: clusters, nodegroups, add-ons, upgrades, a token to log in with.
--- @keywords eks, aws, amazon, nodegroup, nodegroups, addon, add-ons, fargate, kubeconfig, control-plane
--- @synonyms managed-kubernetes, autoscaling, upgrade
--- @asked which Kubernetes version has our cluster on AWS; log in to EKS without kubectl; scale a node group; is an add-on out of date; did the upgrade of the control plane succeed
--- @env AWS_REGION, AWS_DEFAULT_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_ENDPOINT_URL_EKS, AWS_ENDPOINT_URL_STS
--- @auth { region = "...", access_key = "...", secret_key = "..." }
--- @quickref c:clusters() -> [string] | List the names
--- @quickref c:cluster(name) -> cluster or nil | Get status, version, endpoint, certificateAuthority
--- @quickref c:token(name) -> string | Make a token for assay.k8s, beside {base_url = its endpoint}; valid 15 minutes
--- @quickref c:nodegroups(name) -> [string] | List their names
--- @quickref c:nodegroup(name, group) -> nodegroup or nil | Get a nodegroup: status, scalingConfig, health
--- @quickref c:scale(name, group, sizes) -> update | Change the size of a nodegroup: {minSize, maxSize, desiredSize}
--- @quickref c:addons(name) -> [string] | List their names
--- @quickref c:addon(name, addon) -> addon or nil | Get an add-on: status, addonVersion, health
--- @quickref c:access(name) -> [string] | List who may log in, by their ARN
--- @quickref c:updates(name, opts) -> [string] | List the ids of updates; opts: nodegroup, addon
--- @quickref c:update(name, id, opts) -> update or nil | Get an update: status, type, errors; opts: nodegroup, addon

local rest = require("assay._paged")
local aws = require("assay._aws")
local s3 = require("assay.s3")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("eks")
local path = api.path

function M.client(opts)
  opts = opts or {}
  local client = aws.client("eks.client", "eks", opts, {
    region = env.get("AWS_REGION") or env.get("AWS_DEFAULT_REGION"),
    access_key = env.get("AWS_ACCESS_KEY_ID"),
    secret_key = env.get("AWS_SECRET_ACCESS_KEY"),
    session_token = env.get("AWS_SESSION_TOKEN"),
    endpoint = env.get("AWS_ENDPOINT_URL_EKS"),
  }, c)
  client.sts = env.get("AWS_ENDPOINT_URL_STS") or "https://sts" .. aws.domain(client.region)
  return client
end

local function list(client, where, own, member)
  return rest.all({}, function(cursor)
    local found = api.get(client, where .. rest.join(own, query("maxResults", 100, "nextToken", cursor)))
    return found[member], found.nextToken
  end)
end

local function find(client, where, member)
  local found = api.find(client, where)
  return found and found[member]
end

function c:clusters()
  return list(self, "/clusters", "", "clusters")
end

function c:cluster(name)
  return find(self, path("/clusters/{}", name), "cluster")
end

-- The token is an address of STS, signed for a minute with the name of the cluster in a header: who
-- opens it learns whose keys signed it (github.com/kubernetes-sigs/aws-iam-authenticator, "API Authorization from Outside a Cluster").
function c:token(name)
  rest.need(self.access_key, "eks.token: access_key and secret_key are required, a credential does not sign addresses")
  local host, stamp = self.sts:match("^https?://([^/]+)"), string.format("%04d%02d%02dT%02d%02d%02dZ", rest.date(time()))
  local scope = table.concat({ self.access_key, stamp:sub(1, 8), self.region, "sts", "aws4_request" }, "/")
  local asked = query("Action", "GetCallerIdentity", "Version", "2011-06-15", "X-Amz-Algorithm", "AWS4-HMAC-SHA256", "X-Amz-Credential", scope,
    "X-Amz-Date", stamp, "X-Amz-Expires", 60, "X-Amz-Security-Token", self.session_token, "X-Amz-SignedHeaders", "host;x-k8s-aws-id"):sub(2)
  local keys = { access_key = self.access_key, secret_key = self.secret_key, region = self.region, service = "sts" }
  local signed = s3._sign(keys, {
    verb = "GET",
    path = "/",
    query = asked,
    headers = { host = host, ["x-k8s-aws-id"] = rest.need(name, "eks: name is required") },
    payload_hash = crypto.hash("", "sha256"),
    stamp = stamp,
  })
  local url = self.sts .. "/?" .. asked .. "&X-Amz-Signature=" .. signed:match("Signature=(%x+)$")
  return "k8s-aws-v1." .. (base64.encode(url):gsub("+", "-"):gsub("/", "_"):gsub("=+$", ""))
end

function c:nodegroups(name)
  return list(self, path("/clusters/{}/node-groups", name), "", "nodegroups")
end

function c:nodegroup(name, group)
  return find(self, path("/clusters/{}/node-groups/{}", name, group), "nodegroup")
end

function c:scale(name, group, sizes)
  return api.call(self, "POST", path("/clusters/{}/node-groups/{}/update-config", name, group), {
    scalingConfig = rest.options("eks.scale", rest.need(sizes, "eks: sizes are required"), "minSize maxSize desiredSize"),
    clientRequestToken = crypto.random(32),
  }).update
end

function c:addons(name)
  return list(self, path("/clusters/{}/addons", name), "", "addons")
end

function c:addon(name, addon)
  return find(self, path("/clusters/{}/addons/{}", name, addon), "addon")
end

function c:access(name)
  return list(self, path("/clusters/{}/access-entries", name), "", "accessEntries")
end

function c:updates(name, opts)
  opts = rest.options("eks.updates", opts, "nodegroup addon")
  return list(self, path("/clusters/{}/updates", name), query("nodegroupName", opts.nodegroup, "addonName", opts.addon), "updateIds")
end

function c:update(name, id, opts)
  opts = rest.options("eks.update", opts, "nodegroup addon")
  return find(self, path("/clusters/{}/updates/{}", name, id) .. query("nodegroupName", opts.nodegroup, "addonName", opts.addon), "update")
end

return rest.module("eks", M, "opts table: access_key secret_key session_token region endpoint auth")
