/*!
* Verifies workflow events of an Idem deployment: `import { verifyWebhook } from "./verify-event.js"`. Runs in Node 20 or later
* and wherever WebCrypto is, and imports nothing. Written by `npm run golden` from src/record/events/verify-event.ts (Apache-2.0).
*/
// src/contract/canonical-json.ts
const canonicalJson = (value) => {
	if (typeof value === "number" && !Number.isFinite(value)) throw new Error("A number that is not finite has no form in JSON");
	if (value === null || typeof value !== "object") return JSON.stringify(value);
	if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
	return `{${Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
};
const isList = (value) => Array.isArray(value);
// src/record/events/verify-event.ts
var WebhookRefused = class extends Error {
	name = "WebhookRefused";
};
const standardToleranceSeconds = 300;
const verifyWebhook = async ({ body, headers, secrets, now = new Date(), toleranceSeconds = standardToleranceSeconds }) => {
	const [id, timestamp, signatures] = [
		"id",
		"timestamp",
		"signature"
	].map((name) => headerOf(headers, `webhook-${name}`));
	if (!id || !timestamp || !signatures) throw new WebhookRefused("A webhook header is missing");
	if (!/^[0-9]{1,12}$/.test(timestamp)) throw new WebhookRefused("The header webhook-timestamp is no time");
	if (Math.abs(now.getTime() / 1e3 - Number(timestamp)) > toleranceSeconds) throw new WebhookRefused("The message is too old, or the clock of the receiver is wrong");
	const signed = joined(utf8(`${id}.${timestamp}.`), bytesOf(body));
	const given = signatures.split(" ").filter((one) => one.startsWith("v1,")).map((one) => one.slice(3));
	if (!await isSigned(secrets.map(webhookKey), given, signed)) throw new WebhookRefused("No signature of the header webhook-signature holds");
	return objectOf(parsed(body));
};
const verifyEvent = async (event, secrets) => {
	const whole = objectOf(typeof event === "string" || event instanceof Uint8Array ? parsed(event) : event);
	const { signature, ...content } = whole;
	if (typeof signature !== "string") throw new WebhookRefused("The event has no signature");
	if (!await isSigned(secrets.map(utf8), [signature], utf8(canonicalOf(content)))) throw new WebhookRefused("The signature of the event does not hold");
	return whole;
};
const headerOf = (headers, name) => {
	if (headers instanceof Headers) return headers.get(name) ?? void 0;
	const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
	return typeof value === "string" ? value : value?.join(" ");
};
const webhookKey = (secret) => base64Bytes(secret.replace(/^whsec_/, "")) ?? refuseSecret();
const refuseSecret = () => {
	throw new Error("The secret is not 'whsec_' and Base64");
};
const isSigned = async (keys, signatures, signed) => {
	const algorithm = {
		name: "HMAC",
		hash: "SHA-256"
	};
	for (const bytes of keys) {
		const key = await crypto.subtle.importKey("raw", owned(bytes), algorithm, false, ["verify"]);
		for (const signature of signatures) {
			const mac = base64Bytes(signature);
			if (mac && await crypto.subtle.verify("HMAC", key, owned(mac), owned(signed))) return true;
		}
	}
	return false;
};
const base64Bytes = (text) => {
	if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return void 0;
	return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
};
const utf8 = (text) => new TextEncoder().encode(text);
const bytesOf = (body) => typeof body === "string" ? utf8(body) : body;
const owned = (bytes) => new Uint8Array(bytes);
const joined = (first, second) => {
	const whole = new Uint8Array(first.length + second.length);
	whole.set(first);
	whole.set(second, first.length);
	return whole;
};
const parsed = (body) => {
	try {
		return JSON.parse(typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body));
	} catch {
		throw new WebhookRefused("The body is no JSON");
	}
};
const objectOf = (value) => {
	if (!isObject(value)) throw new WebhookRefused("The body is no event");
	return value;
};
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const canonicalOf = (content) => {
	try {
		return canonicalJson(content);
	} catch {
		throw new WebhookRefused("The event has no canonical form");
	}
};
export { WebhookRefused, verifyEvent, verifyWebhook };
