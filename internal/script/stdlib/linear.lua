--- @module assay.linear
--- @description Linear. Issues: list, search, create, move, assign, comment, projects, cycles; any query of GraphQL.
--- @keywords linear, issue, issues, cycle, project, projects, label, workflow-state, backlog, triage, roadmap, graphql
--- @synonyms bug, todo, sprint, done, in-progress, assignee, priority, planning, mine
--- @asked what is assigned to me; file a bug; move an issue to in progress or done; what is still open; comment on ENG-123; what is planned for this cycle
--- @env LINEAR_API_URL, LINEAR_API_KEY
--- @auth { api_key = "..." } or { token = "..." } for an access token of OAuth
--- @quickref c:query(text, variables) -> data | Ask by GraphQL; what the server calls an error is one
--- @quickref c:me() -> {id, name, email} | Get the user of the key
--- @quickref c:teams() -> [{id, key, name}] | List teams
--- @quickref c:users() -> [{id, name, email, active}] | List users
--- @quickref c:states(team) -> [{id, name, type}] | List workflow states of a team, by its key or id
--- @quickref c:projects() -> [{id, name, state, progress, url}] | List projects
--- @quickref c:cycles(team) -> [{id, number, startsAt, endsAt, progress}] | List the cycles of a team
--- @quickref c:issues(opts) -> [issue] | List issues, the last changed first; opts: team (key), state (name), assignee (mail address or "me"), label, open (true: not done), filter (IssueFilter), limit
--- @quickref c:search(text, opts) -> [issue] | Search issues by their text; opts: limit
--- @quickref c:issue(id) -> issue or nil | Get an issue with its comments, by "ENG-123" or its id
--- @quickref c:create_issue(team, issue) -> issue | Create an issue: {title, description, priority, assigneeId, labelIds}; team: key or id
--- @quickref c:update_issue(id, changes) -> issue | Change fields of an issue
--- @quickref c:move(id, state) -> issue | Move an issue to a state by its name
--- @quickref c:assign(id, who) -> issue | Assign an issue: a mail address, or "me"
--- @quickref c:comment(id, text) -> {id, url} | Comment on an issue

local rest = require("assay._paged")

local M = {}
local c = {}
c.__index = c

-- A personal key stands alone, and the token of OAuth after Bearer.
local api = rest.api("linear", function(client)
  return { Authorization = client.api_key or rest.authorization(client.token) }
end)

function M.client(url, opts)
  opts = opts or {}
  return setmetatable({
    url = rest.base("linear.client", url or env.get("LINEAR_API_URL") or "https://api.linear.app"),
    api_key = not opts.token and rest.secret("linear.client", opts, "api_key", env.get("LINEAR_API_KEY"), "LINEAR_API_KEY") or nil,
    token = opts.token,
  }, c)
end

local ISSUE = "id identifier title description url priority priorityLabel estimate dueDate createdAt updatedAt completedAt"
  .. " state { id name type } team { id key name } assignee { id name email } project { id name } labels(first: 10) { nodes { id name } }"

-- send is what the server says, its errors too: it has them in the body, with a status of 200 or 400.
local function send(client, text, variables)
  local response = rest.check(api.send(client, "POST", "/graphql", rest.object({
    query = rest.need(text, "linear: text is required"),
    variables = variables,
  })), "[24]00", "linear: POST /graphql")
  if response.status == 400 and not response.body:find('"errors"', 1, true) then
    rest.check(response, "200", "linear: POST /graphql")
  end
  return rest.parse(response, "linear: POST /graphql") or {}
end

local function failed(found)
  local first = (found.errors or {})[1]
  return first and rest.text(first.message or "unknown error")
end

local function ask(client, text, variables)
  local found = send(client, text, variables)
  local message = failed(found)
  if message then
    error("linear: " .. message, 0)
  end
  return found.data or {}
end

-- list asks for one connection, page after page: more is its further arguments, types those of their variables.
local function list(client, name, fields, opts, types, more, variables)
  local text = "query($first: Int, $after: String" .. types .. ") { " .. name .. "(first: $first, after: $after" .. more .. ") { nodes { "
    .. fields .. " } pageInfo { hasNextPage endCursor } } }"
  local sent = { first = rest.size(opts, 50) }
  for k, v in pairs(variables or {}) do
    sent[k] = v
  end
  return rest.all(opts, function(cursor)
    sent.after = cursor
    local found = ask(client, text, sent)[name] or {}
    local info = found.pageInfo or {}
    return found.nodes, info.hasNextPage and info.endCursor
  end)
end

function c:query(text, variables)
  return ask(self, text, variables)
end

function c:me()
  return ask(self, "{ viewer { id name email } }").viewer
end

function c:teams()
  return list(self, "teams", "id key name", {}, "", "")
end

