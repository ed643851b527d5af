import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { Client } from "#cli/kit/service/client";
import { drawCases, toBase64 } from "../harness/images.ts";
import type { Deployment, Load } from "./kill-rounds.ts";

/** An approvable document, a declined one, and one for a reviewer. */
const caseNames = ["genuine", "expired", "broken-check-digit"] as const;
type CaseName = (typeof caseNames)[number];

const base = "/verify/documentValidation/v2";
const started = Compile(Type.Object({ scanReference: Type.String() }));
const stateOf = Compile(Type.Object({ status: Type.String() }));
const decided = Compile(
  Type.Object({
    verification: Type.Object({
      code: Type.Integer(),
      reasonCode: Type.Union([Type.Integer(), Type.Null()]),
      document: Type.Object({ number: Type.Union([Type.String(), Type.Null()]) }),
    }),
  }),
);

/** A validation that the service has acknowledged. */
export type Acknowledged = { readonly scanReference: string; readonly name: CaseName };

/** A text for each case: its image in Base64, or its answer. */
type OfCases = Readonly<Record<CaseName, string>>;

export type ValidationReport = {
  /** The answers before the first kill. */
  readonly undisturbed: OfCases;
  readonly acknowledged: readonly Acknowledged[];
  /**
   * Acknowledged validations that ended with another answer than an undisturbed one: `case: wanted, found`.
   */
  readonly wrong: readonly string[];
  /** Answers other than an acknowledgement, by HTTP status. */
  readonly refused: Readonly<Record<string, number>>;
  /** From the last restart to the last decision. */
  readonly restMs: number;
};

/** One caller starts no more validations while this number of its own is undecided. */
const openMax = 4;
const pauseMs = 250;

export type ValidationLoadOptions = {
  readonly callers: number;
  /** Longest time from the last restart to the last decision. */
  readonly restMsMax: number;
};

/** Code, reason and document number: the answer to one validation. */
const answerOf = async (client: Client, scanReference: string): Promise<string> => {
  const { body } = await client.post(`${base}/data`, { scanReference });
  if (!decided.Check(body)) return JSON.stringify(body);
  const { code, reasonCode, document } = body.verification;
  return `${code} ${reasonCode ?? "no reason"}, number ${document.number ?? "unknown"}`;
};

const startOne = async (client: Client, image: string) =>
  await client.post(`${base}/start`, { country: "CHL", idType: "PASSPORT", documentFrontRawImage: image });

/** Rejects if the call broke off. */
const isOpen = async (client: Client, { scanReference }: Acknowledged): Promise<boolean> => {
  const { status, body } = await client.post(`${base}/status`, { scanReference });
  return status !== 200 || !stateOf.Check(body) || body.status === "PENDING";
};

/** A connection that the client kept from before may be cut once. */
const withRetries = async <Value>(call: () => Promise<Value>, triesLeft = 5): Promise<Value> => {
  try {
    return await call();
  } catch (error) {
    if (triesLeft === 0) throw error;
    await sleep(pauseMs);
    return await withRetries(call, triesLeft - 1);
  }
};

const readImages = async (): Promise<OfCases> => {
  const drawn = await drawCases();
  const imageOf = (name: CaseName): string => toBase64(drawn[name]!.document);
  return {
    genuine: imageOf("genuine"),
    expired: imageOf("expired"),
    "broken-check-digit": imageOf("broken-check-digit"),
  };
};

/** The answers of a service before the first kill. */
const readUndisturbed = async (client: Client, images: OfCases): Promise<OfCases> => {
  const answer = async (name: CaseName): Promise<string> => {
    const { scanReference } = started.Parse((await startOne(client, images[name])).body);
    while (await isOpen(client, { scanReference, name })) await sleep(pauseMs);
    return await answerOf(client, scanReference);
  };
  return {
    genuine: await answer("genuine"),
    expired: await answer("expired"),
    "broken-check-digit": await answer("broken-check-digit"),
  };
};

/** Callers that start validations, and ask until they are decided. */
export const makeValidationLoad = async (options: ValidationLoadOptions): Promise<Load<ValidationReport>> => {
  const images = await readImages();
  const acknowledged: Acknowledged[] = [];
  const refused: Record<string, number> = {};
  let turn = 0;
  let undisturbed: OfCases = { genuine: "", expired: "", "broken-check-digit": "" };

  const start = async (deployment: Deployment): Promise<Acknowledged | undefined> => {
    const name = caseNames[turn++ % caseNames.length]!;
    const { status, body } = await startOne(deployment.client(), images[name]);
    if (status !== 200) {
      refused[status] = (refused[status] ?? 0) + 1;
      return undefined;
    }
    const known = { scanReference: started.Parse(body).scanReference, name };
    acknowledged.push(known);
    return known;
  };

  const call = async (deployment: Deployment, signal: AbortSignal): Promise<void> => {
    let open: Acknowledged[] = [];
    const step = async (): Promise<void> => {
      const known = open.length < openMax ? await start(deployment) : undefined;
      if (known !== undefined) open.push(known);
      const states = await Promise.all(open.map((one) => isOpen(deployment.client(), one)));
      open = open.filter((_, n) => states[n]);
    };
    while (!signal.aborted) {
      // A process that dies breaks the call off.
      await step().catch(() => undefined);
      await sleep(pauseMs);
    }
  };

  return {
    prepare: async (client) => {
      undisturbed = await readUndisturbed(client, images);
    },
    kind: "validations",
    acknowledged: () => acknowledged.length,
    run: async (deployment, signal) => {
      await Promise.all(Array.from({ length: options.callers }, () => call(deployment, signal)));
    },
    judge: async (deployment) => {
      const begun = performance.now();
      for (const one of acknowledged) {
        while (await withRetries(() => isOpen(deployment.client(), one))) {
          if (performance.now() - begun > options.restMsMax) break;
          await sleep(pauseMs);
        }
      }
      const restMs = performance.now() - begun;
      const wrong: string[] = [];
      for (const { scanReference, name } of acknowledged) {
        const found = await withRetries(() => answerOf(deployment.client(), scanReference));
        const wanted = undisturbed[name];
        if (found !== wanted) wrong.push(`${scanReference}, ${name}: wanted ${wanted}, found ${found}`);
      }
      return { undisturbed, acknowledged, wrong, refused, restMs };
    },
  };
};
