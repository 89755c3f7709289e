--- @module assay.rabbitmq
--- @description RabbitMQ management. Queues and their depth, publish and get messages, exchanges, bindings, nodes, alarms.
--- @keywords rabbitmq, amqp, queue, queues, message, messages, broker, publish, exchange, exchanges, bindings, purge, vhost, connections, backlog
--- @synonyms waiting, processed, empty, drain, consumer, consumers, subscribe, events, jobs, bind, depth, pending, worker
--- @asked how many messages wait in a queue; publish a message; purge a queue; which consumers are connected
--- @env RABBITMQ_URL, RABBITMQ_USERNAME, RABBITMQ_PASSWORD
--- @auth { username = "...", password = "..." }
--- @quickref c:overview() -> overview | Get the version, message rates and totals
--- @quickref c:healthy() -> bool | Is no alarm in effect in the cluster
--- @quickref c:nodes() -> [node] | List nodes
--- @quickref c:connections() -> [connection] | List connections
--- @quickref c:queues(vhost) -> [queue] | List queues, of one virtual host or of all
--- @quickref c:queue(vhost, name) -> queue or nil | Get a queue, its depth as messages
--- @quickref c:create_queue(vhost, name, opts) -> nil | Declare a queue; opts: durable, auto_delete, arguments
--- @quickref c:delete_queue(vhost, name) -> nil | Delete a queue
--- @quickref c:purge_queue(vhost, name) -> nil | Remove the messages of a queue
--- @quickref c:publish(vhost, exchange, routing_key, payload, properties) -> bool | Publish a message to an exchange; was it routed
--- @quickref c:get_messages(vhost, queue, opts) -> [message] | Take messages from a queue; opts: count, ackmode
--- @quickref c:exchanges(vhost) -> [exchange] | List exchanges of a virtual host
--- @quickref c:bindings(vhost, queue) -> [binding] | List bindings of a queue

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("rabbitmq", function(client)
  return { Authorization = rest.authorization(nil, client.username, client.password) }
end)
local get, find, path = api.get, api.find, api.path

function M.client(url, opts)
  opts = opts or { username = env.get("RABBITMQ_USERNAME"), password = env.get("RABBITMQ_PASSWORD") }
  return setmetatable({
    url = rest.base("rabbitmq.client", url or env.get("RABBITMQ_URL"), "RABBITMQ_URL"),
    username = opts.username,
    password = opts.password,
  }, c)
end

function c:overview()
  return get(self, "/api/overview")
end

function c:healthy()
  return api.send(self, "GET", "/api/health/checks/alarms").status == 200
end

function c:nodes()
  return get(self, "/api/nodes")
end

function c:connections()
  return get(self, "/api/connections")
end

function c:queues(vhost)
  return get(self, vhost and path("/api/queues/{}", vhost) or "/api/queues")
end

function c:queue(vhost, name)
  return find(self, path("/api/queues/{}/{}", vhost, name))
end

function c:create_queue(vhost, name, opts)
  local fields = rest.options("rabbitmq.create_queue", opts, "durable auto_delete arguments node")
  api.call(self, "PUT", path("/api/queues/{}/{}", vhost, name), opts and fields or { durable = true }, "20[14]")
end

function c:delete_queue(vhost, name)
  api.call(self, "DELETE", path("/api/queues/{}/{}", vhost, name), nil, "204")
end

function c:purge_queue(vhost, name)
  api.call(self, "DELETE", path("/api/queues/{}/{}/contents", vhost, name), nil, "204")
end

function c:publish(vhost, exchange, routing_key, payload, properties)
  local body = { routing_key = routing_key, payload = payload, payload_encoding = "string", properties = properties or { content_type = "text/plain" } }
  return api.call(self, "POST", path("/api/exchanges/{}/{}/publish", vhost, exchange), body).routed
end

function c:get_messages(vhost, queue, opts)
  opts = rest.options("rabbitmq.get_messages", opts, "count ackmode")
  local body = { count = opts.count or 1, ackmode = opts.ackmode or "ack_requeue_true", encoding = "auto" }
  return api.call(self, "POST", path("/api/queues/{}/{}/get", vhost, queue), body)
end

function c:exchanges(vhost)
  return get(self, path("/api/exchanges/{}", vhost))
end

function c:bindings(vhost, queue)
  return get(self, path("/api/queues/{}/{}/bindings", vhost, queue))
end

return rest.module("rabbitmq", M, "url string", "opts table: username password")
