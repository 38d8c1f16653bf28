-- Sends checks or confirms, and prints what wrk counted as one line of JSON. BENCH_CALL, BENCH_TOKEN, BENCH_AGENTS and
-- BENCH_SALT are required; BENCH_HOT sends every confirm for the first agent.
local agents = tonumber(os.getenv("BENCH_AGENTS"))
local salt = os.getenv("BENCH_SALT")
local is_hot = os.getenv("BENCH_HOT") ~= nil
local sent = 0
local check_head, check_tail, confirm_head

local function agent()
  return string.format("A%07d", is_hot and 1 or math.random(agents))
end

local function check()
  return check_head .. agent() .. check_tail
end

-- The salt is of this run alone, so a transaction id never repeats.
local function confirm()
  sent = sent + 1
  local body = '{"transactionId":"' .. salt .. "-" .. sent .. '","agentId":"' .. agent() .. '","amount":1000}'
  return confirm_head .. #body .. "\r\n\r\n" .. body
end

function init()
  math.randomseed(tonumber(string.sub(salt, 1, 7), 16))
  local headers = "Host: " .. wrk.headers["Host"] .. "\r\nAuthorization: Bearer " .. os.getenv("BENCH_TOKEN") .. "\r\n"
  check_head = "GET /service/check/"
  check_tail = " HTTP/1.1\r\n" .. headers .. "\r\n"
  confirm_head = "POST /service/confirm HTTP/1.1\r\n" .. headers
    .. "Content-Type: application/json\r\nContent-Length: "
end

request = os.getenv("BENCH_CALL") == "check" and check or confirm

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"answers":%d,"refused":%d,"broken":%d,"timeouts":%d,"micros":%d,"p50":%d,"p99":%d}\n',
    summary.requests, errors.status, errors.connect + errors.read + errors.write, errors.timeout,
    summary.duration, latency:percentile(50), latency:percentile(99)))
end
