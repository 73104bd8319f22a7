-- command.lua - take chips by POST .../actions; see move.lua.
function format_take(path, headers, stars)
	headers["Content-Type"] = "application/json"
	return wrk.format("POST", path .. "/actions", headers,
		'{"action":"take_chip","color":"white","from":"center","stars":' .. stars ..
		'}')
end

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "move.lua")
