import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { assetTypes, linkedAssets } from "#contract/event";
import { eventData } from "#contract/event-data";
import { eventEnvelope, eventNames } from "#contract/event-envelope";
import { exampleOf } from "#contract/example";
import { type PublishedEvent, signatureKeyOf, writeCloudEvent } from "./cloud-event.ts";
import { canonicalText, receivable } from "./receivable.ts";
import { type VerifiedEvent, verifyEvent, WebhookRefused } from "./verify-event.ts";

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const options = {
  vendor: "idem",
  linkTo: ({ id }: { readonly id: string }) => `https://idem.example.org/assets/${id}`,
  secret: signatureKeyOf(secret),
};
const evaluated: PublishedEvent = {
  tenantId: "t",
  environment: "test",
  id: "5b0f7c9e-58a4-4b35-9d38-1a0f4a4c7e21",
  operationId: "op~1",
  sequence: 12,
  name: "facial_authentication_evaluated",
  at: new Date("2026-11-21T09:30:00.000Z"),
  data: { status: "Positive", similarity: 0.99214232 },
  assets: [{ id: "a1", type: "selfie" }],
};

it("is canonical JSON with the signature at its sorted place", () => {
  const unsigned =
    '{"data":{"links":{"assets":[{"type":"selfie","url":"https://idem.example.org/assets/a1"}]},"similarity":0.99214232,' +
    '"status":"Positive"},"datacontenttype":"application/json","id":"5b0f7c9e-58a4-4b35-9d38-1a0f4a4c7e21",' +
    '"sequence":"0000000012","source":"/operations/op~1","specversion":"1.0","time":"2026-11-21T09:30:00.000Z",' +
    '"type":"com.idem.api.workflows.facial_authentication_evaluated.v1"}';
  const mac = createHmac("sha256", Buffer.from(secret, "utf8")).update(unsigned, "utf8").digest("base64");
  expect(writeCloudEvent(evaluated, options)).toBe(
    unsigned.replace(',"source"', `,"signature":"${mac}","source"`),
  );
});

it("gives the signed bytes to a receiver that parses, deletes the signature and writes again", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fieldName, fc.jsonValue()),
      fc.string({ unit: "binary" }),
      (ocr, operationId) => {
        const data = JSON.parse(JSON.stringify({ ocr: namedMembers(ocr) }));
        const body = writeCloudEvent(
          { ...evaluated, name: "id_captured", operationId, data, assets: [] },
          options,
        );
        const { signature, ...content } = JSON.parse(body);
        expect(JSON.stringify({ ...content })).toBe(body.replace(`"signature":"${signature}",`, ""));
        expect(createHmac("sha256", secret).update(JSON.stringify(content)).digest("base64")).toBe(signature);
      },
    ),
  );
});

/**
 * Names of fields: ECMAScript writes a name that is a number before all others, so no event has such a name.
 */
const fieldName = fc.string({ minLength: 1 }).map((name) => `f${name}`);
const namedMembers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(namedMembers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [`f${name}`, namedMembers(part)]));
};

it.each(eventNames)("fits the contract with kept images and without: %s", (name) => {
  const fits = Compile(eventEnvelope(name, "idem"));
  const assets = linkedAssets[name].map((type) => ({ id: type, type }));
  for (const kept of [assets, []]) {
    const event = JSON.parse(
      writeCloudEvent({ ...evaluated, name, data: published(dataOf[name]), assets: kept }, options),
    );
    expect([...fits.Errors(event)]).toEqual([]);
    const links = event.data.assets ?? event.data.links?.assets ?? [event.data.asset].filter(Boolean);
    expect(links.map(({ type }: { type: string }) => type)).toEqual(kept.map(({ type }) => type));
    for (const attribute of Object.keys(event)) expect(attribute).toMatch(/^[a-z0-9]{1,20}$/);
  }
});

/** Plain data, as an opened event has it. */
const published = (data: object): PublishedEvent["data"] => JSON.parse(JSON.stringify(data));

