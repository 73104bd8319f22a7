// browser.js - Debian's browser.
import { chromium } from "playwright-core";

export const launch = () => chromium.launch({
	executablePath: "/usr/bin/chromium", args: ["--disable-gpu"],
	chromiumSandbox: process.getuid() !== 0 });
