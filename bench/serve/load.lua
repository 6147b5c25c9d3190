-- load: what a coder's browser asks for, post after post, and how long each answer takes; for wrk, one
-- thread and connection for each coder. Arguments: a file with a cookie on each line, then the pause
-- between two keys in milliseconds. Prints a line for each kind: name, answers, then milliseconds.
local ffi = require("ffi")
ffi.cdef [[
typedef struct { long sec, nsec; } ppmine_time;
int clock_gettime(int clock, ppmine_time *t);
]]

local moment = ffi.new("ppmine_time")
local function now()
    ffi.C.clock_gettime(1, moment)
    return tonumber(moment.sec) * 1000 + tonumber(moment.nsec) / 1e6
end

local threads = {}

function setup(thread)
    thread:set("number", #threads + 1)
    table.insert(threads, thread)
end

-- Times by kind, as texts: wrk hands nothing else from thread to thread.
times = {next = "", page = "", save = "", none = ""}
faults, largest, first_fault = 0, 0, ""

local STEPS = {"symptom", "root cause", "introducing stage", "exposing stage"}
local CODES = {"slow execution time", "not using batch API", "training", "training"}
local cookie, pause, origin, post, step, kind, started

function init(args)
    local n = 0
    for line in io.lines(args[1]) do
        n = n + 1
        if n == number then cookie = line end
    end
    pause, origin = tonumber(args[2]), args[3]
    post, step = nil, 0
end

function delay()
    return pause
end

-- The next post, its page, then a "no", or a code for each of the four facets.
function request()
    local headers = {Cookie = cookie, Host = wrk.headers["Host"]}
    started = now()
    if step == 0 then
        kind = "next"
        return wrk.format("GET", "/code" .. (post and "?after=" .. post or ""), headers)
    elseif step == 1 then
        kind = "page"
        return wrk.format("GET", "/code/" .. post, headers)
    end
    kind = "save"
    headers["Origin"], headers["Content-Type"] = origin, "application/json"
    local body = string.format('{"post_id":%s,"is_problem":false}', post)
    if tonumber(post) % 3 == 0 then
        body = string.format('{"post_id":%s,"codes":{"%s":["%s"]}}', post, STEPS[step - 1], CODES[step - 1])
    end
    return wrk.format("POST", "/api/decide", headers, body)
end

function response(status, headers, body)
    times[kind] = times[kind] .. string.format("%.3f ", now() - started)
    if #body > largest then largest = #body end
    if status ~= 200 and status ~= 303 then
        faults, first_fault = faults + 1, status .. " " .. kind .. " " .. body:sub(1, 300)
        step = 0
    elseif step == 0 then
        post, step = headers["Location"]:match("/code/(%d+)"), 1
    elseif step < 5 and (step == 1 or tonumber(post) % 3 == 0) then
        step = step + 1
    else
        step = 0
    end
end

function done(summary)
    for _, name in ipairs({"next", "page", "save"}) do
        io.write(name)
        for _, thread in ipairs(threads) do
            io.write(" ", (thread:get("times")[name]))
        end
        io.write("\n")
    end
    local n, size, text = 0, 0, ""
    for _, thread in ipairs(threads) do
        n = n + thread:get("faults")
        size = math.max(size, thread:get("largest"))
        text = n > 0 and text == "" and thread:get("first_fault") or text
    end
    local e = summary.errors
    io.write(string.format("faults %d %s\n", n + e.connect + e.read + e.write + e.timeout, text:gsub("\n", " ")))
    io.write(string.format("largest %d\n", size))
end