const dataOf: Readonly<Record<PublishedEvent["name"], Parameters<typeof published>[0]>> = {
  operation_started: { customerId: "customer-1" },
  id_captured: { ocr: exampleOf(eventData.id_captured.properties.ocr) },
  selfie_captured: {},
  facial_authentication_evaluated: evaluated.data,
  passive_liveness_evaluated: { diagnostic: "Live" },
  id_validated: { validation: exampleOf(eventData.id_validated.properties.validation) },
  operation_finished: { status: "SUCCEEDED", context: { customerId: "customer-1" } },
};

it("has no `asset` where the selfie is not kept", () => {
  const body = writeCloudEvent({ ...evaluated, name: "selfie_captured", data: {}, assets: [] }, options);
  expect(JSON.parse(body).data).toEqual({});
});

it("orders the texts of `sequence` as the events", () => {
  const sequences = [1, 9, 10, 2_147_483_647].map(
    (sequence) => JSON.parse(writeCloudEvent({ ...evaluated, sequence }, options)).sequence,
  );
  expect(sequences).toEqual(["0000000001", "0000000009", "0000000010", "2147483647"]);
  expect(sequences.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(sequences);
});

describe("values that other JSON libraries would write differently", () => {
  it("become a number that is 0 or at least 0.0001, and a text without half surrogates", () => {
    const numbers = [1e-7, -1e-7, 0.00005, -0.00006, 0.0001, 0.00012345, 0.99214232, 12, -0];
    expect(receivable(numbers)).toEqual([0, 0, 0.0001, -0.0001, 0.0001, 0.00012345, 0.99214232, 12, 0]);
    expect(receivable({ "a\ud800": ["\udc00b", "😀"] })).toEqual({ "a\ufffd": ["\ufffdb", "😀"] });
  });

  it("are refused by canonical JSON", () => {
    for (const value of ["\ud800", { "\udc00": 1 }, [Number.NaN]]) {
      expect(() => canonicalText(value)).toThrow();
    }
  });

  it("never stop an accepted event", () => {
    const data = { customerId: "half \ud83d" };
    const body = writeCloudEvent(
      { ...evaluated, name: "operation_started", operationId: "\ud800", data, assets: [] },
      options,
    );
    expect(JSON.parse(body)).toMatchObject({
      source: "/operations/%EF%BF%BD",
      data: { customerId: "half \ufffd" },
    });
  });
});

describe("the verification function", () => {
  const body = writeCloudEvent(evaluated, options);

  it("accepts the body, its bytes, and the parsed event in any order of its members", async () => {
    const event: VerifiedEvent = JSON.parse(body);
    expect(await verifyEvent(body, [secret])).toEqual(event);
    expect(await verifyEvent(Buffer.from(body), ["whsec_other", secret])).toEqual(event);
    expect(await verifyEvent(Object.fromEntries(Object.entries(event).toReversed()), [secret])).toEqual(
      event,
    );
  });

  it("refuses a change anywhere, another secret, and what is no event", async () => {
    for (let index = 0; index < body.length; index += 1) {
      const changed = `${body.slice(0, index)}${body[index] === "1" ? "2" : "1"}${body.slice(index + 1)}`;
      await expect(verifyEvent(changed, [secret]), changed).rejects.toThrow(WebhookRefused);
    }
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const huge = body.replace("0.99214232", "1e999");
    for (const wrong of [
      "",
      "[]",
      "null",
      '"a"',
      "{}",
      '{"signature":7}',
      huge,
      `{"signature":"AAAA","a":${deep}}`,
    ]) {
      await expect(verifyEvent(wrong, [secret]), wrong.slice(0, 50)).rejects.toThrow(WebhookRefused);
    }
    await expect(verifyEvent(body, ["whsec_other"])).rejects.toThrow(WebhookRefused);
  });
});

it("links each kind of image that the contract names", () => {
  expect(new Set(Object.values(linkedAssets).flat())).toEqual(new Set(assetTypes));
});
