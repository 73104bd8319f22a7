-- get.lua - read views; see games.lua.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "games.lua")

local games
local at = 0

function init()
	games = read_games(function(path, headers)
		return wrk.format("GET", path, headers)
	end)
end

function request()
	at = at % #games + 1
	return games[at]
end
