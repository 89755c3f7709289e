--- @module assay.gcp
--- @description Google Cloud by access token. Compute instances, GKE clusters, Cloud Storage objects, Secret Manager, Pub/Sub.
--- @keywords gcp, google, google-cloud, compute, instances, gke, clusters, storage, bucket, objects, secret-manager, secrets, pubsub, publish, cloud
--- @synonyms server, machine, vm, virtual-machine, start, stop, download, upload, file, files, project, kubernetes, password
--- @asked list virtual machines of a project; read an object of Cloud Storage; read a secret of Secret Manager; publish to Pub/Sub
--- @env GOOGLE_CLOUD_PROJECT, GOOGLE_OAUTH_ACCESS_TOKEN
--- @auth { token = "..." }
--- @quickref c:instances(zone, opts) -> {items, nextPageToken} | List Compute Engine instances of a zone; opts: filter, max_results, page_token
--- @quickref c:start_instance(zone, name) -> operation | Start an instance
--- @quickref c:stop_instance(zone, name) -> operation | Stop an instance
--- @quickref c:clusters(location) -> [cluster] | List GKE clusters of a location, or of all
--- @quickref c:objects(bucket, opts) -> {items, nextPageToken} | List objects of a bucket; opts: prefix, delimiter, max_results, page_token
--- @quickref c:get_object(bucket, name) -> string or nil | Download an object
--- @quickref c:secrets() -> {secrets, nextPageToken} | List secrets without their values
--- @quickref c:secret(name, version) -> string | Get the value of a secret, of its latest version or another
--- @quickref c:publish(topic, text, attributes) -> string | Publish a message to Pub/Sub; returns its id

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("gcp", function(client)
  return { Authorization = rest.authorization(client.token) }
end)
local get, path = api.get, api.path

-- on is the client as one of another service.
local function on(client, service)
  return { url = client.endpoint or "https://" .. service .. ".googleapis.com", token = client.token }
end

function M.client(project, opts)
  opts = opts or {}
  return setmetatable({
    project = rest.need(project or env.get("GOOGLE_CLOUD_PROJECT"), "gcp.client: project is required", "GOOGLE_CLOUD_PROJECT"),
    token = rest.need(opts.token or env.get("GOOGLE_OAUTH_ACCESS_TOKEN"), "gcp.client: token is required", "GOOGLE_OAUTH_ACCESS_TOKEN"),
    endpoint = opts.endpoint and rest.base("gcp.client", opts.endpoint),
  }, c)
end

function c:instances(zone, opts)
  opts = rest.options("gcp.instances", opts, "filter max_results page_token")
  return get(on(self, "compute"), path("/compute/v1/projects/{}/zones/{}/instances", self.project, zone)
    .. query("filter", opts.filter, "maxResults", opts.max_results, "pageToken", opts.page_token))
end

function c:start_instance(zone, name)
  return api.call(on(self, "compute"), "POST", path("/compute/v1/projects/{}/zones/{}/instances/{}/start", self.project, zone, name))
end

function c:stop_instance(zone, name)
  return api.call(on(self, "compute"), "POST", path("/compute/v1/projects/{}/zones/{}/instances/{}/stop", self.project, zone, name))
end

function c:clusters(location)
  return get(on(self, "container"), path("/v1/projects/{}/locations/{}/clusters", self.project, location or "-")).clusters or {}
end

function c:objects(bucket, opts)
  opts = rest.options("gcp.objects", opts, "prefix delimiter max_results page_token")
  return get(on(self, "storage"), path("/storage/v1/b/{}/o", bucket)
    .. query("prefix", opts.prefix, "delimiter", opts.delimiter, "maxResults", opts.max_results, "pageToken", opts.page_token))
end

function c:get_object(bucket, name)
  local where = path("/storage/v1/b/{}/o/{}?alt=media", bucket, name)
  local response = api.send(on(self, "storage"), "GET", where)
  if response.status == 404 then
    return nil
  end
  return rest.check(response, "200", "gcp: GET " .. where).body
end

function c:secrets()
  return get(on(self, "secretmanager"), path("/v1/projects/{}/secrets", self.project))
end

function c:secret(name, version)
  local where = path("/v1/projects/{}/secrets/{}/versions/{}:access", self.project, name, version or "latest")
  return base64.decode(get(on(self, "secretmanager"), where).payload.data)
end

function c:publish(topic, text, attributes)
  local message = { data = base64.encode(text), attributes = attributes }
  local where = path("/v1/projects/{}/topics/{}:publish", self.project, topic)
  return api.call(on(self, "pubsub"), "POST", where, { messages = { message } }).messageIds[1]
end

return rest.module("gcp", M, "project string", "opts table: token endpoint")
