-- chip.lua - take chips by the chip's route, saying from where, as the bodies of
-- legal_actions do; see move.lua.
function format_take(path, headers, stars)
	headers["Content-Type"] = "application/json"
	return wrk.format("POST", path .. "/chips/white/" .. stars .. "/take",
		headers, '{"from":"center"}')
end

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "move.lua")
