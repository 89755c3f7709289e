--- @module assay.date
--- @description Dates and times: read RFC 3339, ISO 8601 and HTTP dates as seconds, write seconds as any of them.
--- @keywords date, time, timestamp, rfc3339, iso8601, utc, epoch, unix, parse, format, timezone, offset, day, age, calendar
--- @synonyms datetime, strftime, strptime, clock, weekday, month, year, older, days, since, ago
--- @asked parse an ISO timestamp; how old is something in days; compare two dates with time zones; format a unix time as UTC; the current time as an ISO string; an HTTP date such as Last-Modified; the day of the week; add a day to a date
--- @quickref M.parse(text) -> seconds, offset | Seconds since 1970 of "2026-01-31T12:00:00.5+02:00", "2026-01-31 12:00", "2026-01-31" (UTC without an offset) or "Sat, 31 Jan 2026 12:00:00 GMT"; offset in seconds
--- @quickref M.format(seconds, layout, offset) -> string | RFC 3339 in UTC; layout: "http", or %Y %m %d %H %M %S %j %a %b %z as strftime has them; offset in seconds
--- @quickref M.parts(seconds) -> {year, month, day, hour, minute, second, weekday, yearday} | The parts in UTC; weekday 1 is Monday
--- @quickref M.seconds(parts) -> seconds | Seconds of parts in UTC; a month or a day may be beyond its end: {year = 2026, month = 14} is February 2027

local rest = require("assay._rest")

local M = {}

local MONTHS = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" }
local DAYS = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" }
local DAY = 86400

-- days counts those from 1970 to a date of the Gregorian calendar (Howard Hinnant, "chrono-Compatible
-- Low-Level Date Algorithms", days_from_civil).
local function days(year, month, day)
  year = month <= 2 and year - 1 or year
  local era = year // 400
  local of_era = year - era * 400
  local of_year = (153 * (month + (month > 2 and -3 or 9)) + 2) // 5 + day - 1
  return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468
end

local function whole(v, default)
  if v == nil then
    return default
  end
  return math.tointeger(v) or error("date.seconds: " .. tostring(v) .. " is not a whole number", 0)
end

function M.seconds(parts)
  assert.options(parts, "year month day hour minute second weekday yearday", "date.seconds")
  local month = whole(parts.month, 1) - 1
  local year = whole(parts.year, nil) or error("date.seconds: year is required", 0)
  local day = days(year + month // 12, month % 12 + 1, 1) + whole(parts.day, 1) - 1
  return day * DAY + whole(parts.hour, 0) * 3600 + whole(parts.minute, 0) * 60 + (parts.second or 0)
end

local function last(year, month)
  return days(month == 12 and year + 1 or year, month % 12 + 1, 1) - days(year, month, 1)
end

local function wrong(text)
  error("date.parse: " .. tostring(text) .. " is not a date that can be read: 2026-01-31T12:00:00Z, 2026-01-31 or Sat, 31 Jan 2026 12:00:00 GMT", 0)
end

-- checked returns the seconds of numbers that were written, unless one is beyond its end: 24:00 and 30 February are no time.
local function checked(text, year, month, day, hour, minute, second)
  if month < 1 or month > 12 or day < 1 or day > last(year, month) or hour > 23 or minute > 59 or second >= 61 then
    wrong(text)
  end
  return M.seconds({ year = year, month = month, day = day, hour = hour, minute = minute, second = second })
end

local function number(s)
  return s and (math.tointeger(tonumber(s)) or tonumber(s)) or 0
end

-- zone is the offset of "Z", "+02:00", "-0330" or "" in seconds, nil for anything else.
local function zone(s)
  if s == "" or s == "Z" or s == "z" then
    return 0
  end
  local sign, hours, minutes = s:match("^([+-])(%d%d):?(%d?%d?)$")
  if not sign or #minutes == 1 or number(hours) > 23 or number(minutes) > 59 then
    return nil
  end
  return (sign == "-" and -1 or 1) * (number(hours) * 3600 + number(minutes ~= "" and minutes or nil) * 60)
end

function M.parse(text)
  local s = type(text) == "string" and text:match("^%s*(.-)%s*$") or wrong(text)
  local year, month, day, behind = s:match("^(%d%d%d%d)%-(%d%d)%-(%d%d)(.*)$")
  if year then
    local hour, minute, tail = behind:match("^[Tt ](%d%d):(%d%d)(.*)$")
    local second
    if hour then
      local seconds, more = tail:match("^:(%d%d[.,]?%d*)(.*)$")
      second, tail = seconds and seconds:gsub(",", "."), more or tail
    end
    local offset = zone(hour and tail:gsub("^ ", "") or behind)
    if not offset or not hour and behind ~= "" then
      wrong(text)
    end
    return checked(text, number(year), number(month), number(day), number(hour), number(minute), number(second)) - offset, offset
  end
  local d, name, y, h, m, sec = s:match("^%a%a%a, (%d%d?) (%a%a%a) (%d%d%d%d) (%d%d):(%d%d):(%d%d) GMT$")
  for i, month_name in ipairs(MONTHS) do
    if month_name == name then
      return checked(text, number(y), i, number(d), number(h), number(m), number(sec)), 0
    end
  end
  wrong(text)
end

function M.parts(seconds)
  if type(seconds) ~= "number" or seconds ~= seconds or math.abs(seconds) > 1e14 then
    error("date.parts: wants seconds since 1970, got " .. tostring(seconds), 0)
  end
  local day = math.floor(seconds / DAY)
  local year, month, d, hour, minute = rest.date(math.floor(seconds))
  local second = seconds - day * DAY - hour * 3600 - minute * 60
  return { year = year, month = month, day = d, hour = hour, minute = minute, second = math.tointeger(second) or second, weekday = (day + 3) % 7 + 1, yearday = day - days(year, 1, 1) + 1 }
end

function M.format(seconds, layout, offset)
  offset = offset or 0
  local p = M.parts(seconds + offset)
  local minutes = math.abs(offset) // 60
  local sign = offset < 0 and "-" or "+"
  if not layout then
    local zone_text = offset == 0 and "Z" or ("%s%02d:%02d"):format(sign, minutes // 60, minutes % 60)
    local fraction = p.second % 1 ~= 0 and ("%.6f"):format(p.second % 1):sub(2):gsub("0+$", "") or ""
    return ("%04d-%02d-%02dT%02d:%02d:%02d%s%s"):format(p.year, p.month, p.day, p.hour, p.minute, math.floor(p.second), fraction == "." and "" or fraction, zone_text)
  elseif layout == "http" then
    return M.format(seconds, "%a, %d %b %Y %H:%M:%S GMT")
  end
  local values = {
    Y = ("%04d"):format(p.year), m = ("%02d"):format(p.month), d = ("%02d"):format(p.day), H = ("%02d"):format(p.hour), M = ("%02d"):format(p.minute),
    S = ("%02d"):format(math.floor(p.second)), j = ("%03d"):format(p.yearday), a = DAYS[p.weekday], b = MONTHS[p.month], z = ("%s%02d%02d"):format(sign, minutes // 60, minutes % 60), ["%"] = "%",
  }
  return (layout:gsub("%%(.?)", function(letter)
    return values[letter] or error("date.format: %" .. letter .. " is unknown: %Y %m %d %H %M %S %j %a %b %z", 0)
  end))
end

return M
