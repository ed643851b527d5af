// Records the data of the samples: runs two cases of the demo against a fresh service and keeps what its
// events hold, without ids, links and signatures. Run it when the data of an event changes: node
// scripts/event-samples/record.ts
import { writeFile } from "node:fs/promises";
import { readEvents } from "#cli/demo/events";
import { connect } from "#cli/kit/service/call-route";
import { makeClient } from "#cli/kit/service/client";
import { eventOf } from "#cli/kit/service/describe-message";
import { mailboxOf, type ShownMessage } from "#cli/kit/service/mailbox";
import { finish, onboard } from "#cli/kit/service/onboarding";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { withFreshService } from "#cli/kit/service/service-process";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { type Case, makeCases } from "#sandbox/specimen/demo-cases";
import { readPersons } from "#sandbox/specimen/persons";
import { readRecorded } from "./recorded.ts";

type Wanted = {
  readonly name: string;
  readonly case: string;
  readonly operationId: string;
  readonly customer: string;
};

const wanted: readonly Wanted[] = [
  {
    name: "operation",
    case: "genuine",
    operationId: "0f8fad5b-d9cb-469f-a165-70867728950e",
    customer: "customer-4711",
  },
  {
    name: "operation-denied",
    case: "expired",
    operationId: "b7e4c1d2-60f3-4f0a-9d55-2f6a3f1c8e07",
    customer: "Núñez 😀",
  },
];

type Link = { readonly type: string };
type Data = { readonly [member: string]: unknown; readonly assets?: readonly Link[]; readonly asset?: Link };

/** The links of an event at any of their places. */
const linksIn = ({ assets, asset, links }: Data): readonly Link[] => {
  if (assets !== undefined) return assets;
  if (asset !== undefined) return [asset];
  const inside: { readonly assets?: readonly Link[] } = Object(links);
  return inside.assets ?? [];
};

const recordOf = (message: ShownMessage) => {
  const { time, data }: { readonly time: string; readonly data: Data } = JSON.parse(message.body);
  const { name, sequence } = eventOf(message);
  const { assets: _assets, asset: _asset, links: _links, ...rest } = data;
  return { name, sequence, at: time, data: rest, assets: linksIn(data).map(({ type }) => type) };
};

const record = async (url: string, key: string, cases: readonly Case[]) => {
  const client = makeClient(url, key);
  const keys = await fetchPublishedKeys(url);
  const mailbox = mailboxOf(connect(url, key));
  await mailbox.ensure();
  const operations = [];
  for (const { name, case: caseName, operationId, customer } of wanted) {
    const images = cases.find((one) => one.name === caseName);
    if (images === undefined) throw new Error(`The demo has no case ${caseName}`);
    const operation = { operationId, extraData: `tracking of ${operationId}` };
    const result = await onboard(client, keys, images, { operation, merchantIdScanReference: customer });
    await finish(client, result, operation);
    operations.push({ name, operationId, events: (await readEvents(mailbox, operationId)).map(recordOf) });
  }
  return operations;
};

const cases = await makeCases(makeImaging({ limits: defaultImagingLimits }), await readPersons(), new Date());
process.exitCode = await withFreshService("samples", { IDEM_LOG_LEVEL: "error" }, async ({ url, apiKey }) => {
  const text = `${JSON.stringify({ operations: await record(url, apiKey, cases) }, null, 2)}\n`;
  readRecorded(text);
  await writeFile(new URL("./recorded.generated.json", import.meta.url), text);
  return 0;
});
