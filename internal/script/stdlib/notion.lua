--- @module assay.notion
--- @description Notion. Search, pages as Markdown, rows of databases, create and change pages, append blocks, comments.
--- @keywords notion, page, pages, database, databases, data-source, wiki, block, blocks, workspace, rows, properties, markdown, comments
--- @synonyms note, notes, document, documentation, knowledge-base, table, entry, write-down, meeting-minutes, roadmap, tasks, handbook, collaboration
--- @asked read a page of our wiki; which rows of the table are overdue; write the minutes of the meeting down; add a row to a database; find a document in the knowledge base; append a paragraph to a page
--- @env NOTION_URL, NOTION_TOKEN
--- @auth { token = "..." }
--- @quickref c:me() -> user | Get the user of the token
--- @quickref c:users() -> [user] | List users of the workspace
--- @quickref c:search(text, opts) -> [page or data_source] | Find pages and databases by their title; opts: type ("page" or "data_source"), sort, limit
--- @quickref c:page(id) -> page or nil | Get a page and its properties, without its content
--- @quickref c:markdown(id) -> string | Get the content of a page as Markdown
--- @quickref c:blocks(id, opts) -> [block] | List the blocks of a page or of a block; opts: limit
--- @quickref c:database(id) -> database or nil | Get a database and its data_sources, which have the rows
--- @quickref c:data_source(id) -> data_source or nil | Get the properties (columns) of a data source
--- @quickref c:rows(id, opts) -> [page] | List rows of a data source, or of a database that has one; opts: filter, sorts, limit
--- @quickref c:create_page(parent, properties, children) -> page | Create a page: parent {page_id} or {data_source_id}, properties by their names, children blocks
--- @quickref c:update_page(id, changes) -> page | Change a page: {properties, icon, in_trash}
--- @quickref c:append(id, children) -> [block] | Append blocks, or text as paragraphs, to a page or block
--- @quickref c:comments(id) -> [comment] | List the open comments of a page or block
--- @quickref c:comment(page_id, text) -> comment | Comment on a page

local rest = require("assay._paged")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("notion", function(client)
  return { Authorization = rest.authorization(client.token), ["Notion-Version"] = "2025-09-03" }
end)
local get, find, path = api.get, api.find, api.path

function M.client(url, opts)
  opts = opts or {}
  return setmetatable({
    url = rest.base("notion.client", url or env.get("NOTION_URL") or "https://api.notion.com"),
    token = rest.secret("notion.client", opts, "token", env.get("NOTION_TOKEN"), "NOTION_TOKEN"),
  }, c)
end

local function list(client, where, own, opts)
  return rest.all(opts, function(cursor)
    local found = get(client, where .. rest.join(own, query("start_cursor", cursor, "page_size", rest.size(opts, 100))))
    return found.results, found.has_more and found.next_cursor
  end)
end

-- ask is list where the API wants a POST.
local function ask(client, where, body, opts)
  return rest.all(opts, function(cursor)
    body.start_cursor, body.page_size = cursor, rest.size(opts, 100)
    local found = api.call(client, "POST", where, body)
    return found.results, found.has_more and found.next_cursor
  end)
end

function c:me()
  return get(self, "/v1/users/me")
end

function c:users()
  return list(self, "/v1/users", "", {})
end

function c:search(text, opts)
  opts = rest.options("notion.search", opts, "type sort limit")
  return ask(self, "/v1/search", {
    query = text,
    filter = opts.type and { property = "object", value = opts.type },
    sort = opts.sort,
  }, opts)
end

function c:page(id)
  return find(self, path("/v1/pages/{}", id))
end

function c:markdown(id)
  local found = get(self, path("/v1/pages/{}/markdown", id))
  if found.truncated then
    error("notion.markdown: the page is too long to come whole; read it with blocks", 0)
  end
  return found.markdown
end

function c:blocks(id, opts)
  return list(self, path("/v1/blocks/{}/children", id), "", rest.options("notion.blocks", opts, "limit"))
end

function c:database(id)
  return find(self, path("/v1/databases/{}", id))
end

function c:data_source(id)
  return find(self, path("/v1/data_sources/{}", id))
end

function c:rows(id, opts)
  opts = rest.options("notion.rows", opts, "filter sorts limit")
  local database = self:database(id)
  local sources = database and database.data_sources or {}
  if sources[2] then
    error("notion.rows: the database has several data sources: give the id of one, as in database(id).data_sources", 0)
  end
  return ask(self, path("/v1/data_sources/{}/query", sources[1] and sources[1].id or id), { filter = opts.filter, sorts = opts.sorts }, opts)
end

function c:create_page(parent, properties, children)
  return api.call(self, "POST", "/v1/pages", {
    parent = rest.need(parent, "notion: parent is required"),
    properties = properties,
    children = children,
  })
end

function c:update_page(id, changes)
  return api.call(self, "PATCH", path("/v1/pages/{}", id), rest.need(changes, "notion: changes are required"))
end

-- words is text as Notion takes it: in pieces of at most 2,000 characters.
local function words(text)
  local out, piece, length = {}, {}, 0
  for character in text:gmatch(utf8.charpattern) do
    if length == 2000 then
      out[#out + 1] = { type = "text", text = { content = table.concat(piece) } }
      piece, length = {}, 0
    end
    length = length + 1
    piece[length] = character
  end
  out[#out + 1] = { type = "text", text = { content = table.concat(piece) } }
  return out
end

function c:append(id, children)
  if type(children) == "string" then
    local paragraphs = {}
    for line in children:gmatch("[^\n]+") do
      paragraphs[#paragraphs + 1] = { object = "block", type = "paragraph", paragraph = { rich_text = words(line) } }
    end
    children = paragraphs
  end
  children = rest.need(children, "notion: children are required")
  local out = {}
  for first = 1, #children, 100 do -- the server takes no more at once
    local part = table.move(children, first, math.min(first + 99, #children), 1, {})
    for _, block in ipairs(api.call(self, "PATCH", path("/v1/blocks/{}/children", id), { children = part }).results or {}) do
      out[#out + 1] = block
    end
  end
  return out
end

function c:comments(id)
  return list(self, "/v1/comments", query("block_id", rest.need(id, "notion: id is required")), {})
end

function c:comment(page_id, text)
  return api.call(self, "POST", "/v1/comments", {
    parent = { page_id = rest.need(page_id, "notion: page_id is required") },
    rich_text = words(rest.need(text, "notion: text is required")),
  })
end

return rest.module("notion", M, "url string", "opts table: token")
