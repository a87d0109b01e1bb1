-- The requests that wrk sends: wrk -s requests.lua URL -- KIND SEED THREADS PREFIX SUFFIX FILE ROUND
-- KIND is get, register, score or give. FILE has a player's id a line (get), or a token and the points to begin with (score, give). A thread takes its share of
-- them, one after the other from a place that SEED decides; once through is a round. SEED, another one in each run, also makes the ids new.
-- A score is one point more each round, ROUND being the first: every post improves on the player's last one.
local format, random = string.format, math.random

local threads = 0
function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

local kind, seed, prefix, suffix, round
local first, second, players = {}, {}, 0
local count, turn = 0, 0
function init(args)
  local file
  kind, seed, prefix, suffix, file, round = args[1], tonumber(args[2]), args[4], args[5], args[6], tonumber(args[7])
  local all, line_number = tonumber(args[3]), 0
  for line in io.lines(file) do
    line_number = line_number + 1
    if line_number % all == number - 1 then
      players = players + 1
      first[players], second[players] = line:match("(%S+) ?(%d*)")
      second[players] = tonumber(second[players])
    end
  end
  math.randomseed(seed + number)
  if players > 0 then turn = random(players) - 1 end
end

local letters = {}
for letter in ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"):gmatch(".") do letters[#letters + 1] = letter end
-- 43 letters for 32 bytes: four bits of the last one count.
local function token()
  local drawn = {}
  for i = 1, 42 do drawn[i] = letters[random(64)] end
  drawn[43] = letters[random(0, 15) * 4 + 1]
  return "cbd_" .. table.concat(drawn)
end

local headers = { ["Content-Type"] = "application/json" }
local function put(path, bearer, body)
  headers["Authorization"] = "Bearer " .. bearer
  return wrk.format("PUT", path, headers, body)
end

function request()
  count = count + 1
  if kind == "register" then return put(format("%sbench-%x-%d-%d", prefix, seed, number, count), token(), format('{"name":"Player %d"}', count)) end
  turn = turn + 1
  local place = turn % players + 1
  if kind == "get" then return wrk.format("GET", prefix .. first[place] .. suffix) end
  local points = kind == "give" and 1 or second[place] + round + math.floor((count - 1) / players)
  return put(format("%s%08x-%04x-4000-8000-%012x", prefix, seed, number, count), first[place], format('{"points":%.0f}', points))
end
