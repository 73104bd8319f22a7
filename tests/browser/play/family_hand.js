// family_hand.js - the hand of a person at a table of Famiglia, who plays at random.
// familyStep() runs inside the page, as step() does.

/** Presses something that the page offers, and returns what that was; "" when it
 * is somebody else's turn. */
export function familyStep() {
	const all = (selector) => [...document.querySelectorAll(selector)];
	const any = (list) => list[Math.floor(Math.random() * list.length)];
	const press = (node, what) => {
		node.click();
		return what;
	};
	if (all(".ending").length > 0 || all(".moves").length === 0)
		return "";
	const isPicked = all(".moves header").length > 0;
	const moves = all(isPicked ? ".moves > button, .moves .stack button" :
		".moves > button").filter((button) => !button.disabled);
	// To take a card keeps the game going.
	const takes = moves.filter((button) => button.matches(".primary, .way"));
	const free = all("button.gangster.free");
	const cards = isPicked ? all("button.gangster") : free.length > 0 ? free :
		all(".street button.gangster");
	// A card that is picked needs others, or is put back.  Two who pass in a row
	// would end the game.
	if (isPicked && moves.length > 0)
		return press(any(takes.length > 0 ? takes : moves), "move");
	if (cards.length > 0 && Math.random() < (isPicked ? 0.8 : 0.98))
		return press(any(cards), "card");
	return press(isPicked ? all(".moves header button")[0] : any(moves), "other");
}
