--- @module assay.aws
--- @description AWS by SigV4. Who am I (STS), EC2 instances, Secrets Manager secrets, SQS queues and messages.
--- @keywords aws, amazon, sts, identity, ec2, instances, instance, secrets, secretsmanager, secret, sqs, queue, messages, sigv4, cloud
--- @synonyms account, credentials, server, virtual-machine, start, stop, reboot, password, parameter, region, whoami
--- @asked which account am I; act in another role; start and stop a virtual machine in EC2; read a secret of Secrets Manager; send a message to a queue of SQS
--- @env AWS_REGION, AWS_DEFAULT_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_ENDPOINT_URL
--- @auth { region = "...", access_key = "...", secret_key = "..." }
--- @quickref c:caller_identity() -> {account, arn, user_id} | Get whose credentials these are (STS)
--- @quickref c:assume_role(arn, name, opts) -> client | Get a client with the rights of a role; name: of the session; opts: duration (seconds), external_id
--- @quickref c:instances(opts) -> {instances, next_token} | List EC2 instances: id, state, type, image, private_ip, public_ip, tags; opts: ids, filters, next_token
--- @quickref c:secrets(opts) -> {SecretList, NextToken} | List secrets without their values; opts: max_results, next_token
--- @quickref c:secret(id, opts) -> string | Get the value of a secret; opts: version_stage
--- @quickref c:put_secret(id, value) -> {VersionId} | Set the value of a secret that exists
--- @quickref c:queues(prefix) -> {QueueUrls} | List SQS queues
--- @quickref c:queue_url(name) -> string | Get the address of a queue
--- @quickref c:queue_attributes(queue_url) -> {ApproximateNumberOfMessages} | Get the depth and settings of a queue
--- @quickref c:send_message(queue_url, body, opts) -> {MessageId} | Send a message; opts: delay, group_id, deduplication_id
--- @quickref c:receive_messages(queue_url, opts) -> [message] | Receive messages; opts: max, wait, visibility
--- @quickref c:delete_message(queue_url, receipt_handle) -> nil | Delete a message that was received

local rest = require("assay._rest")
local s3 = require("assay.s3")

local M = {}
local c = {}
c.__index = c

-- send signs a request to a service: a POST with a body, as all services but S3 take it.
local function send(client, service, action, headers, body)
  local base = client.endpoint or "https://" .. service .. "." .. client.region .. ".amazonaws.com"
  headers.host = base:match("^https?://([^/]+)")
  headers["x-amz-date"] = string.format("%04d%02d%02dT%02d%02d%02dZ", rest.date(time()))
  headers["x-amz-security-token"] = client.session_token
  local credentials = {
    access_key = client.access_key,
    secret_key = client.secret_key,
    region = client.region,
    service = service,
  }
  headers.authorization = s3._sign(credentials, {
    verb = "POST",
    path = "/",
    query = "",
    headers = headers,
    payload_hash = crypto.hash(body, "sha256"),
    stamp = headers["x-amz-date"],
  })
  headers.host = nil -- the address says it
  local who = "aws: " .. service .. " " .. action
  return rest.check(rest.request("POST", base .. "/", headers, body), "200", who), who
end

-- query is the protocol of STS and EC2: a form, answered by XML.
local function query(client, service, action, version, ...)
  local body = rest.query("Action", action, "Version", version, ...):sub(2)
  local headers = { ["content-type"] = "application/x-www-form-urlencoded; charset=utf-8" }
  return send(client, service, action, headers, body).body
end

-- target is the protocol of Secrets Manager and SQS: JSON, the action in a header.
local function target(client, service, action, prefix, version, body)
  local headers = { ["content-type"] = "application/x-amz-json-" .. version, ["x-amz-target"] = prefix .. "." .. action }
  local response, who = send(client, service, action, headers, rest.object(body))
  return rest.parse(response, who)
end

local function secrets(client, action, body)
  return target(client, "secretsmanager", action, "secretsmanager", "1.1", body)
end

local function sqs(client, action, body)
  return target(client, "sqs", action, "AmazonSQS", "1.0", body)
end

local element = rest.element

function M.client(opts)
  opts = opts or {}
  local access_key, secret_key, session_token = opts.access_key, opts.secret_key, opts.session_token
  if not (access_key or secret_key) then
    access_key, secret_key = env.get("AWS_ACCESS_KEY_ID"), env.get("AWS_SECRET_ACCESS_KEY")
    session_token = session_token or env.get("AWS_SESSION_TOKEN")
  end
  local region = opts.region or env.get("AWS_REGION") or env.get("AWS_DEFAULT_REGION")
  local endpoint = opts.endpoint or env.get("AWS_ENDPOINT_URL")
  return setmetatable({
    region = rest.need(region, "aws.client: region is required", "AWS_REGION"),
    access_key = rest.need(access_key, "aws.client: access_key is required", "AWS_ACCESS_KEY_ID"),
    secret_key = rest.need(secret_key, "aws.client: secret_key is required", "AWS_SECRET_ACCESS_KEY"),
    session_token = session_token,
    endpoint = endpoint and rest.base("aws.client", endpoint),
  }, c)
