--- @module assay.xml
--- @description XML documents: read elements with their attributes and texts, find elements by a path.
--- @keywords xml, soap, rss, atom, feed, element, attribute, parse, xpath
--- @synonyms tag, node, wsdl, envelope, sitemap, document
--- @asked parse an RSS feed; read a SOAP response; find an element by its path; sitemap
--- @quickref M.parse(text) -> {name, attrs, text, element...} | Read a document: its root, with the elements within as its list; names lose their prefix
--- @quickref M.find(element, path) -> element or nil | Find the first element at a path: item/title, //title at any depth, item/*
--- @quickref M.find_all(element, path) -> [element] | Find all elements at a path

local rest = require("assay._rest")

local M = {}

local MOST = 512 -- elements in each other

local function fail(text, at, message)
  local _, lines = text:sub(1, at - 1):gsub("\n", "")
  error("xml.parse: line " .. lines + 1 .. ": " .. message, 0)
end

-- plain is a text with its entities read: the five that XML has, and numbers.
local function plain(text, source, at)
  return (text:gsub("&([^;%s]*;?)", function(entity)
    local read = rest.plain("&" .. entity)
    if read == "&" .. entity then
      fail(source, at, "unknown entity &" .. entity)
    end
    return read
  end))
end

local function attributes(text, source, at)
  local attrs = {}
  local left = text:gsub("%s+([^%s=]+)%s*=%s*(['\"])(.-)%2", function(name, _, value)
    attrs[name:match("[^:]+$")] = plain(value, source, at)
    return ""
  end)
  if left:find("%S") then
    fail(source, at, "cannot read the attribute " .. left:match("%S+"))
  end
  return attrs
end

-- utf8ed is a document as UTF-8.
local function utf8ed(text)
  text = text:gsub("^\xef\xbb\xbf", "")
  local charset = (text:match("^%s*<%?xml[^>]-encoding%s*=%s*['\"]([^'\"]+)") or "utf-8"):lower()
  if charset == "iso-8859-1" or charset == "latin1" or charset == "us-ascii" then
    return (text:gsub("[\x80-\xff]", function(byte) return utf8.char(byte:byte()) end))
  elseif charset ~= "utf-8" then
    error("xml.parse: unknown charset " .. charset, 0)
  end
  return text
end

-- skipped is the place after what is no element at a place: a comment, an instruction or a
-- document type; nil where there is an element.
local function skipped(text, at)
  local function past(from, mark)
    local _, stop = text:find(mark, from, true)
    return (stop or fail(text, at, "no " .. mark .. " ends what begins here")) + 1
  end
  if text:find("^<!%-%-", at) then
    return past(at + 4, "-->")
  elseif text:find("^<%?", at) then
    return past(at, "?>")
  elseif text:find("^<!DOCTYPE", at) then
    local mark = text:find("[%[>]", at)
    return past(mark or at, mark and text:sub(mark, mark) == "[" and "]>" or ">")
  end
end

function M.parse(text)
  text = utf8ed(text)
  local root = { text = {} }
  local open, at = { root }, 1
  local function say(said)
    local words = open[#open].text
    words[#words + 1] = said
  end
  local function close()
    local done = table.remove(open)
    done.text = table.concat(done.text):match("^%s*(.-)%s*$")
  end
  while at <= #text do
    local mark = text:find("<", at, true) or #text + 1
    if mark > at then
      say(plain(text:sub(at, mark - 1), text, at))
    end
    at = mark
    local cdata = text:find("^<!%[CDATA%[", at)
    if at > #text then
      break
    elseif cdata then
      local stop = text:find("]]>", at, true) or fail(text, at, "no ]]> ends what begins here")
      say(text:sub(at + 9, stop - 1))
      at = stop + 3
    elseif skipped(text, at) then
      at = skipped(text, at)
    elseif text:sub(at + 1, at + 1) == "/" then
      local name, stop = text:match("^</([^%s>]+)%s*>()", at)
      if not name or #open == 1 or open[#open].tag ~= name then
        fail(text, at, "</" .. (name or "") .. "> ends no element" .. (#open > 1 and ": <" .. open[#open].tag .. "> is open" or ""))
      end
      open[#open].tag = nil
      close()
      at = stop
    else
      local stop = at
      repeat -- a > may stand in the value of an attribute
        stop = text:find("[>'\"]", stop + 1) or fail(text, at, "an element does not end")
        local quote = text:sub(stop, stop)
        if quote ~= ">" then
          stop = text:find(quote, stop + 1, true) or fail(text, at, "the value of an attribute does not end")
        end
      until quote == ">"
      local tag, inside = text:sub(at + 1, stop - 1):match("^([^%s/]+)(.*)$")
      if not tag then
        fail(text, at, "an element has no name")
      elseif #open > MOST then
        fail(text, at, "nested more than " .. MOST .. " deep")
      elseif #open == 1 and root[1] then
        fail(text, at, "there is more than one element at the top")
      end
      local empty = inside:sub(-1) == "/"
      local element = { tag = tag, name = tag:match("[^:]+$"), text = {} }
      element.attrs = attributes(empty and inside:sub(1, -2) or inside, text, at)
      local parent = open[#open]
      parent[#parent + 1] = element
      open[#open + 1] = element
      if empty then
        element.tag = nil
        close()
      end
      at = stop + 1
    end
  end
  if #open > 1 then
    fail(text, #text, "<" .. open[#open].tag .. "> does not end")
  end
  return root[1] or error("xml.parse: there is no element", 0)
end

local function below(element, name, deep, found)
  for _, child in ipairs(element) do
    if name == "*" or child.name == name then
      found[#found + 1] = child
    end
    if deep then
      below(child, name, deep, found)
    end
  end
  return found
end

function M.find_all(element, path)
  local at = { element }
  for deep, name in ("/" .. path:gsub("^/([^/])", "%1")):gmatch("(/+)([^/]+)") do
    local found = {}
    for _, one in ipairs(at) do
      below(one, name, #deep > 1, found)
    end
    at = found
  end
  return at
end

function M.find(element, path)
  return M.find_all(element, path)[1]
end

return M
