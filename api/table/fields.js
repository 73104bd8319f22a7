// fields.js - parts of forms that several pages have.
import { h } from "./dom.js";
import { avatar, keepAvatar, keepName, typedName } from "./seats.js";
import { chooseLanguage, language, LANGUAGES, t } from "./text.js";

/** The reader's name, which is kept as it is typed. */
export const nameField = () => h("label", { class: "field" },
	h("span", {}, t("your_name")),
	h("input", { name: "name", maxlength: 24, autocomplete: "nickname",
		value: typedName(), placeholder: t("name_hint"), required: true,
		oninput: ({ target }) => keepName(target.value) }));

// Signs that most fonts have; the first one means the name's first letter.
const AVATARS = ["", ..."♞♛♜♫☀☾☂⚓☘"];

/** The reader's avatar, which is kept as it is chosen. */
export const avatarField = (draw) => choice("avatar", t("avatar"),
	AVATARS.map((value) => ({ value, label: value ||
		[...typedName().trim() || "?"][0].toUpperCase() })), avatar(), (value) => {
		keepAvatar(value);
		draw();
	});

/** Buttons of which one is chosen. `options` are `{ value, label, text }`. */
export const choice = (name, legend, options, value, onChoose) =>
	h("fieldset", { class: "choice" }, h("legend", {}, legend),
		h("div", { class: "options" }, options.map((option) =>
			h("label", { class: "option", key: option.value },
				h("input", { type: "radio", name, value: option.value,
					checked: option.value === value,
					onchange: () => onChoose(option.value) }),
				h("span", {}, option.label)))),
		options.map((option) => option.value === value && option.text &&
			h("p", { class: "quiet", key: option.value }, option.text)));

export const toggle = (label, checked, onChange) => h("label", { class: "toggle" },
	h("input", { type: "checkbox", role: "switch", checked,
		onchange: ({ target }) => onChange(target.checked) }),
	h("span", {}, label));

/** The languages, if there is more than one. */
export function languageChoice() {
	const codes = Object.keys(LANGUAGES);
	return codes.length > 1 && h("label", { class: "language" },
		h("span", { class: "unseen" }, t("language")),
		h("select", { value: language, onchange: ({ target }) =>
			chooseLanguage(target.value) }, codes.map((code) => h("option", { key: code, value: code,
			lang: code, selected: code === language }, LANGUAGES[code].name))));
}
