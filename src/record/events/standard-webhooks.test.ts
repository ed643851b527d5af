import { describe, expect, it } from "vitest";
import { signStandardWebhook, webhookKeyOf } from "./standard-webhooks.ts";
import { verifyWebhook, WebhookRefused } from "./verify-event.ts";

// Computed from the text of the specification by another implementation: HMAC-SHA256 of `id.timestamp.body`
// with the keys 00 to 1f and 64 to 83.
const current = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const previous = "whsec_ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4CBgoM=";
const signatures = [
  "v1,+d3hKxH+NpTidmmlUCjHPNQEcPa5AofoVs5aABPr0BQ=",
  "v1,LTNhOGJV2Lh2AXkj3EaE4Q7kiiyyNV1mSmQrjbW/WYo=",
];
const timestamp = new Date(1_795_253_400_999);
const message = { id: "msg_1", timestamp, body: '{"name":"Núñez 😀"}' };
const at = (seconds: number) => new Date((1_795_253_400 + seconds) * 1_000);

it("signs id, time in whole seconds and body, with the current and the previous secret", () => {
  expect(signStandardWebhook(message, [current, previous])).toEqual({
    "webhook-id": "msg_1",
    "webhook-timestamp": "1795253400",
    "webhook-signature": signatures.join(" "),
  });
});

it.each([
  ["23 bytes", Buffer.alloc(23).toString("base64")],
  ["65 bytes", Buffer.alloc(65).toString("base64")],
  ["no Base64", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8*"],
  ["no padding", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"],
])("refuses a secret of %s, without showing it", (_what, secret) => {
  expect(() => webhookKeyOf(secret)).toThrow(/^A webhook secret is 'whsec_' and Base64 of 24 to 64 bytes$/);
});

describe("a receiver", () => {
  const headers = signStandardWebhook(message, [current, previous]);
  const verify = (change: Partial<Parameters<typeof verifyWebhook>[0]> = {}) =>
    verifyWebhook({ body: message.body, headers, secrets: [current], now: at(0), ...change });

  it("accepts a message with either secret during a rotation, as text and as bytes", async () => {
    const event = { name: "Núñez 😀" };
    expect(await verify()).toEqual(event);
    expect(await verify({ secrets: [previous] })).toEqual(event);
    expect(await verify({ body: Buffer.from(message.body) })).toEqual(event);
  });

  it("accepts header names in any case, and the Headers of fetch", async () => {
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    await verify({ headers: upper });
    await verify({ headers: new Headers({ ...headers }) });
  });

  it("skips signatures of other versions, and needs one that holds", async () => {
    const signed = (text: string) => ({ headers: { ...headers, "webhook-signature": text } });
    await verify(signed(`v1a,AAAA v2,AAAA v1,AAAA ${signatures[0]}`));
    const right = signatures[0]!.slice(3);
    for (const text of [
      "v1,",
      right,
      `v2,${right}`,
      `v1,${right},v1,${right}`,
      `v1,${right.slice(0, -2)}A=`,
      "v1",
    ]) {
      await expect(verify(signed(text)), text).rejects.toThrow(WebhookRefused);
    }
  });

  it("takes a message within 300 seconds, and none before or after", async () => {
    for (const seconds of [-300, 300]) await verify({ now: at(seconds) });
    for (const seconds of [-301, 301]) {
      await expect(verify({ now: at(seconds) })).rejects.toThrow(
        "too old, or the clock of the receiver is wrong",
      );
    }
    await verify({ now: at(301), toleranceSeconds: 400 });
  });

  it("refuses a changed body, id or time, a missing header, another secret, and what is no time", async () => {
    const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const refused: Partial<Parameters<typeof verifyWebhook>[0]>[] = [
      { body: `${message.body} ` },
      { secrets: [other] },
      { secrets: [] },
      ...["msg_2", ""].map((id) => ({ headers: { ...headers, "webhook-id": id } })),
      ...["1795253401", "", "hello", "1e9", "-5"].map((time) => ({
        headers: { ...headers, "webhook-timestamp": time },
      })),
      ...Object.keys(headers).map((name) => ({ headers: { ...headers, [name]: undefined } })),
    ];
    for (const change of refused) await expect(verify(change)).rejects.toThrow(WebhookRefused);
  });
});
