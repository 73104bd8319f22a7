// Shows the contract with Swagger UI, or as a plain list when the service was
// built without it.
"use strict";

const place = document.getElementById("contract");

function cell(row, kind, text) {
	const element = document.createElement(kind);
	element.textContent = text;
	row.append(element);
	return element;
}

function listOperations(contract) {
	const table = document.createElement("table");
	table.className = "operations";
	for (const [path, item] of Object.entries(contract.paths)) {
		for (const method of ["get", "post", "delete"]) {
			if (!item[method])
				continue;
			const row = table.insertRow();
			cell(row, "th", method.toUpperCase());
			cell(cell(row, "td", ""), "code", path);
			cell(row, "td", item[method].summary);
		}
	}
	place.replaceChildren(table);
}

// A cached contract may be a day old; this page belongs to the present service.
function askAnew(request) {
	if (request.loadSpec)
		request.cache = "no-cache";
	return request;
}

if (window.SwaggerUIBundle) {
	SwaggerUIBundle({
		url: "/openapi.json",
		requestInterceptor: askAnew,
		domNode: place,
		deepLinking: true,
		defaultModelsExpandDepth: 0,
		validatorUrl: null, // nothing is asked of anybody else
	});
} else {
	fetch("/openapi.json", { cache: "no-cache" })
		.then((answer) => answer.json())
		.then(listOperations);
}
