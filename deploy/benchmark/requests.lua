-- The requests that wrk sends: wrk -s requests.lua URL -- KIND SEED PREFIX SUFFIX FILE
-- FILE has a token or a player a line. Each thread has its number, and with the seed, which differs in each run, its own ids.
local format, random = string.format, math.random

local threads = 0
function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

local kind, seed, prefix, suffix, lines, count
function init(args)
  kind, seed, prefix, suffix = args[1], tonumber(args[2]), args[3], args[4]
  lines, count = {}, 0
  for line in io.lines(args[5]) do lines[#lines + 1] = line end
  math.randomseed(seed + number)
end

local letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
-- 43 letters for 32 bytes: four bits of the last one count.
local function token()
  local drawn = {}
  for i = 1, 42 do
    local place = random(64)
    drawn[i] = letters:sub(place, place)
  end
  local place = random(0, 15) * 4 + 1
  drawn[43] = letters:sub(place, place)
  return "cbd_" .. table.concat(drawn)
end

local function put(path, bearer, body)
  return wrk.format("PUT", path, { ["Authorization"] = "Bearer " .. bearer, ["Content-Type"] = "application/json" }, body)
end

function request()
  count = count + 1
  if kind == "get" then return wrk.format("GET", prefix .. lines[random(#lines)] .. suffix) end
  if kind == "register" then return put(format("%sbench-%x-%d-%d", prefix, seed, number, count), token(), format('{"name":"Player %d"}', count)) end
  local path = format("%s%08x-%04x-4000-8000-%012x", prefix, seed, number, count)
  return put(path, lines[random(#lines)], format('{"points":%d}', kind == "score" and random(10000) or 1))
end
