-- The modules that the program for containers leaves out share this: clients that try again, and
-- lists that come whole. All else is that of _rest.

local base = require("assay._rest")
local rest = setmetatable({}, { __index = base })

-- module is that of _rest, with a client that asks a busy server again (429, 502, 503, 504) and
-- waits as the server says. A POST is repeated only if the server said that it did nothing.
function rest.module(name, M, ...)
  base.module(name, M, ...)
  local make = M.client
  function M.client(...)
    local made, auth = make(...), nil
    for i = 1, select("#", ...) do
      local v = select(i, ...)
      auth = auth or type(v) == "table" and v.auth or nil
    end
    made.via = http.client({ auth = auth or made.signer, retry = 3 })
    return made
  end
  return M
end

-- secret is the option of that name, or the value of a variable. It raises without either, unless
-- a credential takes their place.
function rest.secret(who, opts, name, value, variable)
  if opts.auth then
    return opts[name]
  end
  return rest.need(opts[name] or value, who .. ": " .. name .. " is required", variable)
end

-- size is how many items to ask for at once: no more than are wanted or than a server gives.
function rest.size(opts, most)
  local limit = opts.limit
  if limit ~= nil and type(limit) ~= "number" then
    error("limit must be a number, got " .. type(limit), 0)
  end
  return math.max(1, math.ceil(math.min(limit or most, most)))
end

-- all is the items of all pages, or the first opts.limit of them. page(cursor) returns the items of
-- one page, and the cursor of the next, which is nil, null, false or "" at the end.
function rest.all(opts, page)
  local out, cursor = {}, nil
  rest.size(opts, 1) -- which raises for a limit that is no number
  local limit = opts.limit or math.huge
  while #out < limit do
    local items, following = page(cursor)
    for _, item in ipairs(items or {}) do
      if #out < limit then
        out[#out + 1] = item
      end
    end
    if not following or following == "" then
      break
    elseif following == cursor then
      error("the server gives the same page again: " .. rest.text(cursor), 0)
    end
    cursor = following
  end
  return out
end

-- join is one query of two.
function rest.join(query, other)
  return query == "" and other or query .. other:gsub("^%?", "&")
end

-- stamp is a time as RFC 3339 writes it: a string as it is, a number as UNIX seconds.
function rest.stamp(v)
  return type(v) == "number" and rest.rfc3339(v) or v
end

-- bearer is the headers of most of these servers.
function rest.bearer(client)
  return { Authorization = rest.authorization(client.token) }
end

return rest
