import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { quantile } from "#contract/statistics/quantile";
import type { Imaging } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { makeCases } from "#sandbox/specimen/demo-cases";
import { readPersons } from "#sandbox/specimen/persons";
import { type PublishedKeys, sealToken } from "#trust/tokens/seal";
import { parseOptions, print, printTable, type Run, say, UsageError } from "../command.ts";
import { type Client, makeClient } from "../kit/service/client.ts";
import { awaitDecision, call } from "../kit/service/onboarding.ts";
import { fetchPublishedKeys } from "../kit/service/published-keys.ts";
import { type ServiceProcess, withFreshService } from "../kit/service/service-process.ts";
import { type Figures, measureLoad, type Work } from "./load.ts";

export const runBench: Run = async (args) => {
  const { values } = parseOptions(args, {
    calls: { type: "string", default: "80" },
    json: { type: "boolean", default: false },
    soak: { type: "string" },
    work: { type: "string" },
  });
  if (values.soak !== undefined && !/^[1-9]\d{1,5}$/.test(values.soak)) {
    throw new UsageError("Set --soak to a whole number from 10 to 999999");
  }
  if (!/^[1-9]\d{0,4}$/.test(values.calls)) {
    throw new UsageError("Set --calls to a whole number from 1 to 99999");
  }
  return await withFreshService("bench", { IDEM_LOG_LEVEL: "error" }, async (service) => {
    if (values.soak === undefined) {
      report(service, await measureAll(service, Number(values.calls), values.work), values.json);
    } else {
      await soak(service, Number(values.soak));
    }
    return 0;
  });
};

const callersMax = 8;
const warmUpCalls = 5;

const measureAll = async (
  service: ServiceProcess,
  count: number,
  name?: string,
): Promise<readonly Figures[]> => {
  const client = makeClient(service.url, service.apiKey);
  const all = await listWork(client, await fetchPublishedKeys(service.url));
  const works = name === undefined ? all : all.filter((work) => work.name === name);
  if (works.length === 0) {
    throw new UsageError(`Set --work to one of: ${all.map((work) => work.name).join(", ")}`);
  }
  const figures: Figures[] = [];
  for (const work of works) {
    await measureLoad(service, client, work, { callers: 1, count: warmUpCalls });
    say(`${work.name}, 1 at once …`);
    const alone = await measureLoad(service, client, work, { callers: 1, count });
    say(`${work.name}, ${callersMax} at once …`);
    const load = { callers: callersMax, count, aloneModelMs: alone.modelMsPerCall };
    figures.push(alone, await measureLoad(service, client, work, load));
  }
  return figures;
};

const soakPoints = 10;

/** Prints resident memory after each tenth of the calls, and the least-squares slope over the later half. */
const soak = async (service: ServiceProcess, count: number): Promise<void> => {
  const client = makeClient(service.url, service.apiKey);
  const works = (await listWork(client, await fetchPublishedKeys(service.url))).slice(0, 2);
  const each = Math.max(1, Math.round(count / soakPoints / works.length));
  const points: (readonly [calls: number, mebibytes: number])[] = [];
  for (let point = 1; point <= soakPoints; point++) {
    let residentMiB = 0;
    for (const work of works) {
      ({ residentMiB } = await measureLoad(service, client, work, { callers: 2, count: each }));
    }
    points.push([point * each * works.length, residentMiB]);
    print(`${point * each * works.length} calls  ${residentMiB.toFixed(1)} MiB`);
  }
  print(
    `Slope of the later half: ${(1000 * slopeOf(points.slice(soakPoints / 2))).toFixed(2)} MiB per 1000 calls`,
  );
};

const slopeOf = (points: readonly (readonly [x: number, y: number])[]): number => {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
};

