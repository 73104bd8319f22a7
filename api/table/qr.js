// qr.js - QR codes (ISO/IEC 18004): bytes, error correction level M, versions 1 to
// 14, which hold up to 362 bytes.  A code is a square of modules, true for black;
// a second square marks the fixed patterns, which no mask changes.
const CHECK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9];
const MASKS = [
	(x, y) => (x + y) % 2 === 0,
	(x, y) => y % 2 === 0,
	(x) => x % 3 === 0,
	(x, y) => (x + y) % 3 === 0,
	(x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
	(x, y) => x * y % 2 + x * y % 3 === 0,
	(x, y) => (x * y % 2 + x * y % 3) % 2 === 0,
	(x, y) => ((x + y) % 2 + x * y % 3) % 2 === 0,
];

/** The rows of a code that holds the text. */
export function qrCode(text) {
	const bytes = [...new TextEncoder().encode(text)];
	const version = CHECK.findIndex((_, at) =>
		bytes.length + (at < 9 ? 2 : 3) <= dataLength(at + 1)) + 1;
	if (version === 0)
		throw new Error(`${bytes.length} bytes are too many for a code`);
	const words = withCheck(dataOf(bytes, version), version);
	const codes = MASKS.map((mask, number) => drawn(version, words, mask, number));
	return codes.reduce((best, code) =>
		penalty(code) < penalty(best) ? code : best);
}

/** How many bytes a version holds, with those that check. */
function rawLength(version) {
	let bits = (16 * version + 128) * version + 64;
	if (version >= 2) {
		const marks = Math.floor(version / 7) + 2;
		bits -= (25 * marks - 10) * marks - 55;
	}
	return Math.floor((version >= 7 ? bits - 36 : bits) / 8);
}

const dataLength = (version) =>
	rawLength(version) - CHECK[version - 1] * BLOCKS[version - 1];

/** The mode, the length, the bytes, and what fills up the rest. */
function dataOf(bytes, version) {
	const length = version < 10 ? [bytes.length] :
		[bytes.length >> 8, bytes.length & 255];
	// Four bits come before: all bytes lie across two words.
	const halves = [4, ...[...length, ...bytes].flatMap((byte) =>
		[byte >> 4, byte & 15]), 0];
	const words = [];
	for (let at = 0; at < halves.length; at += 2)
		words.push(halves[at] << 4 | halves[at + 1]);
	for (let fill = 0xec; words.length < dataLength(version); fill ^= 0xfd)
		words.push(fill);
	return words;
}

// --- error correction (Reed and Solomon, over GF(256) modulo 0x11d) ------------

function product(one, other) {
	let result = 0;
	for (let bit = 7; bit >= 0; bit--) {
		result = result << 1 ^ (result >> 7) * 0x11d;
		result ^= (other >> bit & 1) * one;
	}
	return result;
}

function generator(degree) {
	const factors = [...Array(degree - 1).fill(0), 1];
	for (let step = 0, root = 1; step < degree; step++, root = product(root, 2)) {
		for (let at = 0; at < degree; at++)
			factors[at] = product(factors[at], root) ^ (factors[at + 1] ?? 0);
	}
	return factors;
}

function remainder(words, divisor) {
	const rest = divisor.map(() => 0);
	for (const word of words) {
		const factor = word ^ rest.shift();
		rest.push(0);
		divisor.forEach((each, at) => rest[at] ^= product(each, factor));
	}
	return rest;
}

/** The words in blocks, each with its check words, taken in turns. */
function withCheck(words, version) {
	const count = BLOCKS[version - 1];
	const short = Math.floor(words.length / count);
	const longer = words.length % count; // the last ones have a word more
	const divisor = generator(CHECK[version - 1]);
	let at = 0;
	const blocks = Array.from({ length: count }, (_, block) => {
		const data = words.slice(at,
			at += short + (block >= count - longer ? 1 : 0));
		return { data, check: remainder(data, divisor) };
	});
	const inTurns = (name) => Array.from({ length: 1 + Math.max(
		...blocks.map((block) => block[name].length)) }, (_, place) =>
		blocks.map((block) => block[name][place])).flat()
		.filter((word) => word !== undefined);
	return [...inTurns("data"), ...inTurns("check")];
}

// --- the square ----------------------------------------------------------------

function drawn(version, words, mask, number) {
	const size = 17 + 4 * version;
	const rows = Array.from({ length: size }, () => Array(size).fill(false));
	const fixed = Array.from({ length: size }, () => Array(size).fill(false));
	const set = (x, y, isBlack) => {
		if (x < 0 || y < 0 || x >= size || y >= size)
			return;
		rows[y][x] = Boolean(isBlack);
		fixed[y][x] = true;
	};
	drawPatterns(set, size, version);
	drawFormat(set, size, number);
	drawVersion(set, size, version);
	drawWords(rows, fixed, words);
	return rows.map((row, y) => row.map((isBlack, x) =>
		fixed[y][x] ? isBlack : isBlack !== mask(x, y)));
}

function drawPatterns(set, size, version) {
	for (let at = 0; at < size; at++) {
		set(6, at, at % 2 === 0);
		set(at, 6, at % 2 === 0);
	}
	const square = (x, y, radius, isBlack) => {
		for (let dy = -radius; dy <= radius; dy++) {
			for (let dx = -radius; dx <= radius; dx++)
				set(x + dx, y + dy,
					isBlack(Math.max(Math.abs(dx), Math.abs(dy))));
		}
	};
	for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]])
		square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
	const marks = marksOf(version, size);
	const last = marks.length - 1;
	marks.forEach((x, i) => marks.forEach((y, j) => {
		const isCorner = (i === 0 && j === 0) || (i === 0 && j === last) ||
			(i === last && j === 0);
		if (!isCorner)
			square(x, y, 2, (ring) => ring !== 1);
	}));
}

