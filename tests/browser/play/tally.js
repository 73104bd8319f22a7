// tally.js - checks, printed as tests/harness/printing.py reads them.

export class Tally {
	passed = 0;
	failed = 0;

	/** Whether it is good. */
	check(name, isGood, detail = "") {
		if (isGood)
			this.passed += 1;
		else
			this.failed += 1;
		console.log(isGood ? `ok     ${name}` :
			`FAILED ${name} ${typeof detail === "string" ? detail :
				JSON.stringify(detail)}`);
		return Boolean(isGood);
	}

	/** Prints the sum, which is the last line. */
	end() {
		console.log(`${this.passed} passed, ${this.failed} failed`);
		process.exitCode = this.failed > 0 || this.passed === 0 ? 1 : 0;
	}
}

/** The first true value of a function that is asked again and again. */
export async function until(ask, what, ms = 30e3) {
	for (const end = Date.now() + ms; ;) {
		const value = await ask();
		if (value)
			return value;
		if (Date.now() > end)
			throw new Error(`in vain: ${what}`);
		await new Promise((wake) => setTimeout(wake, 15));
	}
}
