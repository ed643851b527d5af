import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { eventEnvelope, eventNames } from "#contract/event-envelope";
import { verifyEvent, verifyWebhook } from "#record/events/verify-event";
import { cloudEventsSchema } from "#support/events/cloud-events-schema";
import { eventSamples, sampleSecret } from "./samples.ts";

const files = new Map(eventSamples().map(({ path, text }) => [path, text]));
const bodies = [...files].filter(([path]) => path.endsWith(".json"));
const headersOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    (files.get(path.replace(/\.json$/u, ".headers")) ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
  );
const parsed = (body: string): Record<string, string> => JSON.parse(body);
const isCloudEvent = Compile(cloudEventsSchema);

it("show every event, and whole operations without a gap", () => {
  const types = bodies.map(([, body]) => parsed(body)["type"]);
  for (const name of eventNames) expect(types).toContain(`com.idem.api.workflows.${name}.v1`);
  const operations = Map.groupBy(
    bodies.filter(([path]) => path.split("/").length === 4),
    ([path]) => path.split("/")[2],
  );
  expect(operations.size).toBeGreaterThan(1);
  for (const samples of operations.values()) {
    const events = samples.map(([, body]) => parsed(body));
    expect(events.map(({ sequence }) => Number(sequence))).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map(({ source }) => source)).size).toBe(1);
    expect(events[0]?.["type"]).toContain("operation_started");
    expect(events.at(-1)?.["type"]).toContain("operation_finished");
  }
});

describe.each(bodies)("%s", (path, body) => {
  it("is a CloudEvent, as the specification and our contract describe it", () => {
    const event = parsed(body);
    expect([...isCloudEvent.Errors(event)]).toEqual([]);
    const name = eventNames.find((one) => event["type"] === `com.idem.api.workflows.${one}.v1`);
    expect([...Compile(eventEnvelope(name!, "idem")).Errors(event)]).toEqual([]);
    expect(Buffer.byteLength(body)).toBeLessThan(20_000);
  });

  it("verifies by its own signature and by its headers, with the same id", async () => {
    const event = await verifyEvent(body, [sampleSecret]);
    const headers = headersOf(path);
    const now = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    expect(await verifyWebhook({ body, headers, secrets: [sampleSecret], now })).toEqual(event);
    expect(headers["webhook-id"]).toBe(event["id"]);
  });

  it("has no member whose name is a number, which ECMAScript would move", () => {
    JSON.parse(body, function (this: unknown, key: string, value: unknown) {
      if (!Array.isArray(this)) expect(key).not.toMatch(/^\d+$/u);
      return value;
    });
  });
});
