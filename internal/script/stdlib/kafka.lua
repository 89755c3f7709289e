--- @module assay.kafka
--- @description Kafka by its REST proxy (v3). Topics, partitions, configuration, produce records, consumer groups and lag.
--- @keywords kafka, topic, topics, produce, producer, record, records, consumer, consumer-group, lag, partition, partitions, stream, events, broker, confluent
--- @synonyms message, messages, queue, behind, write, read, subscribe, retention, offset, log, backlog, waiting, processed
--- @asked how far behind is a consumer group; create a topic; produce a message; consumer lag
--- @env KAFKA_REST_URL, KAFKA_CLUSTER_ID, KAFKA_REST_USERNAME, KAFKA_REST_PASSWORD
--- @auth { username = "...", password = "...", cluster = "..." } or { token = "..." }
--- @quickref c:clusters() -> [cluster] | List clusters
--- @quickref c:brokers() -> [broker] | List brokers
--- @quickref c:topics() -> [topic] | List topics
--- @quickref c:topic(name) -> topic or nil | Get a topic
--- @quickref c:create_topic(name, opts) -> topic | Create a topic; opts: partitions, replication, configs
--- @quickref c:delete_topic(name) -> nil | Delete a topic
--- @quickref c:partitions(topic) -> [partition] | List partitions of a topic
--- @quickref c:configs(topic) -> [config] | List settings of a topic
--- @quickref c:produce(topic, value, opts) -> {partition_id, offset} | Write a record, its value as JSON or text; opts: key, partition_id
--- @quickref c:consumer_groups() -> [group] | List consumer groups
--- @quickref c:consumer_group(group) -> group or nil | Get a consumer group
--- @quickref c:lag(group) -> [{topic_name, partition_id, lag}] | List how far a consumer group is behind, by partition

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("kafka", function(client)
  return { Authorization = rest.authorization(client.token, client.username, client.password) }
end)
local find, path = api.find, api.path

local function data(client, where)
  return api.get(client, where).data
end

-- at is a path in the cluster: the one that the client was made for, or else the only one.
local function at(client, pattern, ...)
  if not client.cluster then
    client.cluster = rest.need((data(client, "/v3/clusters")[1] or {}).cluster_id, "kafka: no cluster")
  end
  return path("/v3/clusters/{}", client.cluster) .. path(pattern, ...)
end

function M.client(url, opts)
  opts = opts or {
    cluster = env.get("KAFKA_CLUSTER_ID"),
    username = env.get("KAFKA_REST_USERNAME"),
    password = env.get("KAFKA_REST_PASSWORD"),
  }
  return setmetatable({
    url = rest.base("kafka.client", url or env.get("KAFKA_REST_URL"), "KAFKA_REST_URL"),
    cluster = opts.cluster,
    token = opts.token,
    username = opts.username,
    password = opts.password,
  }, c)
end

function c:clusters()
  return data(self, "/v3/clusters")
end

function c:brokers()
  return data(self, at(self, "/brokers"))
end

function c:topics()
  return data(self, at(self, "/topics"))
end

function c:topic(name)
  return find(self, at(self, "/topics/{}", name))
end

function c:create_topic(name, opts)
  opts = rest.options("kafka.create_topic", opts, "configs partitions replication")
  local configs
  for key, value in pairs(opts.configs or {}) do
    configs = configs or {}
    configs[#configs + 1] = { name = key, value = rest.text(value) }
  end
  local body = { topic_name = name, partitions_count = opts.partitions, replication_factor = opts.replication, configs = configs }
  return api.call(self, "POST", at(self, "/topics"), body, "201")
end

function c:delete_topic(name)
  api.call(self, "DELETE", at(self, "/topics/{}", name), nil, "204")
end

function c:partitions(topic)
  return data(self, at(self, "/topics/{}/partitions", topic))
end

function c:configs(topic)
  return data(self, at(self, "/topics/{}/configs", topic))
end

function c:produce(topic, value, opts)
  opts = rest.options("kafka.produce", opts, "partition_id key")
  local function typed(v)
    return v ~= nil and { type = type(v) == "table" and "JSON" or "STRING", data = v } or nil
  end
  local body = { partition_id = opts.partition_id, key = typed(opts.key), value = typed(value) }
  local result = api.call(self, "POST", at(self, "/topics/{}/records", topic), body)
  if result.error_code ~= 200 then
    error("kafka: record refused: " .. tostring(result.message or result.error_code), 0)
  end
  return result
end

function c:consumer_groups()
  return data(self, at(self, "/consumer-groups"))
end

function c:consumer_group(group)
  return find(self, at(self, "/consumer-groups/{}", group))
end

function c:lag(group)
  return data(self, at(self, "/consumer-groups/{}/lags", group))
end

return rest.module("kafka", M, "url string", "opts table: cluster token username password")
