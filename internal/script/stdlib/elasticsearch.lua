--- @module assay.elasticsearch
--- @description Elasticsearch and OpenSearch. Cluster health, indices, search, count, documents, bulk, schemas, aliases.
--- @keywords elasticsearch, opensearch, search, index, indices, documents, document, query, bulk, aliases, cluster, health, logs, full-text
--- @synonyms find, phrase, text, yellow, red, green, shards, delete, old, store, reindex, kibana, filter
--- @asked full-text search in an index; how many documents; is the cluster green; create an index with a mapping
--- @env ELASTICSEARCH_URL, ELASTICSEARCH_API_KEY, ELASTICSEARCH_USERNAME, ELASTICSEARCH_PASSWORD
--- @auth { api_key = "..." } or { username = "...", password = "..." }
--- @quickref c:info() -> {version} | Get the version of the cluster
--- @quickref c:health(opts) -> {status} | Get the health of the cluster; opts: index, wait_for_status, timeout
--- @quickref c:indices(pattern) -> [index] | List indices with their health, documents and size
--- @quickref c:index_exists(index) -> bool | Does an index exist
--- @quickref c:create_index(index, body) -> {acknowledged} | Create an index: {settings, mappings, aliases}
--- @quickref c:delete_index(index) -> {acknowledged} | Delete an index
--- @quickref c:mapping(index) -> {index} | Get the mapping of an index
--- @quickref c:search(index, body) -> {hits} | Search an index: {query, size, from, sort, aggs}
--- @quickref c:count(index, body) -> number | Count documents: {query}
--- @quickref c:document(index, id) -> document or nil | Get a document
--- @quickref c:put_document(index, document, id) -> {_id, result} | Index a document, under an id or a new one
--- @quickref c:delete_document(index, id) -> {result} | Delete a document
--- @quickref c:bulk(index, documents) -> {errors, items} | Index many documents at once

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("elasticsearch", function(client)
  if client.api_key then
    return { Authorization = "ApiKey " .. client.api_key }
  end
  return { Authorization = rest.authorization(nil, client.username, client.password) }
end)
local get, find, path = api.get, api.find, api.path

function M.client(url, opts)
  opts = opts or {
    api_key = env.get("ELASTICSEARCH_API_KEY"),
    username = env.get("ELASTICSEARCH_USERNAME"),
    password = env.get("ELASTICSEARCH_PASSWORD"),
  }
  return setmetatable({
    url = rest.base("elasticsearch.client", url or env.get("ELASTICSEARCH_URL"), "ELASTICSEARCH_URL"),
    api_key = opts.api_key,
    username = opts.username,
    password = opts.password,
  }, c)
end

function c:info()
  return get(self, "/")
end

function c:health(opts)
  opts = rest.options("elasticsearch.health", opts, "index wait_for_status timeout")
  local where = opts.index and path("/_cluster/health/{}", opts.index) or "/_cluster/health"
  return get(self, where .. query("wait_for_status", opts.wait_for_status, "timeout", opts.timeout))
end

function c:indices(pattern)
  return get(self, (pattern and path("/_cat/indices/{}", pattern) or "/_cat/indices") .. "?format=json")
end

function c:index_exists(index)
  local where = path("/{}", index)
  local response = api.send(self, "HEAD", where)
  return response.status ~= 404 and rest.check(response, "200", "elasticsearch: HEAD " .. where) ~= nil
end

function c:create_index(index, body)
  return api.call(self, "PUT", path("/{}", index), body)
end

function c:delete_index(index)
  return api.call(self, "DELETE", path("/{}", index))
end

function c:mapping(index)
  return get(self, path("/{}/_mapping", index))
end

function c:search(index, body)
  return api.call(self, "POST", path("/{}/_search", index), body or {})
end

function c:count(index, body)
  return api.call(self, "POST", path("/{}/_count", index), body or {}).count
end

function c:document(index, id)
  return find(self, path("/{}/_doc/{}", index, id))
end

function c:put_document(index, document, id)
  local where = id and path("/{}/_doc/{}", index, id) or path("/{}/_doc", index)
  return api.call(self, id and "PUT" or "POST", where, document, "20[01]")
end

function c:delete_document(index, id)
  return api.call(self, "DELETE", path("/{}/_doc/{}", index, id))
end

function c:bulk(index, documents)
  local lines = {}
  for _, document in ipairs(documents) do
    lines[#lines + 1] = '{"index":{}}'
    lines[#lines + 1] = rest.object(document)
  end
  local where = path("/{}/_bulk", index)
  local headers = { ["Content-Type"] = "application/x-ndjson", Authorization = nil }
  if self.api_key then
    headers.Authorization = "ApiKey " .. self.api_key
  else
    headers.Authorization = rest.authorization(nil, self.username, self.password)
  end
  local response = rest.request("POST", self.url .. where, headers, table.concat(lines, "\n") .. "\n", self.via)
  return rest.parse(rest.check(response, "200", "elasticsearch: POST " .. where), "elasticsearch")
end

return rest.module("elasticsearch", M, "url string", "opts table: api_key username password")
