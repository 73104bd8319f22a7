-- games.lua - the common part of get.lua and move.lua: the games that a thread
-- asks for, and the summary.
--
--   BENCH_GAMES     a file with a game a line: its path and a seat's token
--   BENCH_THREADS   the number of threads, wrk's -t
--
-- Each thread has games of its own and asks for them in turn.  With many more
-- games than connections no game has two requests under way at once.

local started = 0

-- Called for each thread before its first request, with the thread's number.
function setup(thread)
	thread:set("number", started)
	started = started + 1
end

-- The thread's games, as what print(path, headers) makes of each.
function read_games(print)
	local threads = tonumber(os.getenv("BENCH_THREADS"))
	local games = {}
	local line = 0

	for text in io.lines(os.getenv("BENCH_GAMES")) do
		local path, token = text:match("^(%S+) (%S+)$")
		if line % threads == number then
			table.insert(games, print(path,
				{ Authorization = "Bearer " .. token }))
		end
		line = line + 1
	end
	return games
end

-- For programs: a last line of names and numbers.  An answer that is no
-- success is an error, as is one that did not come.
function done(summary, latency)
	local errors = summary.errors

	io.write(string.format(
		"rate %.1f p50_us %d p99_us %d requests %d errors %d\n",
		summary.requests / summary.duration * 1e6,
		latency:percentile(50), latency:percentile(99),
		summary.requests, errors.status + errors.connect +
		errors.read + errors.write + errors.timeout))
end
