--- @module assay.s3
--- @description S3-compatible object storage. Buckets and objects: create, list, get, put, copy, delete, head. SigV4.
--- @keywords s3, object-storage, storage, buckets, bucket, objects, upload, download, aws, minio, ceph, sigv4, backup
--- @synonyms file, files, folder, link, share, presigned, expires, delete, copy, move, size, large, put, get, store, blob, archive
--- @asked upload a file to a bucket; download an object; list a bucket; copy between buckets; MinIO
--- @env AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_DEFAULT_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
--- @auth { access_key = "...", secret_key = "..." } or { access_key = "...", secret_key = "...", session_token = "..." }
--- @quickref c:create_bucket(bucket) -> true | Create a bucket
--- @quickref c:delete_bucket(bucket) -> true | Delete an empty bucket
--- @quickref c:list_buckets() -> [{name, creation_date}] | List buckets
--- @quickref c:put_object(bucket, key, body, put_opts) -> true | Upload an object; put_opts: content_type, headers
--- @quickref c:get_object(bucket, key) -> string or nil | Download an object
--- @quickref c:delete_object(bucket, key) -> true | Delete an object
--- @quickref c:list_objects(bucket, list_opts) -> {objects, is_truncated, next_continuation_token, key_count} | List objects; list_opts: prefix, max_keys, continuation_token
--- @quickref c:head_object(bucket, key) -> {status, headers} or nil | Get the headers of an object
--- @quickref c:copy_object(src_bucket, src_key, dst_bucket, dst_key) -> true | Copy an object
--- @quickref c:bucket_exists(bucket) -> bool | Does a bucket exist

local rest = require("assay._rest")

local M = {}
local c = {}
c.__index = c

local function sorted(t)
  local names = {}
  for name in pairs(t) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- canonical_query is the parameters of a table, escaped, in the order of their names.
local function canonical_query(parameters)
  local escaped, out = {}, {}
  for name, value in pairs(parameters or {}) do
    escaped[rest.escape(name)] = rest.escape(value)
  end
  for i, name in ipairs(sorted(escaped)) do
    out[i] = name .. "=" .. escaped[name]
  end
  return table.concat(out, "&")
end

-- key_path escapes all of an object's key but its slashes.
local function key_path(key)
  return rest.still(key:gsub("[^/]+", rest.escape), "s3")
end

-- _sign returns the value of Authorization for a request {verb, path, query, headers,
-- payload_hash, stamp}: path and query are escaped, headers are all that is signed,
-- lower-case, host among them (AWS General Reference, "Signature Version 4").
function M._sign(credentials, request)
  local names, lines = sorted(request.headers), {}
  for i, name in ipairs(names) do
    local value = request.headers[name]:gsub("^%s+", ""):gsub("%s+$", ""):gsub("%s+", " ")
    lines[i] = name .. ":" .. value .. "\n"
  end
  local signed = table.concat(names, ";")
  local canonical = table.concat({
    request.verb, request.path, request.query, table.concat(lines), signed, request.payload_hash,
  }, "\n")

  local date, service = request.stamp:sub(1, 8), credentials.service or "s3"
  local scope = table.concat({ date, credentials.region, service, "aws4_request" }, "/")
  local key = "AWS4" .. credentials.secret_key
  for _, part in ipairs({ date, credentials.region, service, "aws4_request" }) do
    key = crypto.hmac(key, part, "sha256", true)
  end
  local text = table.concat({ "AWS4-HMAC-SHA256", request.stamp, scope, crypto.hash(canonical, "sha256") }, "\n")
  return "AWS4-HMAC-SHA256 Credential=" .. credentials.access_key .. "/" .. scope
    .. ", SignedHeaders=" .. signed .. ", Signature=" .. crypto.hmac(key, text, "sha256")
end

-- A place is what a request is about: nothing, a bucket or an object. Without its key
-- a request about an object would be one about the bucket, and delete it.
local function at(bucket)
  return { bucket = rest.need(bucket, "s3: bucket is required") }
end

local function object(bucket, key)
  local place = at(bucket)
  place.key = rest.need(key, "s3: key is required")
  return place
end

local function who(verb, place)
  return "s3: " .. verb .. " /" .. (place.bucket or "") .. (place.key and "/" .. place.key or "")
end

-- target is the host and the path of a place.
local function target(client, place)
  local host, path = client.host, client.prefix
  if place.bucket and client.path_style then
    path = path .. "/" .. rest.escape(place.bucket)
  elseif place.bucket then
    host = place.bucket .. "." .. host
  end
  if place.key then
    path = path .. "/" .. key_path(place.key)
  end
  return host, path == "" and "/" or path
end

-- send makes a signed request. more has query, body and headers, all optional.
local function send(client, verb, place, more)
  local host, path = target(client, place)
  local headers = {
    ["x-amz-content-sha256"] = crypto.hash(more.body or "", "sha256"),
    ["x-amz-date"] = string.format("%04d%02d%02dT%02d%02d%02dZ", rest.date(time())),
    ["x-amz-security-token"] = client.session_token,
  }
  for name, value in pairs(more.headers or {}) do
    headers[name:lower()] = rest.text(value)
  end
  headers.host = host
  local query = canonical_query(more.query)
  headers.authorization = M._sign(client, {
    verb = verb,
    path = path,
    query = query,
    headers = headers,
    payload_hash = headers["x-amz-content-sha256"],
    stamp = headers["x-amz-date"],
  })
  headers.host = nil -- the address says it
  local url = client.scheme .. host .. path .. (query ~= "" and "?" .. query or "")
  return rest.request(verb, url, headers, more.body)
