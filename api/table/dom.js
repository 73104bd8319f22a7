// dom.js - elements from data, and a page that follows them.  All text goes in as
// text nodes, so nothing that comes from the service is ever read as HTML.
const SVG = "http://www.w3.org/2000/svg";

// Of an element made here: its key among its siblings, its handlers, and the
// properties that attributes do not carry.
const KEY = Symbol("key");
const HANDLERS = Symbol("handlers");
const LIVE = ["value", "checked", "disabled", "open"];

/** An element: `on...` are handlers, `key` names it among its siblings, and of
 * the children false, null and undefined are left out. */
export const h = (name, props, ...children) =>
	make(document.createElement(name), props, children);

/** The same for SVG. */
export const s = (name, props, ...children) =>
	make(document.createElementNS(SVG, name), props, children);

function make(node, props, children) {
	node[HANDLERS] = {};
	for (const [name, value] of Object.entries(props ?? {})) {
		if (name === "key")
			node[KEY] = `${value}`;
		else if (name.startsWith("on"))
			node[name] = node[HANDLERS][name] = value;
		else if (LIVE.includes(name) && name in node && name !== "open")
			node[name] = value;
		else if (value === true)
			node.setAttribute(name, "");
		else if (value !== false && value !== null && value !== undefined)
			node.setAttribute(name, value);
	}
	node.append(...nodesOf(children));
	return node;
}

const nodesOf = (children) => children.flat(Infinity)
	.filter((child) => child !== null && child !== undefined && child !== false)
	.map((child) => child instanceof Node ? child :
		document.createTextNode(`${child}`));

/** Make the children of `parent` like these.  Elements that stay are kept, with
 * their focus, their scrolling and their animations. */
export function patch(parent, ...children) {
	const focused = document.activeElement;
	const place = focused?.getAttribute?.("data-fly");
	reconcile(parent, nodesOf(children));
	if (!focused || focused === document.activeElement)
		return;
	if (focused.isConnected)
		focused.focus({ preventScroll: true });
	else if (place)
		parent.querySelector(`button[data-fly="${place}"]`)?.focus();
}

function reconcile(parent, wanted) {
	const keyed = new Map([...parent.childNodes]
		.filter((node) => node[KEY]).map((node) => [node[KEY], node]));
	let at = parent.firstChild;
	for (const node of wanted) {
		const old = node[KEY] ? keyed.get(node[KEY]) : at;
		if (!old || !isLike(old, node)) {
			parent.insertBefore(node, at);
		} else if (old === at) {
			at = at.nextSibling;
			update(old, node);
		} else {
			parent.insertBefore(old, at);
			update(old, node);
		}
	}
	while (at) {
		const next = at.nextSibling;
		at.remove();
		at = next;
	}
}

const isLike = (old, node) => old.nodeName === node.nodeName &&
	old[KEY] === node[KEY];

function update(old, node) {
	if (node.nodeType === Node.TEXT_NODE) {
		if (old.data !== node.data)
			old.data = node.data;
		return;
	}
	for (const { name } of [...old.attributes]) {
		// The user opens and closes these.
		if (!node.hasAttribute(name) && name !== "open")
			old.removeAttribute(name);
	}
	for (const { name, value } of node.attributes) {
		if (old.getAttribute(name) !== value && name !== "open")
			old.setAttribute(name, value);
	}
	for (const name of LIVE) {
		if (name in node && name !== "open" && old[name] !== node[name])
			old[name] = node[name];
	}
	for (const name of Object.keys(old[HANDLERS] ?? {}))
		old[name] = null;
	Object.assign(old, node[HANDLERS]);
	old[HANDLERS] = node[HANDLERS];
	reconcile(old, [...node.childNodes]);
}
