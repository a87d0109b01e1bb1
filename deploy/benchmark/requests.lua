-- What wrk sends and says:
-- wrk -s requests.lua URL -- KIND SEED THREADS PREFIX SUFFIX FILE FIRST RATE OFTEN FEW KEYS PREPARED
-- KIND is plain (the URL, again and again), get, own (by the token of one of the first FEW posters), register, score,
-- sign (a score that is signed) or donate. FILE has a line each for what comes between PREFIX and SUFFIX (get), or
-- eight bytes each for the points that poster 1, 2, ... has (score, sign, donate). A thread has a share of them and
-- picks among it at random: OFTEN percent of the time among those of the first FEW, else among all. SEED, another one
-- in each run, makes the ids new. Each score is better than its player's last one; FIRST is more than any of the runs
-- before has added. RATE is how many requests a second all threads together shall send, 0 as many as they can; what
-- could not be sent in time is left out. KEYS has the 32 bytes each by which poster 1, 2, ... signs. Each thread makes
-- PREPARED requests before wrk's clock starts.
local ffi = require("ffi")
local format, random, floor = string.format, math.random, math.floor

local threads = 0
function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

local kind, seed, prefix, suffix, first
local lines, points, added = {}, nil, nil
local all, size, often, few = 1, 0, 0, 0    -- how many threads there are; of this thread's share
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
-- The token of a poster is its number in 32 bytes, which has 28 bits at most: making it costs less than finding it
-- among a million texts.
local zeros = "cbd_" .. ("A"):rep(38)
local function token_of(poster)
  local high = floor(poster / 16)
  return zeros .. letters[floor(high / 262144) % 64 + 1] .. letters[floor(high / 4096) % 64 + 1]
    .. letters[floor(high / 64) % 64 + 1] .. letters[high % 64 + 1] .. letters[poster % 16 * 4 + 1]
end
-- A number of the thread's share: all threads together have each number once, the smallest first.
local function pick()
  local place = often > 0 and random() < often and random(few) or random(size)
  return (place - 1) * all + number
end

-- Not wrk.format, which builds tables for each request: on shared cores that would be taken from whoever answers.
local host
local function get(path)
  return format("GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, host)
end
local function put(path, bearer, body, more)
  return format("PUT %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n%s"
    .. "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, host, bearer, more or "", #body, body)
end

ffi.cdef [[
  const void *EVP_sha256(void);
  unsigned char *SHA256(const char *bytes, size_t count, unsigned char *digest);
  unsigned char *HMAC(const void *hash, const void *key, int key_bytes, const char *bytes, size_t count,
                      unsigned char *code, unsigned int *code_bytes);
]]
local KEY_BYTES = 32
local crypto, keys                          -- the library that wrk has for TLS; what FILE has for points
local digest, digest_bytes = ffi.new("unsigned char[32]"), ffi.new("unsigned int[1]")
local hex_of = {}
for byte = 0, 255 do hex_of[byte] = format("%02x", byte) end
local hex_buffer = {}
local function hex()
  for i = 0, 31 do hex_buffer[i + 1] = hex_of[digest[i]] end
  return table.concat(hex_buffer)
end
-- The header by which a poster signs, as the article Signing has it.
local function signature(poster, path, body)
  local time = os.time()
  crypto.SHA256(body, #body, digest)
  local said = format("v1\nPUT\n%s\n%d\n%s", path, time, hex())
  crypto.HMAC(crypto.EVP_sha256(), keys + (poster - 1) * KEY_BYTES, KEY_BYTES, said, #said, digest, digest_bytes)
  return format("Causeboard-Signature: t=%d,v1=%s\r\n", time, hex())
end

local function fresh_id()
  return format("%08x-%04x-4000-8000-%012x", seed, number, count)
end

local make = {}
function make.get()
  return get(prefix .. lines[random(size)] .. suffix)
end
function make.own()
  return format("GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", prefix, host, token_of(pick()))
end
function make.register()
  -- Players who register are as many clients as they are.
  local client = format("X-Forwarded-For: 10.%d.%d.%d\r\n", random(0, 255), random(0, 255), random(1, 254))
  return put(format("%sbench-%x-%d-%d", prefix, seed, number, count), token(), format('{"name":"Player %d"}', count),
    client)
end
local function better_of(poster)
  added[poster] = added[poster] + 1
  return format('{"points":%.0f}', tonumber(points[poster - 1]) + first + added[poster])
end
function make.score()
  local poster = pick()
  return put(prefix .. fresh_id(), token_of(poster), better_of(poster))
end
function make.sign()
  local poster = pick()
  local path, body = prefix .. fresh_id(), better_of(poster)
  return put(path, token_of(poster), body, signature(poster, path, body))
end
function make.donate()
  return put(prefix .. fresh_id(), token_of(pick()), '{"points":1}')
end

local function read_lines(file)
  local line_number = 0
  for line in io.lines(file) do
    line_number = line_number + 1
    if line_number % all == number - 1 then
      size = size + 1
      lines[size] = line
    end
  end
end
local function share(posters)
  return floor((posters - number) / all) + 1
end
local function read_bytes(file)
  local opened = assert(io.open(file, "rb"))
  local bytes = opened:read("*a")
  opened:close()
  return bytes
end
local function read_points(file)
  local bytes = read_bytes(file)
  local posters = #bytes / 8
  points, added = ffi.new("int64_t[?]", posters), ffi.new("int32_t[?]", posters + 1)
  ffi.copy(points, bytes, #bytes)
  size = share(posters)
end

local key_bytes                             -- keeps what `keys` points to
local function read_keys(file)
  key_bytes, crypto = read_bytes(file), ffi.load("crypto")
  keys = ffi.cast("const unsigned char *", key_bytes)
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
  local rate
  all, rate, often = tonumber(args[3]), tonumber(args[8]), tonumber(args[9]) / 100
  few = share(tonumber(args[10]))
  host = wrk.headers["Host"]
  math.randomseed(seed + number)
  if make[kind] then
    if kind == "own" then
      size = few
    elseif kind == "score" or kind == "sign" or kind == "donate" then
      read_points(args[6])
    else
      read_lines(args[6])
    end
    if kind == "sign" then read_keys(args[11]) end
    local function made()
      count = count + 1
      return make[kind]()
    end
    local prepared, sent = {}, 0
    for i = 1, tonumber(args[12]) do prepared[i] = made() end
    -- They stay until the end, so nothing is gained by looking for what can go.
    if #prepared > 0 then collectgarbage("stop") end
    request = function()
      sent = sent + 1
      return prepared[sent] or made()
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
