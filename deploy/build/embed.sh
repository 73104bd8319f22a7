#!/bin/sh
# embed.sh TABLE FILE... - print an assembler source with the contents of FILEs.
#
# TABLE is the name of its array of struct embedded (base/embed.h).
set -eu
table=$1
shift
n=0
echo '	.section .rodata'
for file in "$@"; do
	printf '.Lbytes%d:\n\t.incbin "%s"\n.Lend%d:\n\t.byte 0\n' $n "$file" $n
	printf '.Lname%d:\n\t.asciz "%s"\n' $n "${file##*/}"
	n=$((n + 1))
done
printf '\t.section .data.rel.ro,"aw"\n\t.balign 8\n\t.globl %s\n%s:\n' "$table" "$table"
i=0
while [ $i -lt $n ]; do
	printf '\t.quad .Lname%d, .Lbytes%d, .Lend%d\n' $i $i $i
	i=$((i + 1))
done
printf '\t.quad 0, 0, 0\n\t.section .note.GNU-stack,"",@progbits\n'
