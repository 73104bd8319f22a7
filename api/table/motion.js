// motion.js - what moved, as motion.  Chips and cards carry data-fly, a name that
// stays while they change places; each flies from where it was to where it is.
const FLIGHT_MS = 420;
const NEAR_PX = 4;

const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

/** Draws, and lets all that changed its place fly there. */
export function flying(root, draw) {
	if (isCalm.matches || document.hidden) {
		draw();
		return;
	}
	const places = placesIn(root);
	draw();
	const moved = [...root.querySelectorAll("[data-fly]")].map((node) => {
		const from = places.get(node.dataset.fly);
		return { node, from, to: from && node.getBoundingClientRect() };
	}).filter(({ from, to }) => from && distance(from, to) > NEAR_PX);
	for (const { node, from, to } of moved)
		fly(node, from, to);
}

const placesIn = (root) => new Map([...root.querySelectorAll("[data-fly]")]
	.map((node) => [node.dataset.fly, node.getBoundingClientRect()]));

const distance = (from, to) => Math.hypot(from.left - to.left, from.top - to.top);

function fly(node, from, to) {
	const x = from.left + from.width / 2 - to.left - to.width / 2;
	const y = from.top + from.height / 2 - to.top - to.height / 2;
	const size = from.width / (to.width || 1);
	node.classList.add("flying");
	node.animate([
		{ transform: `translate(${x}px, ${y}px) scale(${size})` },
		{ transform: `translate(${x / 2}px, ${y / 2 - 14}px) scale(${
			(1 + size) / 2 * 1.12})`, offset: 0.5 },
		{ transform: "none" },
	], { duration: FLIGHT_MS, easing: "cubic-bezier(.3, .7, .3, 1)" })
		.finished.catch(() => {}).then(() => node.classList.remove("flying"));
}
