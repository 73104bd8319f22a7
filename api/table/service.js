// service.js - the service that the page came from, wherever a proxy has put it.
import { Gangd } from "../client/index.js";

// This module lies in table/, beside which the service begins.
export const base = new URL("..", import.meta.url);

export const gangd = new Gangd(base);

/** The address of a page of the table, to be sent to others. */
export const linkTo = (hash) => new URL(hash, base).href;
