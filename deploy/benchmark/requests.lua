-- What wrk sends and says: wrk -s requests.lua URL -- KIND SEED THREADS PREFIX SUFFIX FILE FIRST RATE
-- KIND is plain (the URL, again and again), get, register, score or give. FILE has a line each: what comes between
-- PREFIX and SUFFIX (get), or a token and the points its player has (score, give). A thread has a share of the lines
-- and picks among them at random. SEED, another one in each run, makes the ids new. Each score is better than its
-- player's last one; FIRST is more than any of the runs before has added. RATE is how many requests a second all
-- threads together shall send, 0 as many as they can; what could not be sent in time is left out.
local ffi = require("ffi")
local format, random, floor = string.format, math.random, math.floor

local threads = 0
function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

local kind, seed, prefix, suffix, first
local lines, points, added, size = {}, {}, {}, 0
local count = 0

local letters = {}
for letter in ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"):gmatch(".") do
  letters[#letters + 1] = letter
end
-- 43 letters for 32 bytes: four bits of the last one count.
local function token()
  local drawn = {}
  for i = 1, 42 do drawn[i] = letters[random(64)] end
  drawn[43] = letters[random(0, 15) * 4 + 1]
  return "cbd_" .. table.concat(drawn)
end

-- Not wrk.format, which builds tables for each request: on shared cores that would be taken from whoever answers.
local host
local function get(path)
  return format("GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, host)
end
local function put(path, bearer, body)
  return format("PUT %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
    .. "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, host, bearer, #body, body)
end

local function fresh_id()
  return format("%08x-%04x-4000-8000-%012x", seed, number, count)
end

local make = {}
function make.get()
  return get(prefix .. lines[random(size)] .. suffix)
end
function make.register()
  return put(format("%sbench-%x-%d-%d", prefix, seed, number, count), token(), format('{"name":"Player %d"}', count))
end
function make.score()
  local place = random(size)
  added[place] = (added[place] or 0) + 1
  return put(prefix .. fresh_id(), lines[place], format('{"points":%.0f}', points[place] + first + added[place]))
end
function make.give()
  return put(prefix .. fresh_id(), lines[random(size)], '{"points":1}')
end

local function read(file, all)
  local line_number, has_points = 0, kind == "score" or kind == "give"
  for line in io.lines(file) do
    line_number = line_number + 1
    if line_number % all == number - 1 then
      size = size + 1
      if has_points then
        local bearer, held = line:match("(%S+) (%d+)")
        lines[size], points[size] = bearer, tonumber(held)
      else
        lines[size] = line
      end
    end
  end
end

-- A thread's requests leave at the ends of equal intervals, whichever connection is free then.
ffi.cdef [[ struct bench_time { long seconds, nanoseconds; }; int clock_gettime(int clock, struct bench_time *time); ]]
local MONOTONIC, LATE_SECONDS_MAX = 1, 0.05
local now_buffer = ffi.new("struct bench_time")
local function now()
  ffi.C.clock_gettime(MONOTONIC, now_buffer)
  return tonumber(now_buffer.seconds) + tonumber(now_buffer.nanoseconds) / 1e9
end
local function paced(interval)
  local due = 0
  return function()
    local instant = now()
    due = math.max(due + interval, instant - LATE_SECONDS_MAX)
    return math.max(0, floor((due - instant) * 1000))
  end
end

-- wrk looks after this whether there are global functions `request` and `delay`; without the first it sends the same
-- bytes each time.
function init(args)
  kind, seed, prefix, suffix, first = args[1], tonumber(args[2]), args[4], args[5], tonumber(args[7])
  local all, rate = tonumber(args[3]), tonumber(args[8])
  host = wrk.headers["Host"]
  math.randomseed(seed + number)
  if make[kind] then
    read(args[6], all)
    request = function()
      count = count + 1
      return make[kind]()
    end
  end
  if rate > 0 then delay = paced(all / rate) end
end

-- In whole microseconds, where wrk's own lines are rounded to two decimals of whatever unit fits.
function done(summary, latency)
  local errors = summary.errors
  io.write(format("measured requests=%d duration=%d p50=%d p99=%d p999=%d ", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
  io.write(format("status=%d connect=%d read=%d write=%d timeout=%d\n", errors.status, errors.connect, errors.read,
    errors.write, errors.timeout))
end
