/**
 * The samples under examples/events: each event as a delivery carries it, body and headers. The data are
 * recorded from a run of the service on artificial images (record.ts). Ids, links and the secret are made
 * here, so the samples are always equal.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { EventName } from "#contract/event";
import { cloudEventContentType, signatureKeyOf, writeCloudEvent } from "#record/events/cloud-event";
import { signStandardWebhook } from "#record/events/standard-webhooks";
import { linksOf } from "#record/operations/sealed-event";
import { type RecordedEvent, readRecorded } from "./recorded.ts";

const sha256 = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();

/** A UUID (version 8, RFC 9562) of a text. */
const uuidOf = (text: string): string => {
  const bytes = sha256(text).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5");
};

/** Published: it proves nothing. No destination may have it. */
export const sampleSecret = `whsec_${sha256("Idem: secret of the samples, published").toString("base64")}`;

/** The secret before it, so that the headers show a rotation. */
const formerSecret = `whsec_${sha256("Idem: former secret of the samples, published").toString("base64")}`;

const linkMs = 15 * 60_000;
const deliveredAfterMs = 140;

const pathOf = (name: EventName): string => name.replaceAll("_", "-");

/** Two digits, so that the files stand in the order of the events. */
const placeOf = ({ sequence }: RecordedEvent): string => String(sequence).padStart(2, "0");

type Sample = { readonly path: string; readonly text: string };

/** One event as two files: the exact bytes of the body, and the headers of its delivery. */
const filesOf = (path: string, operationId: string, event: RecordedEvent): readonly Sample[] => {
  const at = new Date(event.at);
  const timestamp = new Date(at.getTime() + deliveredAfterMs);
  const assets = event.assets.map((type) => ({ id: uuidOf(`${operationId} ${type}`), type }));
  const expires = String(Math.ceil((timestamp.getTime() + linkMs) / 1_000));
  const id = uuidOf(`${operationId} ${event.sequence}`);
  const body = writeCloudEvent(
    {
      ...event,
      tenantId: "sample",
      environment: "test",
      id,
      operationId,
      at,
      assets: linksOf(event.name, assets),
    },
    {
      vendor: "idem",
      linkTo: (asset) =>
        `https://idem.example.org/assets/${asset.id}?expires=${expires}&signature=${sha256(asset.id).toString("hex")}`,
      secret: signatureKeyOf(sampleSecret),
    },
  );
  const headers = {
    "content-type": cloudEventContentType,
    ...signStandardWebhook({ id, timestamp, body }, [sampleSecret, formerSecret]),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return [
    { path: `${path}.json`, text: body },
    { path: `${path}.headers`, text: lines.join("") },
  ];
};

const folder = "examples/events";

/**
 * Every generated file under examples/events: whole operations in sequence, and one sample of each event, of
 * the last operation.
 */
export const eventSamples = (): readonly Sample[] => {
  const recorded = readRecorded(readFileSync(new URL("./recorded.generated.json", import.meta.url), "utf8"));
  const latest = new Map(
    recorded.operations.flatMap(({ operationId, events }) =>
      events.map((event) => [event.name, { operationId, event }] as const),
    ),
  );
  return [
    { path: `${folder}/secret.txt`, text: `${sampleSecret}\n` },
    ...recorded.operations.flatMap(({ name, operationId, events }) =>
      events.flatMap((event) =>
        filesOf(`${folder}/${name}/${placeOf(event)}-${pathOf(event.name)}`, operationId, event),
      ),
    ),
    ...[...latest.values()].flatMap(({ operationId, event }) =>
      filesOf(`${folder}/${pathOf(event.name)}`, operationId, event),
    ),
  ];
};
