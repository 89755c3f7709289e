--- @module assay.jira
--- @description Jira issues. Search with JQL, create, update, comment, assign and transition issues; projects.
--- @keywords jira, issue, issues, ticket, tickets, jql, bug, task, board, comment, transition, assign, project, atlassian
--- @synonyms file, report, story, epic, sprint, done, move, close, assignee, backlog, work, status, search
--- @asked create or file a ticket about a problem; which tickets are assigned to me; move an issue to done; comment on a story; find bugs of a sprint
--- @env JIRA_URL, JIRA_USER, JIRA_TOKEN
--- @auth { user = "me@example.com", token = "..." } or { token = "..." }
--- @quickref c:myself() -> user | Get the user of the token
--- @quickref c:search(jql, opts) -> {issues} | Find issues with JQL; opts: fields, max_results, next_page_token, start_at
--- @quickref c:issue(key, fields) -> issue or nil | Get an issue; fields: names, as "summary,status"
--- @quickref c:create_issue(fields) -> {id, key} | Create an issue: {project = {key}, issuetype = {name}, summary, description}
--- @quickref c:update_issue(key, fields) -> nil | Change fields of an issue
--- @quickref c:comment(key, text) -> comment | Comment on an issue
--- @quickref c:transitions(key) -> [transition] | List the transitions that an issue can make
--- @quickref c:transition(key, name, fields) -> true | Make a transition of an issue, by its name or id
--- @quickref c:assign(key, account) -> nil | Assign an issue: {accountId} in the cloud, {name} on servers
--- @quickref c:projects() -> [project] | List projects

local rest = require("assay._rest")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("jira", function(client)
  if client.user then
    return { Authorization = rest.authorization(nil, client.user, client.token) }
  end
  return { Authorization = rest.authorization(client.token) }
end)
local get, find, path = api.get, api.find, api.path

-- The API of version 2 is that of the cloud and of servers, and takes text as text.
function M.client(url, opts)
  opts = opts or { user = env.get("JIRA_USER"), token = env.get("JIRA_TOKEN") }
  return setmetatable({
    url = rest.base("jira.client", url or env.get("JIRA_URL"), "JIRA_URL") .. "/rest/api/2",
    user = opts.user,
    token = opts.token,
  }, c)
end

function c:myself()
  return get(self, "/myself")
end

function c:search(jql, opts)
  opts = rest.options("jira.search", opts, "fields max_results next_page_token start_at")
  local common = { "jql", rest.need(jql, "jira: jql is required"), "fields", opts.fields, "maxResults", opts.max_results }
  local function where(name, value)
    return query(common[1], common[2], common[3], common[4], common[5], common[6], name, value)
  end
  -- The cloud has search/jql and no longer search, servers the other way around.
  local found = find(self, "/search/jql" .. where("nextPageToken", opts.next_page_token))
  return found or get(self, "/search" .. where("startAt", opts.start_at))
end

function c:issue(key, fields)
  return find(self, path("/issue/{}", key) .. query("fields", fields))
end

function c:create_issue(fields)
  return api.call(self, "POST", "/issue", { fields = fields }, "201")
end

function c:update_issue(key, fields)
  api.call(self, "PUT", path("/issue/{}", key), { fields = fields }, "20[04]")
end

function c:comment(key, text)
  return api.call(self, "POST", path("/issue/{}/comment", key), { body = text }, "201")
end

function c:transitions(key)
  return get(self, path("/issue/{}/transitions", key)).transitions
end

function c:transition(key, name, fields)
  for _, t in ipairs(self:transitions(key)) do
    if t.id == rest.text(name) or t.name:lower() == rest.text(name):lower() then
      api.call(self, "POST", path("/issue/{}/transitions", key), { transition = { id = t.id }, fields = fields }, "20[04]")
      return true
    end
  end
  error("jira: issue " .. key .. " has no transition " .. rest.text(name), 0)
end

function c:assign(key, account)
  api.call(self, "PUT", path("/issue/{}/assignee", key), account, "20[04]")
end

function c:projects()
  return get(self, "/project")
end

return rest.module("jira", M, "url string", "opts table: user token")
