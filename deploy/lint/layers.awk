# layers.awk - each folder includes only what internal/layers allows, which are
# folders or single headers, and no two modules of a folder include each other,
# directly or in a circle.  A module is a .c file with the .h file of its name; no
# two folders of internal/ have modules of the same name.  A folder of a game has
# the row of "games/*", in which "*" is that game, and no other one.
#
#   awk -f deploy/lint/layers.awk internal/layers FILE...
FILENAME == ARGV[1] {
	sub(/#.*/, "")
	if ($1 ~ /:$/) {
		from = substr($1, 1, length($1) - 1)
		may[from, from] = 1
		for (i = 2; i <= NF; i++)
			may[from, $i] = 1
	} else if ($1 ~ /^</) {
		pattern = $1
		gsub(/[.]/, "[.]", pattern)
		gsub(/[*]/, ".*", pattern)
		for (i = 2; i <= NF; i++)
			allowed[pattern, $i] = 1
		patterns[pattern] = 1
	}
	next
}
FNR == 1 {
	folder = FILENAME
	sub(/[^\/]*$/, "", folder)
	sub(/^internal\//, "", folder)
	sub(/\/$/, "", folder)
	base = FILENAME
	sub(/.*\//, "", base)
	sub(/[.][ch]$/, "", base)
	module = folder "/" base
	game = folder ~ /^games\// ? folder : ""
	sub(/^games\//, "", game)
	sub(/\/.*/, "", game)
	layer = folder ~ /^cmd\// ? "cmd" : of_game(folder)
	if (FILENAME ~ /^internal\//) {
		if (base in home && home[base] != folder)
			complain("has another " base " than " home[base])
		home[base] = folder
	}
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, quoted, "\"")
	header = of_game(quoted[2])
	target = header
	sub(/\/?[^\/]*$/, "", target)
	# "x_view.h" as "*_view.h"
	kind = header
	sub(/[^\/]*_/, "*_", kind)
	if (!((layer, target) in may) && !((layer, header) in may) &&
	    !((layer, kind) in may))
		complain("may not include " quoted[2])
	if (target == layer && sub(/[.]h$/, "", quoted[2]) &&
	    quoted[2] != module)
		includes[module] = includes[module] " " quoted[2]
}
/^[ \t]*#[ \t]*include[ \t]*</ {
	match($0, /<.*>/)
	header = substr($0, RSTART, RLENGTH)
	for (pattern in patterns)
		if (header ~ ("^" pattern "$") && header != "<unistd.h>" &&
		    !((pattern, layer) in allowed))
			complain("may not include " header)
}
# A path below the present game's folder, as the rows of internal/layers have it.
function of_game(path)
{
	if (game != "" && (path == "games/" game ||
	    index(path, "games/" game "/") == 1))
		return "games/*" substr(path, length("games/" game) + 1)
	return path
}
function complain(what) {
	printf "%s:%d: %s %s\n", FILENAME, FNR, folder, what
	bad = 1
}
# Go on from a module to the modules that it includes; path leads to the module.  A
# module is done when no module after it leads back.
function follow(module, path,    next_ones, count, i, circle) {
	if (state[module] == "done")
		return
	if (state[module] == "open") {
		circle = path " " module
		sub(".* " module " ", module " ", circle)
		gsub(/ /, " -> ", circle)
		printf "internal: a circle of includes: %s\n", circle
		bad = 1
		return
	}
	state[module] = "open"
	count = split(includes[module], next_ones, " ")
	for (i = 1; i <= count; i++)
		follow(next_ones[i], path " " module)
	state[module] = "done"
}
END {
	for (module in includes)
		follow(module, "")
	exit bad
}
