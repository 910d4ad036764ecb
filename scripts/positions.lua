-- A script for the load generator wrk: requests these positions from the server in turn.
--   ur serve finkel &
--   wrk -t2 -c64 -d10s --latency -s scripts/positions.lua http://127.0.0.1:8470
local positions = {
    "-:-:L", "4:-:D", "4,8:5,9:L", "2,6:1,8:D", "1,3,8:6,12+1:L", "8,10:4,9+2:D", "5,7,14:3,8:L", "4,8,12+2:1,5:D",
    "6,9,13+1:2,8,11+1:L", "8,12+3:4,10+3:D", "3,8+4:14+4:L", "13,14+4:12,13+4:D",
}
local asked = 0

request = function()
    asked = asked % #positions + 1
    return wrk.format("GET", "/api/finkel/positions/" .. positions[asked])
end
