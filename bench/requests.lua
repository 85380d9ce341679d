-- Sends the bodies of a file, one per line, and starts over after the last.
-- wrk … -s requests.lua URL -- FILE PATH [TOKEN]
local requests, next_index = {}, 0

function init(args)
  local headers = { ["Content-Type"] = "application/json" }
  if args[3] then headers["Authorization"] = "Bearer " .. args[3] end
  for body in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("POST", args[2], headers, body)
  end
end

function request()
  next_index = next_index % #requests + 1
  return requests[next_index]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  print(string.format(
    'RESULT {"requests":%d,"seconds":%f,"refused":%d,"failed":%d,"p50_ms":%f,"p99_ms":%f,"max_ms":%f}',
    summary.requests, summary.duration / 1e6, errors.status, failed,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000
  ))
end
