"""Reads a QR code of level M with bytes: the reverse of api/table/qr.js, written
from the standard alone.  Every check word is compared, so a wrong module is
found although a reader with error correction would correct it."""

# Check words and blocks of level M, for versions 1 to 14 (ISO/IEC 18004, table 9).
CHECK = (10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24)
BLOCKS = (1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9)
# Where the small squares stand (annex E).
MARKS = ((), (6, 18), (6, 22), (6, 26), (6, 30), (6, 34), (6, 22, 38),
         (6, 24, 42), (6, 26, 46), (6, 28, 50), (6, 30, 54), (6, 32, 58),
         (6, 34, 62), (6, 26, 46, 66))
# The 15 bits of level M by mask (annex C).
FORMATS = ("101010000010010", "101000100100101", "101111001111100",
           "101101101001011", "100010111111001", "100000011001110",
           "100111110010111", "100101010100000")
MASKS = (lambda i, j: (i + j) % 2, lambda i, j: i % 2, lambda i, j: j % 3,
         lambda i, j: (i + j) % 3, lambda i, j: (i // 2 + j // 3) % 2,
         lambda i, j: i * j % 2 + i * j % 3,
         lambda i, j: (i * j % 2 + i * j % 3) % 2,
         lambda i, j: ((i + j) % 2 + i * j % 3) % 2)

EXP, LOG = [1], {1: 0}
for power in range(1, 255):
    value = EXP[-1] << 1
    EXP.append(value ^ 0x11D if value > 255 else value)
    LOG[EXP[-1]] = power


def syndromes(block, count):
    """The block, as a polynomial, at the roots of the generator."""
    found = []
    for root in range(count):
        total = 0
        for word in block:
            total = EXP[(LOG[total] + root) % 255] if total else 0
            total ^= word
        found.append(total)
    return found


def is_fixed(i, j, size, version):
    """Whether row i, column j belongs to a pattern."""
    if i == 6 or j == 6:
        return True
    if (i < 9 and (j < 9 or j >= size - 8)) or (i >= size - 8 and j < 9):
        return True
    if version >= 7 and ((i < 6 and j >= size - 11) or
                         (j < 6 and i >= size - 11)):
        return True
    marks = MARKS[version - 1]
    return any(abs(i - a) <= 2 and abs(j - b) <= 2 for a in marks for b in marks
               if (a, b) not in ((6, 6), (6, marks[-1]), (marks[-1], 6)))


def words_of(rows, version, mask):
    size, bits, is_up = len(rows), [], True
    columns = [j for j in range(size - 1, 6, -2)] + [5, 3, 1]
    for right in columns:
        for i in range(size - 1, -1, -1) if is_up else range(size):
            bits += [rows[i][j] ^ (MASKS[mask](i, j) == 0)
                     for j in (right, right - 1)
                     if not is_fixed(i, j, size, version)]
        is_up = not is_up
    return [int("".join(str(int(bit)) for bit in bits[at:at + 8]), 2)
            for at in range(0, len(bits) - 7, 8)]


def read(rows):
    """The text of a code, whose rows have True for black."""
    size = len(rows)
    version = (size - 17) // 4
    shown = "".join(str(int(rows[8][j])) for j in (0, 1, 2, 3, 4, 5, 7, 8)) + \
        "".join(str(int(rows[i][8])) for i in (7, 5, 4, 3, 2, 1, 0))
    again = "".join(str(int(rows[i][8])) for i in range(size - 1, size - 8, -1)) \
        + "".join(str(int(rows[8][j])) for j in range(size - 8, size))
    if shown != again or not rows[size - 8][8]:
        raise ValueError("the two formats differ")
    mask = FORMATS.index(shown)
    words = words_of(rows, version, mask)
    check, count = CHECK[version - 1], BLOCKS[version - 1]
    total = len(words) - check * count
    lengths = [total // count + (block >= count - total % count)
               for block in range(count)]
    blocks = [[] for _ in range(count)]
    left = iter(words)
    for place in range(max(lengths)):
        for block, length in zip(blocks, lengths):
            if place < length:
                block.append(next(left))
    for _ in range(check):
        for block in blocks:
            block.append(next(left))
    if any(any(syndromes(block, check)) for block in blocks):
        raise ValueError("the check words are wrong")
    data = "".join(f"{word:08b}" for block, length in zip(blocks, lengths)
                   for word in block[:length])
    head = 4 + (8 if version < 10 else 16)
    if data[:4] != "0100":
        raise ValueError("these are no bytes")
    end = head + 8 * int(data[4:head], 2)
    return bytes(int(data[at:at + 8], 2)
                 for at in range(head, end, 8)).decode()
