--- @module assay.html
--- @description HTML pages: read a page however it is written, select elements by CSS, take their texts, attributes and tables.
--- @keywords html, css, selector, scrape, page, dom, select, parse, table
--- @synonyms web, website, crawl, anchor, href, markup, queryselector
--- @asked take the links from a web page; read a table of an HTML page; scrape prices by a CSS selector; title of a page
--- @quickref M.parse(text) -> document | Read a page: its root; each element has name, attrs, a list of children, and these functions as methods
--- @quickref M.select(el, css) -> [element] | Find the elements within that match a selector: a.nav[href^="/"], ul > li:nth-child(2), h1, h2
--- @quickref M.first(el, css) -> element or nil | Find the first element that matches a selector
--- @quickref M.text(el) -> string | Get the text within, with its white space as one blank each
--- @quickref M.attr(el, name) -> string or nil | Get an attribute: "" where it has no value
--- @quickref M.rows(el) -> [[string]] | Get the texts of a table's cells, a list for each row

-- It is Lua, and not the reader of pages that documentation has, because the slim build has none of that, and because a page
-- that a script reads must count toward the memory and the time of the script.

local M = {}

local MOST = 512 -- elements in each other

local function set(words)
  local out = {}
  for word in words:gmatch("%S+") do
    out[word] = true
  end
  return out
end

local VOID = set("area base br col embed hr img input link meta param source track wbr")
local RAW = set("script style textarea title")
-- CLOSES are the elements that one ends which begins, up to those in which they are.
local CLOSES = {
  li = { set("li"), set("ul ol menu") },
  dt = { set("dt dd"), set("dl") }, dd = { set("dt dd"), set("dl") },
  option = { set("option"), set("select") },
  tr = { set("tr td th"), set("table") }, td = { set("td th"), set("tr table") }, th = { set("td th"), set("tr table") },
  tbody = { set("tr td th tbody thead"), set("table") },
}
for name in ("address article aside blockquote div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul"):gmatch("%S+") do
  CLOSES[name] = { set("p"), set("div td th li body section article") }
end

-- BARE are the characters whose names need no semicolon: those of Latin-1 from U+00A0 on, by their order, and five of markup. NAMED are
-- those of the others that HTML 4 has and pages use.
local BARE = { amp = "&", AMP = "&", lt = "<", LT = "<", gt = ">", GT = ">", quot = '"', QUOT = '"', COPY = "©", REG = "®" }
local latin = 0xa0
for name in ([[nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil
  sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc
  Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml
  aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute
  ucirc uuml yacute thorn yuml]]):gmatch("%S+") do
  BARE[name], latin = utf8.char(latin), latin + 1
end
local NAMED = {
  apos = "'", hellip = "…", mdash = "—", ndash = "–", euro = "€", lsquo = "‘", rsquo = "’", sbquo = "‚", ldquo = "“", rdquo = "”", bdquo = "„",
  lsaquo = "‹", rsaquo = "›", bull = "•", dagger = "†", Dagger = "‡", permil = "‰", trade = "™", larr = "←", uarr = "↑", rarr = "→", darr = "↓",
  harr = "↔", prime = "′", Prime = "″", minus = "−", le = "≤", ge = "≥", ne = "≠", asymp = "≈", infin = "∞", radic = "√", sum = "∑",
  OElig = "Œ", oelig = "œ", Scaron = "Š", scaron = "š", Yuml = "Ÿ", fnof = "ƒ", circ = "ˆ", tilde = "˜", alpha = "α", beta = "β", gamma = "γ",
  delta = "δ", Delta = "Δ", lambda = "λ", mu = "μ", pi = "π", sigma = "σ", Sigma = "Σ", omega = "ω", Omega = "Ω", check = "✓",
  ensp = "\u{2002}", emsp = "\u{2003}", thinsp = "\u{2009}", zwnj = "\u{200c}", zwj = "\u{200d}", lrm = "\u{200e}", rlm = "\u{200f}",
}

-- WINDOWS are the characters of the numbers 128 to 159, which pages count in windows-1252 (html.spec.whatwg.org,
-- numeric-character-reference-end-state); five of them stay as they are.
local WINDOWS = { 0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f,
  0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178 }

-- numbered is the character of a number, and U+FFFD where there is none.
local function numbered(digits, base)
  digits = digits:gsub("^0+", "")
  local n = tonumber(digits, base)
  if not n or #digits > 9 or n == 0 or n > 0x10ffff or n >= 0xd800 and n < 0xe000 then
    return "\u{fffd}"
  end
  return utf8.char(WINDOWS[n - 127] or n)