end

-- call is send that raises unless the status matches ok.
local function call(client, verb, place, more, ok)
  return rest.check(send(client, verb, place, more or {}), ok or "20[04]", who(verb, place))
end

-- find is call that returns nil where there is nothing.
local function find(client, verb, place)
  local response = send(client, verb, place, {})
  if response.status == 404 then
    return nil
  end
  return rest.check(response, "20[04]", who(verb, place))
end

local xml = rest.element

function M.client(opts)
  opts = opts or {}
  local access_key, secret_key, session_token = opts.access_key, opts.secret_key, opts.session_token
  if not (access_key or secret_key) then
    access_key, secret_key = env.get("AWS_ACCESS_KEY_ID"), env.get("AWS_SECRET_ACCESS_KEY")
    session_token = session_token or env.get("AWS_SESSION_TOKEN")
  end
  local endpoint = opts.endpoint or env.get("AWS_ENDPOINT_URL_S3") or env.get("AWS_ENDPOINT_URL")
  endpoint = rest.base("s3.client", rest.need(endpoint, "s3.client: endpoint is required", "AWS_ENDPOINT_URL_S3"))
  local region = opts.region or env.get("AWS_REGION") or env.get("AWS_DEFAULT_REGION")
  local scheme, host, prefix = endpoint:match("^(https?://)([^/]+)(.*)$")
  rest.need(scheme, "s3.client: endpoint " .. endpoint .. " is not an http or https URL")
  -- What is signed must be what is sent, and no client sends the scheme's own port.
  host = host:gsub(scheme == "https://" and ":443$" or ":80$", "")
  return setmetatable({
    scheme = scheme,
    host = host,
    prefix = prefix,
    region = rest.need(region, "s3.client: region is required", "AWS_REGION"),
    access_key = rest.need(access_key, "s3.client: access_key is required", "AWS_ACCESS_KEY_ID"),
    secret_key = rest.need(secret_key, "s3.client: secret_key is required", "AWS_SECRET_ACCESS_KEY"),
    session_token = session_token,
    path_style = opts.path_style ~= false,
  }, c)
end

function c:create_bucket(bucket)
  local body
  if self.region ~= "us-east-1" then
    body = '<?xml version="1.0" encoding="UTF-8"?>'
      .. '<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
      .. "<LocationConstraint>" .. self.region .. "</LocationConstraint></CreateBucketConfiguration>"
  end
  call(self, "PUT", at(bucket), { body = body })
  return true
end

function c:delete_bucket(bucket)
  call(self, "DELETE", at(bucket))
  return true
end

function c:list_buckets()
  local buckets, text = {}, call(self, "GET", {}).body
  for entry in text:gmatch("<Bucket>(.-)</Bucket>") do
    buckets[#buckets + 1] = { name = xml(entry, "Name"), creation_date = xml(entry, "CreationDate") }
  end
  return buckets
end

function c:put_object(bucket, key, body, put_opts)
  put_opts = rest.options("s3.put_object", put_opts, "headers content_type")
  local headers = {}
  for name, value in pairs(put_opts.headers or {}) do
    headers[name:lower()] = value
  end
  headers["content-type"] = put_opts.content_type or headers["content-type"]
  call(self, "PUT", object(bucket, key), { body = body, headers = headers })
  return true
end

function c:get_object(bucket, key)
  local response = find(self, "GET", object(bucket, key))
  return response and response.body
end

function c:delete_object(bucket, key)
  call(self, "DELETE", object(bucket, key))
  return true
end

function c:list_objects(bucket, list_opts)
  list_opts = rest.options("s3.list_objects", list_opts, "prefix max_keys continuation_token")
  local text = call(self, "GET", at(bucket), { query = {
    ["list-type"] = 2,
    prefix = list_opts.prefix,
    ["max-keys"] = list_opts.max_keys,
    ["continuation-token"] = list_opts.continuation_token,
  } }).body
  local objects = {}
  for entry in text:gmatch("<Contents>(.-)</Contents>") do
    objects[#objects + 1] = {
      key = xml(entry, "Key"),
      size = tonumber(xml(entry, "Size")),
      last_modified = xml(entry, "LastModified"),
    }
  end
  return {
    objects = objects,
    is_truncated = xml(text, "IsTruncated") == "true",
    next_continuation_token = xml(text, "NextContinuationToken"),
    key_count = tonumber(xml(text, "KeyCount") or #objects),
  }
end

function c:head_object(bucket, key)
  local response = find(self, "HEAD", object(bucket, key))
  return response and { status = response.status, headers = response.headers }
end

function c:copy_object(src_bucket, src_key, dst_bucket, dst_key)
  local source, place = object(src_bucket, src_key), object(dst_bucket, dst_key)
  local headers = { ["x-amz-copy-source"] = "/" .. rest.escape(source.bucket) .. "/" .. key_path(source.key) }
  local response = call(self, "PUT", place, { headers = headers }, "200")
  if response.body:find("<Error>", 1, true) then
    -- S3 answers 200 before it copies, and says in the body when that failed.
    error(who("PUT", place) .. " HTTP 200: " .. response.body, 0)
  end
  return true
end

function c:bucket_exists(bucket)
  return send(self, "GET", at(bucket), { query = { ["list-type"] = 2, ["max-keys"] = 0 } }).status == 200
end

return rest.module("s3", M, "opts table: access_key secret_key session_token region endpoint path_style")
