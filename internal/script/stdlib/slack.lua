--- @module assay.slack
--- @description Slack messages. Post, update, thread and react; channels, history, users; incoming webhooks.
--- @keywords slack, chat, message, notify, notification, post, channel, channels, thread, webhook, reaction, users, chatops
--- @synonyms tell, say, announce, inform, team, people, write, reply, send, conversation, direct-message, bot, person, talk
--- @asked post a message to a channel; reply in a thread; notify the team; upload a text; list users
--- @env SLACK_API_URL, SLACK_TOKEN, SLACK_WEBHOOK_URL
--- @auth { token = "..." }
--- @quickref M.webhook(message, url) -> true | Send a message, a string or {text, blocks}, to an incoming webhook
--- @quickref c:auth_test() -> {user, team} | Get whose token it is
--- @quickref c:post_message(channel, text, opts) -> {channel, ts} | Post a message; opts: thread_ts, blocks, attachments, unfurl_links
--- @quickref c:update_message(channel, ts, text, opts) -> {channel, ts} | Change a message; opts: blocks, attachments
--- @quickref c:delete_message(channel, ts) -> {channel, ts} | Delete a message
--- @quickref c:react(channel, ts, name) -> {ok} | Add an emoji to a message
--- @quickref c:channels(opts) -> {channels, response_metadata} | List channels; opts: types, limit, cursor, exclude_archived
--- @quickref c:history(channel, opts) -> {messages, has_more} | List messages of a channel; opts: oldest, latest, limit, cursor
--- @quickref c:replies(channel, ts) -> {messages} | List messages of a thread
--- @quickref c:user_by_email(email) -> user | Find a user
--- @quickref c:open_dm(user) -> channel | Open a direct message with a user

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("slack", function(client)
  return { Authorization = rest.authorization(client.token) }
end)

-- answered raises what Slack says is wrong: it says so with status 200.
local function answered(answer, method)
  if not (answer or {}).ok then
    error("slack: " .. method .. ": " .. tostring((answer or {}).error), 0)
  end
  return answer
end

local function read(client, method, ...)
  return answered(api.get(client, "/" .. method .. query(...)), method)
end

local function write(client, method, body, opts)
  for name, value in pairs(opts or {}) do
    body[name] = value
  end
  return answered(api.call(client, "POST", "/" .. method, body), method)
end

function M.client(url, opts)
  return setmetatable({
    url = rest.base("slack.client", url or env.get("SLACK_API_URL") or "https://slack.com/api"),
    token = (opts or { token = env.get("SLACK_TOKEN") }).token,
  }, c)
end

function M.webhook(message, url)
  url = rest.need(url or env.get("SLACK_WEBHOOK_URL"), "slack.webhook: url is required", "SLACK_WEBHOOK_URL")
  local body = type(message) == "table" and message or { text = message }
  rest.check(rest.request("POST", url, nil, body), "200", "slack.webhook") -- the address is a secret
  return true
end

function c:auth_test()
  return read(self, "auth.test")
end

function c:post_message(channel, text, opts)
  opts = rest.options("slack.post_message", opts, "as_user attachments blocks icon_emoji icon_url link_names markdown_text metadata mrkdwn"
    .. " parse reply_broadcast thread_ts unfurl_links unfurl_media username")
  return write(self, "chat.postMessage", { channel = rest.need(channel, "slack: channel is required"), text = text }, opts)
end

function c:update_message(channel, ts, text, opts)
  opts = rest.options("slack.update_message", opts, "as_user attachments blocks file_ids link_names markdown_text metadata parse"
    .. " reply_broadcast")
  return write(self, "chat.update", { channel = channel, ts = rest.need(ts, "slack: ts is required"), text = text }, opts)
end

function c:delete_message(channel, ts)
  return write(self, "chat.delete", { channel = channel, ts = rest.need(ts, "slack: ts is required") })
end

function c:react(channel, ts, name)
  return write(self, "reactions.add", { channel = channel, timestamp = ts, name = name })
end

function c:channels(opts)
  opts = rest.options("slack.channels", opts, "types limit cursor exclude_archived")
  return read(self, "conversations.list", "types", opts.types, "limit", opts.limit, "cursor", opts.cursor,
    "exclude_archived", opts.exclude_archived)
end

function c:history(channel, opts)
  opts = rest.options("slack.history", opts, "oldest latest limit cursor")
  return read(self, "conversations.history", "channel", rest.need(channel, "slack: channel is required"), "oldest", opts.oldest,
    "latest", opts.latest, "limit", opts.limit, "cursor", opts.cursor)
end

function c:replies(channel, ts)
  return read(self, "conversations.replies", "channel", channel, "ts", rest.need(ts, "slack: ts is required"))
end

function c:user_by_email(email)
  return read(self, "users.lookupByEmail", "email", email).user
end

function c:open_dm(user)
  return write(self, "conversations.open", { users = user }).channel
end

return rest.module("slack", M, "url string", "opts table: token")
