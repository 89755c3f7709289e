--- @module assay.gmail
--- @description Gmail by access token. Search mail, read messages and threads, attachments, send, reply, drafts, labels.
--- @keywords gmail, mail, mails, email, e-mail, inbox, message, messages, thread, label, labels, attachment, draft, google, workspace
--- @synonyms unread, unanswered, letter, correspondence, conversation, newsletter, spam, starred, archive, sender, recipient, subject, forward, mailbox, newest
--- @asked list unread mails of an inbox; send an e-mail with an attachment; find the mail from somebody about a contract; answer a message; mark as read; download what is attached; what did a customer write to me
--- @env GOOGLE_OAUTH_ACCESS_TOKEN
--- @auth { token = "..." }
--- @quickref c:profile() -> {emailAddress, messagesTotal} | Get the address of the account
--- @quickref c:labels() -> [{id, name, type}] | List labels
--- @quickref c:search(q, opts) -> [{id, threadId}] | Find messages, as "is:unread from:ann newer_than:2d"; all, or the first of opts: limit; label_ids, spam_trash
--- @quickref c:messages(q, opts) -> [{id, thread_id, from, to, subject, date, snippet, labels, unread}] | Find messages and say what they are; the newest 20 unless opts: limit; label_ids, spam_trash
--- @quickref c:message(id) -> {id, thread_id, from, to, cc, subject, date, text, html, attachments, labels} or nil | Read a message; attachments: [{id, filename, type, size}]
--- @quickref c:thread(id) -> [message] or nil | Read all messages of a thread
--- @quickref c:attachment(message_id, id) -> string | Get the bytes of an attachment
--- @quickref c:send(mail) -> {id, threadId} | Send a mail: {to, cc, bcc, subject, text, html, attachments = {{filename, content, type}}}; lists of addresses as tables
--- @quickref c:reply(id, text, opts) -> {id, threadId} | Answer a message in its thread; opts: html, all (the others too), attachments
--- @quickref c:draft(mail) -> {id, message} | Save a mail as a draft, unsent
--- @quickref c:modify(id, opts) -> {id, labelIds} | Change labels of a message; opts: add, remove (ids, as {"UNREAD"} for read, {"INBOX"} for archived)
--- @quickref c:trash(id) -> {id, labelIds} | Move a message to the trash

local rest = require("assay._paged")
local query = rest.query

local M = {}
local c = {}
c.__index = c

local api = rest.api("gmail", rest.bearer)
local get, path = api.get, api.path
local ME = "/gmail/v1/users/me"

function M.client(opts)
  opts = opts or {}
  return setmetatable({
    url = rest.base("gmail.client", opts.endpoint or "https://gmail.googleapis.com"),
    token = rest.secret("gmail.client", opts, "token", env.get("GOOGLE_OAUTH_ACCESS_TOKEN"), "GOOGLE_OAUTH_ACCESS_TOKEN"),
  }, c)
end