end

function c:caller_identity()
  local xml = query(self, "sts", "GetCallerIdentity", "2011-06-15")
  return { account = element(xml, "Account"), arn = element(xml, "Arn"), user_id = element(xml, "UserId") }
end

function c:assume_role(arn, name, opts)
  opts = rest.options("aws.assume_role", opts, "duration external_id")
  local xml = query(self, "sts", "AssumeRole", "2011-06-15", "RoleArn", rest.need(arn, "aws: arn is required"),
    "RoleSessionName", rest.need(name, "aws: name is required"), "DurationSeconds", opts.duration, "ExternalId", opts.external_id)
  return setmetatable({
    region = self.region,
    endpoint = self.endpoint,
    access_key = element(xml, "AccessKeyId"),
    secret_key = element(xml, "SecretAccessKey"),
    session_token = element(xml, "SessionToken"),
  }, c)
end

function c:instances(opts)
  opts = rest.options("aws.instances", opts, "ids filters next_token")
  local args = {}
  for i, id in ipairs(opts.ids or {}) do
    args[#args + 1] = "InstanceId." .. i
    args[#args + 1] = id
  end
  local names = {}
  for name in pairs(opts.filters or {}) do
    names[#names + 1] = name
  end
  table.sort(names)
  for i, name in ipairs(names) do
    args[#args + 1] = "Filter." .. i .. ".Name"
    args[#args + 1] = name
    args[#args + 1] = "Filter." .. i .. ".Value.1"
    args[#args + 1] = opts.filters[name]
  end
  args[#args + 1] = "NextToken"
  args[#args + 1] = opts.next_token
  local xml = query(self, "ec2", "DescribeInstances", "2016-11-15", table.unpack(args))
  local instances, starts = {}, {}
  for at in xml:gmatch("()<instanceId>") do
    starts[#starts + 1] = at
  end
  for i, at in ipairs(starts) do
    local part = xml:sub(at, (starts[i + 1] or #xml + 1) - 1)
    local tags = {}
    for key, value in (part:match("<tagSet>(.-)</tagSet>") or ""):gmatch("<key>(.-)</key>%s*<value>(.-)</value>") do
      tags[rest.plain(key)] = rest.plain(value)
    end
    instances[i] = {
      id = element(part, "instanceId"),
      state = element(element(part, "instanceState") or "", "name"),
      type = element(part, "instanceType"),
      image = element(part, "imageId"),
      private_ip = element(part, "privateIpAddress"),
      public_ip = element(part, "ipAddress"),
      tags = tags,
    }
  end
  return { instances = instances, next_token = element(xml, "nextToken") }
end

function c:secrets(opts)
  opts = rest.options("aws.secrets", opts, "max_results next_token")
  return secrets(self, "ListSecrets", { MaxResults = opts.max_results, NextToken = opts.next_token })
end

function c:secret(id, opts)
  opts = rest.options("aws.secret", opts, "version_stage")
  local found = secrets(self, "GetSecretValue", {
    SecretId = rest.need(id, "aws: id is required"),
    VersionStage = opts.version_stage,
  })
  return found.SecretString or base64.decode(found.SecretBinary)
end

function c:put_secret(id, value)
  return secrets(self, "PutSecretValue", { SecretId = rest.need(id, "aws: id is required"), SecretString = value, ClientRequestToken = crypto.random(32) })
end

function c:queues(prefix)
  return sqs(self, "ListQueues", { QueueNamePrefix = prefix })
end

function c:queue_url(name)
  return sqs(self, "GetQueueUrl", { QueueName = rest.need(name, "aws: name is required") }).QueueUrl
end

function c:queue_attributes(queue_url)
  local body = { QueueUrl = rest.need(queue_url, "aws: queue_url is required"), AttributeNames = { "All" } }
  return sqs(self, "GetQueueAttributes", body).Attributes
end

function c:send_message(queue_url, body, opts)
  opts = rest.options("aws.send_message", opts, "delay group_id deduplication_id")
  return sqs(self, "SendMessage", {
    QueueUrl = rest.need(queue_url, "aws: queue_url is required"),
    MessageBody = body,
    DelaySeconds = opts.delay,
    MessageGroupId = opts.group_id,
    MessageDeduplicationId = opts.deduplication_id,
  })
end

function c:receive_messages(queue_url, opts)
  opts = rest.options("aws.receive_messages", opts, "max wait visibility")
  return sqs(self, "ReceiveMessage", {
    QueueUrl = rest.need(queue_url, "aws: queue_url is required"),
    MaxNumberOfMessages = opts.max,
    WaitTimeSeconds = opts.wait,
    VisibilityTimeout = opts.visibility,
  }).Messages or {}
end

function c:delete_message(queue_url, receipt_handle)
  sqs(self, "DeleteMessage", {
    QueueUrl = rest.need(queue_url, "aws: queue_url is required"),
    ReceiptHandle = rest.need(receipt_handle, "aws: receipt_handle is required"),
  })
end

return rest.module("aws", M, "opts table: access_key secret_key session_token region endpoint")