end

-- plain is text with its characters read that are named or numbered. In an attribute, a name without a semicolon stays as it is
-- before a letter, a digit or =, because addresses have parameters of such names: ?a=1&copy=2.
local function plain(text, attribute)
  return (text:gsub("&(#?)(%w+)(;?)()", function(number, name, ends, after)
    if number ~= "" then
      local hex, left = name:match("^[xX](%x+)(.*)$")
      local digits, others = name:match("^(%d+)(.*)$")
      if not hex and not digits then
        return nil
      end
      left = left or others
      return numbered(hex or digits, hex and 16 or 10) .. left .. (left == "" and "" or ends)
    elseif ends ~= "" and (BARE[name] or NAMED[name]) then
      return BARE[name] or NAMED[name]
    end
    for i = math.min(#name, 6), 2, -1 do -- the longest of BARE
      local bare = BARE[name:sub(1, i)]
      if bare then
        local left = name:sub(i + 1) .. ends
        if attribute and (left .. text:sub(after, after)):find("^[%w=]") then
          return nil
        end
        return bare .. left
      end
    end
  end))
end

local function element(name, attrs)
  return setmetatable({ name = name, attrs = attrs }, { __index = M })
end

-- tagged is the name of the tag at a place, whether it ends an element, its attributes, the place after it and whether it closes itself.
local function tagged(text, at)
  local slash, name, from = text:match("^<(/?)(%a[^%s/>]*)()", at)
  if not name then
    return nil
  end
  local attrs = {}
  while true do
    local blank, i = text:match("^([%s/]*)()", from)
    if i > #text or text:sub(i, i) == ">" then
      return name:lower(), slash ~= "", attrs, i + 1, blank:sub(-1) == "/"
    end
    local key, stop = text:match("^(=?[^%s=/>]*)()", i)
    local value, quote, begins = "", text:match("^%s*=%s*(['\"]?)()", stop)
    from = stop
    if quote == "" then
      value, from = text:match("^([^%s>]*)()", begins)
    elseif quote then
      local close = text:find(quote, begins, true) or #text + 1
      value, from = text:sub(begins, close - 1), math.min(close, #text) + 1
    end
    key = key:lower()
    if attrs[key] == nil then
      attrs[key] = plain(value, true)
    end
  end
end

-- isForeign tells whether a tag is one of SVG or MathML, in which each may close itself.
local function isForeign(name, open)
  for i = #open, 1, -1 do
    if name == "svg" or name == "math" then
      return true
    elseif name == "foreignobject" and i < #open then
      return false
    end
    name = open[i].name
  end
  return false
end

function M.parse(text)
  if type(text) ~= "string" then
    error("html.parse: first argument must be a string", 0)
  end
  local root = element("#document", {})
  local open, at = { root }, 1
  local function add(child)
    local list = open[#open]
    list[#list + 1] = child
  end
  local function shut(names, within)
    for i = #open, 2, -1 do
      if names[open[i].name] then
        for j = #open, i, -1 do
          open[j] = nil
        end
        return shut(names, within)
      elseif within[open[i].name] then
        return
      end
    end
  end
  while at <= #text do
    local mark = text:find("<", at, true) or #text + 1
    if mark > at then
      add(plain(text:sub(at, mark - 1)))
    end
    if mark > #text then
      break
    end
    local name, ends, attrs, after, closed = tagged(text, mark)
    if text:find("^<!%-%-", mark) then
      local _, stop = text:find("-->", mark + 4, true)
      at = (stop or #text) + 1
    elseif not name and text:find("^<[!?/]", mark) then
      at = (text:find(">", mark, true) or #text) + 1
    elseif not name then
      add("<")
      at = mark + 1
    elseif ends then
      at = after
      for i = #open, 2, -1 do
        if open[i].name == name then
          for j = #open, i, -1 do
            open[j] = nil
          end
          break
        end
      end
    else
      at = after
      if CLOSES[name] then
        shut(CLOSES[name][1], CLOSES[name][2])
      end
      local e = element(name, attrs)
      add(e)
      if RAW[name] and not (closed and isForeign(name, open)) then
        local stop, past = #text + 1, #text + 1
        local from = at
        while true do
          local i = text:find("</", from, true)
          if not i then
            break
          end
          if text:sub(i + 2, i + 1 + #name):lower() == name then
            stop, past = i, (text:find(">", i, true) or #text) + 1
            break
          end
          from = i + 2
        end
        local raw = text:sub(at, stop - 1)
        e[1] = (name == "script" or name == "style") and raw or plain(raw)
        at = past
      elseif not VOID[name] and not (closed and isForeign(name, open)) then
        if #open > MOST then
          error("html.parse: more than " .. MOST .. " elements in each other", 0)
        end
        open[#open + 1] = e
      end
    end
  end
  return root
end

local function fail(css, at)
  error("html: cannot read the selector " .. css .. " from character " .. at, 0)
end

local function nth(text)
  local words = { odd = "2n+1", even = "2n" }
  text = text:lower()
  text = (words[text] or text):gsub("%s", "")
  local a, b = text:match("^([+-]?%d*)n(.*)$")
  a, b = a or "0", a and b or text
  if text == "" or b ~= "" and not b:find(text:find("n", 1, true) and "^[+-]%d+$" or "^[+-]?%d+$") then
    return nil
  end
  a = (a == "" or a == "+") and 1 or a == "-" and -1 or math.tointeger(tonumber(a))
  b = b == "" and 0 or math.tointeger(tonumber(b))
  if not a or not b then
    return nil
  end
  return function(n)
    if a == 0 then
      return n == b
    end
    return (n - b) % a == 0 and (n - b) // a >= 0
  end
end

local OPERATORS = {
  ["="] = function(v, want) return v == want end,
  ["~="] = function(v, want) return want ~= "" and (" " .. v:gsub("%s+", " ") .. " "):find(" " .. want .. " ", 1, true) ~= nil end,
  ["^="] = function(v, want) return want ~= "" and v:sub(1, #want) == want end,
  ["$="] = function(v, want) return want ~= "" and v:sub(-#want) == want end,
  ["*="] = function(v, want) return want ~= "" and v:find(want, 1, true) ~= nil end,
  ["|="] = function(v, want) return v == want or v:sub(1, #want + 1) == want .. "-" end,
}

-- A compound is a list of tests of one element: parts of a selector without a combinator.
local compound

local function pseudo(css, name, inner, at)
  if name == "first-child" then
    return function(n) return n.at == 1 end
  elseif name == "last-child" then
    return function(n) return n.at == #n.all end
  elseif name == "nth-child" and inner then
    local holds = nth(inner)
    return holds and function(n) return holds(n.at) end or fail(css, at)
  elseif name == "not" and inner then
    local tests, stop = compound(inner, 1)
    if stop <= #inner then
      fail(css, at)
    end
    return function(n)
      for _, test in ipairs(tests) do
        if not test(n) then
          return true
        end
      end
      return false
    end
  end
  fail(css, at)
end

-- compound reads one from a place, and returns its tests and the place after it.
function compound(css, at)
  local tests, from = {}, at
  local function add(stop, test)
    tests[#tests + 1], at = test, stop
  end
  local name, stop = css:match("^([%w_-]+)()", at)
  if name then
    name = name:lower()
    add(stop, function(n) return n.el.name == name end)
  elseif css:sub(at, at) == "*" then
    add(at + 1, function() return true end)
  end
  while true do
    local mark, word, after = css:match("^([#.])([%w_\x80-\xff-]+)()", at)
    if mark == "#" then
      add(after, function(n) return n.el.attrs.id == word end)
    elseif mark then
      add(after, function(n) return OPERATORS["~="](n.el.attrs.class or "", word) end)
    elseif css:sub(at, at) == "[" then
      local key, op, next = css:match("^%[%s*([%w_:-]+)%s*([~^$*|]?=?)()", at)
      local quote, value, close
      if key and op ~= "" then
        quote = css:match("^%s*(['\"])", next)
        if quote then
          value, close = css:match("^%s*" .. quote .. "([^" .. quote .. "]*)" .. quote .. "%s*%]()", next)
        else
          value, close = css:match("^%s*([^%s%]]+)%s*%]()", next)
        end
      elseif key then
        close = css:match("^%s*%]()", next)
      end
      if not close then
        fail(css, at)
      end
      key = key:lower()
      add(close, function(n)
        local v = n.el.attrs[key]
        return v ~= nil and (op == "" or OPERATORS[op](v, value))
      end)
    elseif css:sub(at, at) == ":" then
      local kind, behind = css:match("^:([%a-]+)()", at)
      if not kind then
        fail(css, at)
      end
      local inner, close = css:match("^%(([^()]*)%)()", behind)
      add(close or behind, pseudo(css, kind, inner and inner:match("^%s*(.-)%s*$"), at))
    else
      break
    end
  end
  if at == from then
    fail(css, at)
  end
  return tests, at
end

-- chains are the alternatives of a selector, each a list of compounds with the combinator before each.
local function chains(css)
  local out, chain, at, before = {}, {}, css:match("^%s*()"), nil
  while true do
    local tests
    tests, at = compound(css, at)
    chain[#chain + 1] = { tests = tests, before = before }
    local sign, after = css:match("^%s*([>+~,])%s*()", at)
    local blank = css:match("^%s+()", at)
    if css:match("^%s*$", at) then
      out[#out + 1] = chain
      return out
    elseif sign == "," then
      out[#out + 1] = chain
      chain, before, at = {}, nil, after
    elseif sign then
      before, at = sign, after
    elseif blank then
      before, at = " ", blank
    else
      fail(css, at)
    end
  end
end

local holds

-- below tells whether a part of a chain holds for an element within which n is.
local function below(chain, i, n)
  local up, key = n.up, chain[i].tests
  if n[key] == nil then
    n[key] = up ~= nil and (holds(chain, i, up) or below(chain, i, up))
  end
  return n[key]
end

-- behind tells whether a part of a chain holds for an element that stands before n in the same one.
local function behind(chain, i, n)
  local known = n.all[chain[i]] or { seen = 0 }
  n.all[chain[i]] = known
  while not known.first and known.seen < n.at - 1 do
    known.seen = known.seen + 1
    known.first = holds(chain, i, n.all[known.seen]) and known.seen
  end
  return known.first and known.first < n.at
end

local function meets(chain, i, n)
  for _, test in ipairs(chain[i].tests) do
    if not test(n) then
      return false
    end
  end
  local how = chain[i].before
  if not how then
    return true
  elseif how == ">" then
    return n.up ~= nil and holds(chain, i - 1, n.up)
  elseif how == "+" then
    return n.at > 1 and holds(chain, i - 1, n.all[n.at - 1])
  elseif how == "~" then
    return behind(chain, i - 1, n) or false
  end
  return below(chain, i - 1, n)
end

-- holds tells whether the first i parts of a chain hold for an element. Each element remembers it, because in a page of nested
-- elements each part would else be tried with each combination of the elements above.
function holds(chain, i, n)
  local part = chain[i]
  if n[part] == nil then
    n[part] = meets(chain, i, n)
  end
  return n[part]
end

-- search gives the elements within one to a function until it returns true.
local function search(root, css, give)
  if type(css) ~= "string" then
    error("html: a selector must be a string", 0)
  end
  local alternatives = chains(css)
  local function walk(el, up)
    local all = {}
    for _, child in ipairs(el) do
      if type(child) == "table" then
        all[#all + 1] = { el = child, up = up, at = #all + 1, all = all }
      end
    end
    for _, n in ipairs(all) do
      for _, chain in ipairs(alternatives) do
        if holds(chain, #chain, n) then
          if give(n.el) then
            return true
          end
          break
        end
      end
      if walk(n.el, n) then
        return true
      end
    end
  end
  walk(root, nil)
end

function M.select(el, css)
  local out = {}
  search(el, css, function(found) out[#out + 1] = found end)
  return out
end

function M.first(el, css)
  local first
  search(el, css, function(found)
    first = found
    return true
  end)
  return first
end

function M.text(el)
  local out = {}
  local function take(from)
    for _, child in ipairs(from) do
      if type(child) == "string" then
        out[#out + 1] = child
      elseif child.name == "br" then
        out[#out + 1] = " "
      elseif child.name ~= "script" and child.name ~= "style" then
        take(child)
      end
    end
  end
  take(el)
  return (table.concat(out):gsub("%s+", " "):match("^ ?(.-) ?$"))
end

function M.attr(el, name)
  return el.attrs[name:lower()]
end

function M.rows(el)
  local out = {}
  for _, row in ipairs(M.select(el, "tr")) do
    local cells = {}
    for _, cell in ipairs(row) do
      if type(cell) == "table" and (cell.name == "td" or cell.name == "th") then
        cells[#cells + 1] = M.text(cell)
      end
    end
    out[#out + 1] = cells
  end
  return out
end

return M
