# layers.awk - check that each folder includes only the headers that
# internal/layers allows.
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
	split(FILENAME, part, "/")
	layer = part[1] == "cmd" ? "cmd" : part[2]
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, quoted, "\"")
	split(quoted[2], path, "/")
	if (!((layer, path[1]) in may))
		complain("may not include " quoted[2])
}
/^[ \t]*#[ \t]*include[ \t]*</ {
	match($0, /<.*>/)
	header = substr($0, RSTART, RLENGTH)
	for (pattern in patterns)
		if (header ~ ("^" pattern "$") && header != "<unistd.h>" &&
		    !((pattern, layer) in allowed))
			complain("may not include " header)
}
function complain(what) {
	printf "%s:%d: %s %s\n", FILENAME, FNR, layer, what
	bad = 1
}
END { exit bad }