-- The API has base64 in the alphabet of addresses, with and without padding.
local function decoded(data)
  local text = (data or ""):gsub("-", "+"):gsub("_", "/"):gsub("=+$", "")
  return base64.decode(text .. ("="):rep(-#text % 4))
end

local function header(message, name)
  for _, h in ipairs((message.payload or {}).headers or {}) do
    if h.name:lower() == name then
      return h.value or nil
    end
  end
end

local function summary(message)
  local labels, unread = message.labelIds or {}, false
  for _, label in ipairs(labels) do
    unread = unread or label == "UNREAD"
  end
  return {
    id = message.id,
    thread_id = message.threadId,
    from = header(message, "from"),
    to = header(message, "to"),
    subject = header(message, "subject"),
    date = header(message, "date"),
    snippet = message.snippet,
    labels = labels,
    unread = unread,
  }
end

-- collect puts what a part has, and the parts in it, into a message.
local function collect(part, into)
  local body = part.body or {}
  if (part.filename or "") ~= "" then
    into.attachments[#into.attachments + 1] = { id = body.attachmentId, filename = part.filename, type = part.mimeType, size = body.size }
  elseif body.data and part.mimeType == "text/plain" then
    into.text = (into.text or "") .. decoded(body.data)
  elseif body.data and part.mimeType == "text/html" then
    into.html = (into.html or "") .. decoded(body.data)
  end
  for _, inner in ipairs(part.parts or {}) do
    collect(inner, into)
  end
end

local function whole(message)
  local out = summary(message)
  out.cc, out.attachments = header(message, "cc"), {}
  out.message_id, out.references, out.reply_to = header(message, "message-id"), header(message, "references"), header(message, "reply-to")
  collect(message.payload or {}, out)
  return out
end

function c:profile()
  return get(self, ME .. "/profile")
end

function c:labels()
  return get(self, ME .. "/labels").labels or {}
end

local SEARCH = "limit label_ids spam_trash"

local function search(client, q, opts)
  return rest.all(opts, function(cursor)
    local found = get(client, ME .. "/messages" .. query("q", q, "labelIds", opts.label_ids, "includeSpamTrash", opts.spam_trash,
      "maxResults", rest.size(opts, 500), "pageToken", cursor))
    return found.messages, found.nextPageToken
  end)
end

function c:search(q, opts)
  return search(self, q, rest.options("gmail.search", opts, SEARCH))
end

function c:messages(q, opts)
  opts = rest.options("gmail.messages", opts, SEARCH)
  local out = {}
  for i, found in ipairs(search(self, q, { limit = opts.limit or 20, label_ids = opts.label_ids, spam_trash = opts.spam_trash })) do
    out[i] = summary(get(self, path(ME .. "/messages/{}", found.id)
      .. query("format", "metadata", "metadataHeaders", { "From", "To", "Subject", "Date" })))
  end
  return out
end

function c:message(id)
  local found = api.find(self, path(ME .. "/messages/{}?format=full", id))
  return found and whole(found)
end

function c:thread(id)
  local found = api.find(self, path(ME .. "/threads/{}?format=full", id))
  if not found then
    return nil
  end
  local out = {}
  for i, message in ipairs(found.messages or {}) do
    out[i] = whole(message)
  end
  return out
end

function c:attachment(message_id, id)
  return decoded(get(self, path(ME .. "/messages/{}/attachments/{}", message_id, id)).data)
end

-- worded is text for a header: what is not ASCII as words of RFC 2047, which leave room for its name in a line.
local function worded(text)
  if not text:find("[^\32-\126]") then
    return text
  end
  local words, word = {}, ""
  for character in text:gmatch(utf8.charpattern) do
    if #word + #character > 39 then
      words[#words + 1], word = word, ""
    end
    word = word .. character
  end
  words[#words + 1] = word
  for i, w in ipairs(words) do
    words[i] = "=?UTF-8?B?" .. base64.encode(w) .. "?="
  end
  return table.concat(words, "\r\n ")
end

local function addressed(address)
  local name, where = address:match("^(.-)%s*(<[^<>]+>)$")
  if name and name:find("[^\32-\126]") then
    return worded(name:match('^"(.*)"$') or name) .. " " .. where
  end
  return address
end

local function lines(content)
  return (base64.encode(content):gsub(("."):rep(76), "%0\r\n"))
end

local function part(kind, content, more)
  return "Content-Type: " .. kind .. "\r\nContent-Transfer-Encoding: base64\r\n" .. (more or "") .. "\r\n" .. lines(content) .. "\r\n"
end

-- parted is a part of several; its boundary is made of what is in it, and so in none of it.
local function parted(kind, parts)
  local boundary = "=_" .. crypto.hash(table.concat(parts), "sha256"):sub(1, 40)
  return "Content-Type: multipart/" .. kind .. ';\r\n boundary="' .. boundary .. '"\r\n\r\n--' .. boundary .. "\r\n"
    .. table.concat(parts, "--" .. boundary .. "\r\n") .. "--" .. boundary .. "--\r\n"
end

-- composed is a mail as the API takes it (RFC 5322, in base64).
local function composed(who, mail)
  mail = rest.options(who, mail, "to cc bcc from subject text html attachments thread_id in_reply_to references")
  local head = {}
  local function add(name, value, written)
    if value then
      for _, one in ipairs(type(value) == "table" and value or { value }) do
        if type(one) ~= "string" or one:find("[\r\n%z]") then
          error(who .. ": " .. name:lower() .. " must be text in one line", 0)
        end
      end
      local all = {}
      for i, one in ipairs(type(value) == "table" and value or { value }) do
        all[i] = written(one)
      end
      head[#head + 1] = name .. ": " .. table.concat(all, ",\r\n ")
    end
  end
  rest.need(mail.to or mail.cc or mail.bcc, who .. ": to is required")
  add("From", mail.from, addressed)
  add("To", mail.to, addressed)
  add("Cc", mail.cc, addressed)
  add("Bcc", mail.bcc, addressed)
  add("Subject", mail.subject, worded)
  add("In-Reply-To", mail.in_reply_to, rest.text)
  add("References", mail.references, rest.text)
  head[#head + 1] = "MIME-Version: 1.0"
  local bodies = {}
  if mail.text or not mail.html then
    bodies[1] = part("text/plain; charset=utf-8", mail.text or "")
  end
  if mail.html then
    bodies[#bodies + 1] = part("text/html; charset=utf-8", mail.html)
  end
  local body = bodies[2] and parted("alternative", bodies) or bodies[1]
  if mail.attachments then
    local parts = { body }
    for i, file in ipairs(mail.attachments) do
      file = rest.options(who .. ": attachments[" .. i .. "]", file, "filename content type")
      local name = rest.need(file.filename, who .. ": attachments[" .. i .. "].filename is required")
      parts[#parts + 1] = part(file.type or "application/octet-stream", rest.need(file.content, who .. ": " .. name .. " has no content"),
        "Content-Disposition: attachment; filename*=UTF-8''" .. rest.escape(name) .. "\r\n")
    end
    body = parted("mixed", parts)
  end
  local raw = base64.encode(table.concat(head, "\r\n") .. "\r\n" .. body):gsub("+", "-"):gsub("/", "_")
  return { raw = raw, threadId = mail.thread_id }
end

function c:send(mail)
  return api.call(self, "POST", ME .. "/messages/send", composed("gmail.send", mail))
end

function c:draft(mail)
  return api.call(self, "POST", ME .. "/drafts", { message = composed("gmail.draft", mail) })
end

function c:reply(id, text, opts)
  opts = rest.options("gmail.reply", opts, "html all attachments")
  local message = self:message(id)
  if not message then
    error("gmail.reply: there is no message " .. rest.text(id), 0)
  end
  local subject = message.subject or ""
  return api.call(self, "POST", ME .. "/messages/send", composed("gmail.reply", {
    to = message.reply_to or message.from,
    cc = opts.all and { message.to, message.cc } or nil,
    subject = subject:lower():find("^re:") and subject or "Re: " .. subject,
    text = text,
    html = opts.html,
    attachments = opts.attachments,
    thread_id = message.thread_id,
    in_reply_to = message.message_id,
    references = message.message_id and (message.references and message.references .. " " or "") .. message.message_id,
  }))
end

function c:modify(id, opts)
  opts = rest.options("gmail.modify", opts, "add remove")
  return api.call(self, "POST", path(ME .. "/messages/{}/modify", id), { addLabelIds = opts.add, removeLabelIds = opts.remove })
end

function c:trash(id)
  return api.call(self, "POST", path(ME .. "/messages/{}/trash", id))
end

return rest.module("gmail", M, "opts table: token endpoint")
