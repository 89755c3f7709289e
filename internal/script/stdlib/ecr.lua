--- @module assay.ecr
--- @description Amazon ECR by SigV4. Docker images on AWS: repositories, tags, scan findings, login.
--- @keywords ecr, aws, amazon, registry, docker, scan, vulnerabilities, digest, lifecycle
--- @synonyms push, pull, login, cve, untagged, oci
--- @asked which images has a repository on AWS; log in to it with docker or podman; which vulnerabilities (CVEs) has an image on AWS; remove untagged images; when was the tag pushed
--- @env AWS_REGION, AWS_DEFAULT_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_ENDPOINT_URL_ECR
--- @auth { region = "...", access_key = "...", secret_key = "..." }
--- @quickref c:repositories(opts) -> [{repositoryName, repositoryUri}] | List repositories; opts: names, limit
--- @quickref c:create_repository(name, opts) -> repository | Create a repository; opts: immutable (tags), scan (on push)
--- @quickref c:images(repository, opts) -> [{imageDigest, imageTags, imagePushedAt, imageSizeInBytes}] | List images; opts: tagged (true or false), limit
--- @quickref c:image(repository, reference) -> image or nil | Get an image by its tag or digest
--- @quickref c:scan_findings(repository, reference) -> {status, counts, findings} | Get what the scan of an image found
--- @quickref c:start_scan(repository, reference) -> {status} | Scan an image
--- @quickref c:delete_images(repository, references) -> [{imageDigest, imageTag}] | Delete images, a tag or digest each
--- @quickref c:lifecycle_policy(repository) -> table or nil | Get the rules by which images expire
--- @quickref c:login() -> {username, password, registry, expires} | Get what docker login takes; valid 12 hours

local rest = require("assay._paged")
local aws = require("assay._aws")

local M = {}
local c = {}
c.__index = c

function M.client(opts)
  return aws.client("ecr.client", "ecr", opts or {}, {
    region = env.get("AWS_REGION") or env.get("AWS_DEFAULT_REGION"),
    access_key = env.get("AWS_ACCESS_KEY_ID"),
    secret_key = env.get("AWS_SECRET_ACCESS_KEY"),
    session_token = env.get("AWS_SESSION_TOKEN"),
    endpoint = env.get("AWS_ENDPOINT_URL_ECR"),
  }, c)
end

-- ask is the protocol of this service: JSON, the action in a header. missing is the error that gives nil.
local function ask(client, action, body, missing)
  local who = "ecr: " .. action
  local response = rest.request("POST", client.url .. "/", {
    ["Content-Type"] = "application/x-amz-json-1.1",
    ["X-Amz-Target"] = "AmazonEC2ContainerRegistry_V20150921." .. action,
  }, rest.object(body), client.via)
  if missing and response.status == 400 and response.body:find(missing, 1, true) then
    return nil
  end
  return rest.parse(rest.check(response, "200", who), who) or {}
end

local function list(client, action, body, opts, member)
  return rest.all(opts, function(cursor)
    body.maxResults, body.nextToken = rest.size(opts, 1000), cursor
    local found = ask(client, action, body)
    return found[member], found.nextToken
  end)
end

local function named(repository)
  return rest.need(repository, "ecr: repository is required")
end

-- of is the image of a tag or of a digest.
local function of(reference)
  reference = rest.text(rest.need(reference, "ecr: reference is required"))
  return reference:find("^sha256:") and { imageDigest = reference } or { imageTag = reference }
end

function c:repositories(opts)
  opts = rest.options("ecr.repositories", opts, "names limit")
  if opts.names then
    return ask(self, "DescribeRepositories", { repositoryNames = opts.names }).repositories -- the service refuses both names and pages
  end
  return list(self, "DescribeRepositories", {}, opts, "repositories")
end

function c:create_repository(name, opts)
  opts = rest.options("ecr.create_repository", opts, "immutable scan")
  return ask(self, "CreateRepository", {
    repositoryName = rest.need(name, "ecr: name is required"),
    imageTagMutability = opts.immutable and "IMMUTABLE" or nil,
    imageScanningConfiguration = opts.scan ~= nil and { scanOnPush = opts.scan } or nil,
  }).repository
end

function c:images(repository, opts)
  opts = rest.options("ecr.images", opts, "tagged limit")
  local filter
  if opts.tagged ~= nil then
    filter = { tagStatus = opts.tagged and "TAGGED" or "UNTAGGED" }
  end
  return list(self, "DescribeImages", { repositoryName = named(repository), filter = filter }, opts, "imageDetails")
end

function c:image(repository, reference)
  local found = ask(self, "DescribeImages", { repositoryName = named(repository), imageIds = { of(reference) } }, "ImageNotFoundException")
  return found and (found.imageDetails or {})[1]
end

function c:scan_findings(repository, reference)
  local status, counts
  local body = { repositoryName = named(repository), imageId = of(reference) }
  local findings = rest.all({}, function(cursor)
    body.maxResults, body.nextToken = 1000, cursor
    local found = ask(self, "DescribeImageScanFindings", body)
    local scanned = found.imageScanFindings or {}
    status, counts = status or (found.imageScanStatus or {}).status, counts or scanned.findingSeverityCounts
    local basic = scanned.findings or {}
    return basic[1] and basic or scanned.enhancedFindings, found.nextToken
  end)
  return { status = status, counts = counts, findings = findings }
end

function c:start_scan(repository, reference)
  return ask(self, "StartImageScan", { repositoryName = named(repository), imageId = of(reference) }).imageScanStatus
end

function c:delete_images(repository, references)
  local ids, out = {}, {}
  for i, reference in ipairs(rest.need(references, "ecr: references are required")) do
    ids[i] = of(reference)
  end
  for first = 1, #ids, 100 do -- the service takes no more at once
    local part = table.move(ids, first, math.min(first + 99, #ids), 1, {})
    local found = ask(self, "BatchDeleteImage", { repositoryName = named(repository), imageIds = part })
    local failure = (found.failures or {})[1]
    if failure then
      local id = failure.imageId or {}
      error("ecr: BatchDeleteImage: " .. rest.text(id.imageTag or id.imageDigest or "an image") .. ": " .. rest.text(failure.failureReason or failure.failureCode), 0)
    end
    for _, id in ipairs(found.imageIds or {}) do
      out[#out + 1] = id
    end
  end
  return out
end

function c:lifecycle_policy(repository)
  local found = ask(self, "GetLifecyclePolicy", { repositoryName = named(repository) }, "LifecyclePolicyNotFoundException")
  return found and found.lifecyclePolicyText and json.parse(found.lifecyclePolicyText)
end

function c:login()
  local data = (ask(self, "GetAuthorizationToken", {}).authorizationData or {})[1] or {}
  local username, password = base64.decode(data.authorizationToken or ""):match("^([^:]*):(.*)$")
  return { username = username, password = password, registry = (data.proxyEndpoint or ""):match("^https?://(.*)$"), expires = data.expiresAt }
end

return rest.module("ecr", M, "opts table: access_key secret_key session_token region endpoint auth")