/** The positions of the small squares, in both directions. */
function marksOf(version, size) {
	if (version === 1)
		return [];
	const count = Math.floor(version / 7) + 2;
	const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
	return [6, ...Array.from({ length: count - 1 }, (_, at) =>
		size - 7 - step * (count - 2 - at))];
}

/** Level M and the mask, with check bits, twice. */
function drawFormat(set, size, number) {
	let rest = number;
	for (let step = 0; step < 10; step++)
		rest = rest << 1 ^ (rest >> 9) * 0x537;
	const bits = (number << 10 | rest) ^ 0x5412;
	const bit = (at) => bits >> at & 1;
	for (let at = 0; at < 15; at++) {
		if (at < 8)
			set(8, at < 6 ? at : at + 1, bit(at));
		else
			set(at === 8 ? 7 : 14 - at, 8, bit(at));
		if (at < 8)
			set(size - 1 - at, 8, bit(at));
		else
			set(8, size - 15 + at, bit(at));
	}
	set(8, size - 8, true);
}

function drawVersion(set, size, version) {
	if (version < 7)
		return;
	let rest = version;
	for (let step = 0; step < 12; step++)
		rest = rest << 1 ^ (rest >> 11) * 0x1f25;
	const bits = version << 12 | rest;
	for (let at = 0; at < 18; at++) {
		const x = size - 11 + at % 3;
		const y = Math.floor(at / 3);
		set(x, y, bits >> at & 1);
		set(y, x, bits >> at & 1);
	}
}

/** The bits in columns of two, alternately up and down, from the right. */
function drawWords(rows, fixed, words) {
	const size = rows.length;
	let at = 0;
	for (let right = size - 1; right >= 1; right -= 2) {
		if (right === 6) // the column of the pattern is skipped
			right = 5;
		const isUp = (right + 1 & 2) === 0;
		for (let step = 0; step < size; step++) {
			const y = isUp ? size - 1 - step : step;
			for (const x of [right, right - 1]) {
				if (!fixed[y][x] && at < words.length * 8) {
					rows[y][x] = (words[at >> 3] >> 7 - (at & 7) & 1) === 1;
					at++;
				}
			}
		}
	}
}

/** How hard a code is to read: long runs and squares of one colour. */
function penalty(rows) {
	let sum = 0;
	const columns = rows.map((_, x) => rows.map((row) => row[x]));
	for (const line of [...rows, ...columns]) {
		let run = 0;
		line.forEach((isBlack, at) => {
			run = at > 0 && isBlack === line[at - 1] ? run + 1 : 1;
			sum += run === 5 ? 3 : run > 5 ? 1 : 0;
		});
	}
	for (let y = 1; y < rows.length; y++) {
		for (let x = 1; x < rows.length; x++) {
			const isBlack = rows[y][x];
			if (isBlack === rows[y - 1][x] && isBlack === rows[y][x - 1] &&
				isBlack === rows[y - 1][x - 1])
				sum += 3;
		}
	}
	return sum;
}