function c:users()
  return list(self, "users", "id name email active", {}, "", "")
end

-- of is the filter for a team: its id has hyphens, its key none.
local function of(team)
  team = rest.text(rest.need(team, "linear: team is required"))
  return team:find("-", 1, true) and { id = { eq = team } } or { key = { eqIgnoreCase = team } }
end

function c:states(team)
  return list(self, "workflowStates", "id name type position", {}, ", $filter: WorkflowStateFilter", ", filter: $filter", { filter = { team = of(team) } })
end

function c:projects()
  return list(self, "projects", "id name state progress url", {}, "", "")
end

function c:cycles(team)
  return list(self, "cycles", "id number name startsAt endsAt progress", {}, ", $filter: CycleFilter", ", filter: $filter", { filter = { team = of(team) } })
end

function c:issues(opts)
  opts = rest.options("linear.issues", opts, "team state assignee label open filter limit")
  local filter = {}
  for k, v in pairs(opts.filter or {}) do
    filter[k] = v
  end
  filter.team = opts.team and of(opts.team) or filter.team
  filter.state = opts.state and { name = { eqIgnoreCase = opts.state } } or opts.open and { type = { nin = { "completed", "canceled", "duplicate" } } } or filter.state
  filter.labels = opts.label and { name = { eqIgnoreCase = opts.label } } or filter.labels
  if opts.assignee then
    filter.assignee = opts.assignee == "me" and { isMe = { eq = true } } or { email = { eq = opts.assignee } }
  end
  return list(self, "issues", ISSUE, opts, ", $filter: IssueFilter", ", filter: $filter, orderBy: updatedAt", { filter = next(filter) and filter or nil })
end

function c:search(text, opts)
  opts = rest.options("linear.search", opts, "limit")
  return list(self, "searchIssues", ISSUE, opts, ", $term: String!", ", term: $term", { term = rest.need(text, "linear: text is required") })
end

function c:issue(id)
  local found = send(self, "query($id: String!) { issue(id: $id) { " .. ISSUE
    .. " comments(first: 100) { nodes { id body createdAt user { id name } } pageInfo { hasNextPage } } } }", { id = rest.need(id, "linear: id is required") })
  local message = failed(found)
  if message and message:find("^Entity not found") then
    return nil
  elseif message then
    error("linear: " .. message, 0)
  end
  return (found.data or {}).issue
end

-- change makes a mutation that gives an issue.
local function change(client, name, arguments, text, variables)
  local done = ask(client, "mutation(" .. arguments .. ") { " .. name .. "(" .. text .. ") { success issue { " .. ISSUE .. " } } }", variables)[name] or {}
  if not done.success then
    error("linear: " .. name .. " did not succeed", 0)
  end
  return done.issue
end

function c:create_issue(team, issue)
  local input = {}
  for k, v in pairs(rest.need(issue, "linear: issue is required")) do
    input[k] = v
  end
  local one = list(self, "teams", "id key", { limit = 1 }, ", $filter: TeamFilter", ", filter: $filter", { filter = of(team) })[1]
  if not one then
    error("linear.create_issue: there is no team " .. rest.text(team), 0)
  end
  input.teamId = one.id
  return change(self, "issueCreate", "$input: IssueCreateInput!", "input: $input", { input = input })
end

function c:update_issue(id, changes)
  return change(self, "issueUpdate", "$id: String!, $input: IssueUpdateInput!", "id: $id, input: $input", {
    id = rest.need(id, "linear: id is required"),
    input = rest.need(changes, "linear: changes are required"),
  })
end

function c:move(id, state)
  local issue = self:issue(id)
  if not issue then
    error("linear.move: there is no issue " .. rest.text(id), 0)
  end
  local names = {}
  for _, s in ipairs(self:states(issue.team.id)) do
    if s.name:lower() == rest.text(state):lower() then
      return self:update_issue(id, { stateId = s.id })
    end
    names[#names + 1] = s.name
  end
  error("linear.move: the team has no state " .. rest.text(state) .. "; it has " .. table.concat(names, ", "), 0)
end

function c:assign(id, who)
  local user
  if who == "me" then
    user = self:me()
  else
    user = list(self, "users", "id", { limit = 1 }, ", $filter: UserFilter", ", filter: $filter", { filter = { email = { eq = rest.need(who, "linear: who is required") } } })[1]
  end
  if not user then
    error("linear.assign: there is no user " .. rest.text(who), 0)
  end
  return self:update_issue(id, { assigneeId = user.id })
end

function c:comment(id, text)
  local done = ask(self, "mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success comment { id url } } }", {
    input = { issueId = rest.need(id, "linear: id is required"), body = rest.need(text, "linear: text is required") },
  }).commentCreate or {}
  return done.comment
end

return rest.module("linear", M, "url string", "opts table: api_key token")
