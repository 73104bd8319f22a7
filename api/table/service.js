// service.js - the service that the page came from, wherever a proxy has put it.
import { Gangd } from "../client/index.js";

// The page is the root of the service, whatever follows it in the address.
export const base = new URL(".", location.href);

export const gangd = new Gangd(base);

/** The address of a page of the table, to be sent to others. */
export const linkTo = (hash) => new URL(hash, base).href;
