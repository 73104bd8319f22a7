-- keyed.lua - as move.lua, each move with an Idempotency-Key of its own, as frontends
-- send it.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "move.lua")

local move = request
local serial = 0
local prefix

function request()
	if not prefix then
		local file = io.open("/dev/urandom", "rb")
		prefix = "Idempotency-Key: " .. file:read(8):gsub(".", function(byte)
			return string.format("%02x", byte:byte())
		end) .. "-"
		file:close()
	end
	serial = serial + 1
	local text = move()
	local line = text:find("\r\n", 1, true) + 1
	return text:sub(1, line) .. prefix .. string.format("%08d\r\n", serial) ..
		text:sub(line + 1)
end
