--- @module assay.csv
--- @description CSV tables: read lines as lists or by the names in the first line, write lists or tables.
--- @keywords csv, tsv, comma, separated, spreadsheet, table, rows, columns, parse, export
--- @synonyms excel, sheet, semicolon, tab, report, line, lines
--- @asked export rows for a spreadsheet; read a table that was saved from Excel; columns separated by semicolons or tabs
--- @quickref M.parse(text, opts) -> [[string]] | Read lines; opts: header (true: tables by the names in the first line), separator
--- @quickref M.encode(lines, opts) -> string | Write lists or, with opts.columns, tables; opts: columns, separator

local rest = require("assay._rest")

local M = {}

local function separator(who, opts)
  local s = opts.separator or ","
  if type(s) ~= "string" or #s ~= 1 or s:find('["\r\n]') then
    error(who .. ": separator must be one character", 0)
  end
  return s
end

-- quoted reads a field from the quotation mark at a place, and returns it with the place after it.
local function quoted(text, at, line)
  local parts = {}
  repeat
    local close = text:find('"', at + 1, true) or error("csv.parse: line " .. line .. ": a field in quotation marks does not end", 0)
    parts[#parts + 1] = text:sub(at + 1, close - 1)
    at = close + 1
  until text:byte(at) ~= 34
  return table.concat(parts, '"'), at
end

-- record reads a line (RFC 4180), and returns its fields with the place after it.
local function record(text, at, stops, sep, line)
  local fields = {}
  while true do
    local field
    if text:byte(at) == 34 then
      field, at = quoted(text, at, line)
    else
      local stop = text:find(stops, at) or #text + 1
      field, at = text:sub(at, stop - 1), stop
    end
    fields[#fields + 1] = field
    local mark = text:sub(at, at)
    if mark ~= sep then
      if mark ~= "" and mark ~= "\r" and mark ~= "\n" then
        error("csv.parse: line " .. line .. ": text after a field in quotation marks", 0)
      end
      return fields, at + (text:sub(at, at + 1) == "\r\n" and 2 or 1)
    end
    at = at + 1
  end
end

local function named(names, fields, line)
  if #fields > #names then
    error("csv.parse: line " .. line .. " has " .. #fields .. " fields, and the header names " .. #names, 0)
  end
  local row = {}
  for i, field in ipairs(fields) do
    row[names[i]] = field
  end
  return row
end

function M.parse(text, opts)
  opts = rest.options("csv.parse", opts, "header separator")
  local sep = separator("csv.parse", opts)
  local stops, rows, names, at, line = "[\r\n%" .. sep .. "]", {}, nil, 1, 1
  if text:sub(1, 3) == "\xef\xbb\xbf" then
    at = 4
  end
  while at <= #text do
    local from = at
    local fields
    fields, at = record(text, at, stops, sep, line)
    local blank = #fields == 1 and fields[1] == ""
    if opts.header and not names then
      names = fields
    elseif not blank then
      rows[#rows + 1] = names and named(names, fields, line) or fields
    end
    line = line + select(2, text:sub(from, at - 1):gsub("\n", ""))
  end
  return rows
end

local function written(value, sep)
  if value == nil or value == json.null then
    return ""
  end
  local text = rest.text(value)
  if text:find('["\r\n%' .. sep .. "]") or text:find("^%s") then
    return '"' .. text:gsub('"', '""') .. '"'
  end
  return text
end

function M.encode(lines, opts)
  opts = rest.options("csv.encode", opts, "columns separator")
  local sep, out = separator("csv.encode", opts), {}
  local function write(count, field)
    local fields = {}
    for i = 1, count do
      fields[i] = written(field(i), sep)
    end
    out[#out + 1] = table.concat(fields, sep) .. "\n"
  end
  local columns = opts.columns
  if columns then
    write(#columns, function(i) return columns[i] end)
  end
  for number, line in ipairs(lines) do
    if not columns and next(line) ~= nil and #line == 0 then
      error("csv.encode: line " .. number .. " has names: give columns = {names}", 0)
    end
    write(#(columns or line), function(i) return line[columns and columns[i] or i] end)
  end
  return table.concat(out)
end

return M
