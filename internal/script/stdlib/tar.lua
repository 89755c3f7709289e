--- @module assay.tar
--- @description Tar archives: read the entries of one, also compressed with gzip, and write one.
--- @keywords tar, tgz, tarball, archive, gzip, entries, unpack, extract, pack
--- @synonyms zip, unzip, bundle, compressed, file, files, folder, inside, download
--- @asked unpack a tarball; list the files of a tgz; make an archive
--- @quickref M.read(archive) -> [{name, type, size, mode, content, link}] | Read the entries of an archive, also in gzip; type: file, directory, symlink, link, other
--- @quickref M.write(entries) -> archive | Write an archive of {name, content, mode}; a name that ends with a slash is a directory

local rest = require("assay._rest")

local M = {}

local BLOCK = 512
local types = { ["0"] = "file", ["\0"] = "file", ["1"] = "link", ["2"] = "symlink", ["5"] = "directory" }

local function text(block, from, size)
  return block:sub(from, from + size - 1):match("^[^%z]*")
end

-- number is a field of octal digits or, of what is larger, of bytes (GNU tar).
local function number(block, from, size)
  if block:byte(from) >= 128 then
    return (string.unpack(">I8", block, from + size - 8))
  end
  return tonumber(text(block, from, size):match("[0-7]+") or "0", 8)
end

local function checked(block)
  local sum = 256
  for i = 1, BLOCK do
    sum = sum + (i > 148 and i < 157 and 0 or block:byte(i))
  end
  return sum == number(block, 149, 8)
end

-- records reads the extended header of an entry (POSIX pax): "LENGTH name=value\n".
local function records(content)
  local out, at = {}, 1
  while at <= #content do
    local length, from = content:match("^(%d+) ()", at)
    if not length then
      error("tar.read: an extended header cannot be read", 0)
    end
    local name, value = content:sub(from, at + tonumber(length) - 2):match("^([^=]+)=(.*)$")
    out[name or ""] = value
    at = at + tonumber(length)
  end
  return out
end

function M.read(archive)
  if archive:sub(1, 2) == "\x1f\x8b" then
    archive = gzip.decompress(archive)
  end
  local entries, at, over = {}, 1, {}
  while at + BLOCK - 1 <= #archive do
    local block = archive:sub(at, at + BLOCK - 1)
    if not block:find("[^%z]") then
      return entries
    elseif not checked(block) then
      error("tar.read: byte " .. at .. ": there is no header", 0)
    end
    local size, flag = tonumber(over.size) or number(block, 125, 12), block:sub(157, 157)
    if at + BLOCK + size - 1 > #archive then
      error("tar.read: the archive ends within an entry", 0)
    end
    local content = archive:sub(at + BLOCK, at + BLOCK + size - 1)
    at = at + BLOCK + math.ceil(size / BLOCK) * BLOCK
    if flag == "x" then
      over = records(content)
    elseif flag == "L" then
      over.path = text(content, 1, size)
    elseif flag == "K" then
      over.linkpath = text(content, 1, size)
    elseif flag ~= "g" then
      local name, prefix, link = text(block, 1, 100), text(block, 346, 155), text(block, 158, 100)
      if block:sub(258, 262) == "ustar" and prefix ~= "" and block:sub(263, 263) ~= " " then
        name = prefix .. "/" .. name
      end
      link = over.linkpath or link
      entries[#entries + 1] = {
        name = over.path or name,
        type = types[flag] or "other",
        size = size,
        mode = number(block, 101, 8),
        content = content,
        link = link ~= "" and link or nil,
      }
      over = {}
    end
  end
  error("tar.read: the archive does not end", 0)
end

-- header is the first block of an entry. It has no time, so that the same entries give the
-- same bytes.
local function header(name, flag, size, mode)
  local block = name:sub(1, 100) .. ("\0"):rep(100 - #name)
    .. string.format("%07o\0%07o\0%07o\0%011o\0%011o\0", mode, 0, 0, size, 0)
    .. "        " .. flag .. ("\0"):rep(100) .. "ustar\0" .. "00" .. ("\0"):rep(247)
  local sum = 0
  for i = 1, BLOCK do
    sum = sum + block:byte(i)
  end
  return block:sub(1, 148) .. string.format("%06o\0 ", sum) .. block:sub(157)
end

local function padded(content)
  return content .. ("\0"):rep(-#content % BLOCK)
end

function M.write(entries)
  local out = {}
  for i, entry in ipairs(entries) do
    local who = "tar.write: entry " .. i
    entry = rest.options(who, entry, "name content mode")
    local name = rest.need(entry.name, who .. " needs a name")
    local content, directory = entry.content or "", name:sub(-1) == "/"
    local mode = entry.mode or (directory and 493 or 420)
    if #name > 100 then
      out[#out + 1] = header("././@LongLink", "L", #name + 1, 420) .. padded(name .. "\0")
    end
    out[#out + 1] = header(name, directory and "5" or "0", #content, mode) .. padded(content)
  end
  return table.concat(out) .. ("\0"):rep(2 * BLOCK)
end

return M