const listWork = async (client: Client, keys: PublishedKeys): Promise<readonly Work[]> => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  const persons = await readPersons();
  const [genuine] = await makeCases(imaging, persons, new Date());
  if (genuine === undefined) {
    throw new Error("The demo has no case");
  }
  const document = Buffer.from(genuine.document).toString("base64");
  const selfie = Buffer.from(genuine.selfie).toString("base64");
  const documentMs = await timeDecode(imaging, genuine.document);
  const selfieMs = await timeDecode(imaging, genuine.selfie);
  const seal = (kind: "best-image" | "document-image", payload: Uint8Array) =>
    sealToken({ keys, kind, payload, now: new Date() });
  const post = async (path: string, body: unknown): Promise<void> => {
    await call(client, path, body);
  };
  return [
    {
      name: "liveness",
      decodeMs: selfieMs,
      prepare: repeat(async () => () => post("/services/evaluatePassiveLiveness", { imageBuffer: selfie })),
    },
    {
      name: "identity",
      decodeMs: documentMs + selfieMs,
      prepare: repeat(async () => {
        const bestImageToken = await seal("best-image", genuine.selfie);
        return () => post("/onboarding/v2/identity", { token1: document, bestImageToken, method: "3" });
      }),
    },
    {
      name: "ocr",
      decodeMs: documentMs,
      prepare: repeat(async () => {
        const tokenFrontDocument = await seal("document-image", genuine.document);
        return () => post("/services/extractDocumentDataWeb", { tokenFrontDocument, countryCode: "PSP" });
      }),
    },
    {
      name: "validation",
      decodeMs: documentMs,
      prepare: repeat(
        async () => () => validate(client, { idType: "PASSPORT", documentFrontRawImage: document }),
      ),
    },
    await largePair(client, imaging, "2 x 12 MP", genuine.document),
    await largePair(client, imaging, "2 x selfie", genuine.selfie),
  ];
};

/** Longer side of a phone image of twelve megapixels. */
const largeSide = 4032;

/**
 * Both sides of a card in twelve megapixels each: one image, upright and upside down. A passport page is no
 * card back. In a selfie every document search fails, and neither image is a document.
 */
const largePair = async (
  client: Client,
  imaging: Imaging,
  name: string,
  image: Uint8Array,
): Promise<Work> => {
  const large = await imaging.open(image, { longSideMin: largeSide });
  const [front, back] = await Promise.all(
    [large, imaging.rotate(large, 2)].map(async (side) => Buffer.from(await imaging.encodeJpeg(side, 90))),
  );
  const images = {
    idType: "ID_CARD",
    documentFrontRawImage: front!.toString("base64"),
    documentBackRawImage: back!.toString("base64"),
  };
  return {
    name,
    decodeMs: (await timeDecode(imaging, front!)) + (await timeDecode(imaging, back!)),
    prepare: repeat(async () => () => validate(client, images)),
  };
};

const repeat =
  (make: () => Promise<() => Promise<void>>): Work["prepare"] =>
  async (count) => {
    const calls: (() => Promise<void>)[] = [];
    for (let made = 0; made < count; made++) {
      calls.push(await make());
    }
    return calls;
  };

const started = makeCheck(Type.Object({ scanReference: Type.String() }));

type Images = {
  readonly idType: string;
  readonly documentFrontRawImage: string;
  readonly documentBackRawImage?: string;
};

const validate = async (client: Client, images: Images): Promise<void> => {
  const start = { country: "CHL", ...images };
  const { scanReference } = started.Parse(await call(client, "/verify/documentValidation/v2/start", start));
  await awaitDecision(client, scanReference);
  await call(client, "/verify/documentValidation/v2/data", { scanReference });
};

/** Median of nine bare decodes in this process, while the service idles. */
const timeDecode = async (imaging: Imaging, image: Uint8Array): Promise<number> => {
  const times: number[] = [];
  for (let run = 0; run < 9; run++) {
    const begin = performance.now();
    await imaging.open(image);
    times.push(performance.now() - begin);
  }
  return quantile(times, 0.5) ?? Number.NaN;
};

const report = (service: ServiceProcess, figures: readonly Figures[], isJson: boolean): void => {
  if (isJson) {
    print(JSON.stringify({ startMs: Math.round(service.startMs), figures }));
    return;
  }
  print(`Ready after ${service.startMs.toFixed(0)} ms.`);
  const rows = figures.map((one) => [
    one.work,
    String(one.callers),
    one.p50Ms.toFixed(1),
    one.p95Ms.toFixed(1),
    one.p99Ms.toFixed(1),
    one.perSecond.toFixed(1),
    one.cpuMsPerCall.toFixed(1),
    one.modelMsPerCall.toFixed(1),
    one.decodeMsPerCall.toFixed(1),
    one.ratio.toFixed(2),
    one.cpuRatio.toFixed(2),
    one.eventLoopStallMsMax.toFixed(1),
    one.eventLoopDelayP999Ms.toFixed(1),
    one.residentMiB.toFixed(0),
  ]);
  const head = [
    "work",
    "callers",
    "p50 ms",
    "p95 ms",
    "p99 ms",
    "req/s",
    "CPU ms",
    "models ms",
    "decode ms",
    "ratio",
    "CPU ratio",
    "stall ms",
    "p99.9 ms",
    "MiB",
  ];
  printTable([head, ...rows]);
};
