import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalRegistry } from "#app/local-registry";
import { openRecordingStore, openStore, type ReadyConfig, type RecordingStorage } from "#app/storage";
import { quantile } from "#contract/statistics/quantile";
import { makeLocalRegistry } from "#features/registry/local/local-registry";
import { makePersonKeys } from "#features/registry/local/person-keys";
import type { RegistryOwner } from "#features/registry/store/registry-person";
import { readConfig } from "#machine/config/config";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { opening, parseOptions, print, printTable, type Run, say, UsageError } from "../command.ts";
import { measureCalls } from "./registry-calls.ts";
import { generatedPersons, measuredOwner, personNumber } from "./registry-persons.ts";

export const runBenchRegistry: Run = async (args) => {
  const { values } = parseOptions(args, {
    persons: { type: "string", default: "100000" },
    rows: { type: "string", default: "1000000" },
    photos: { type: "string", default: "500" },
    calls: { type: "string", default: "40" },
    postgres: { type: "string" },
    json: { type: "boolean", default: false },
  });
  const counts = {
    persons: readCount(values.persons),
    rows: readCount(values.rows),
    photos: readCount(values.photos),
    calls: readCount(values.calls),
  };
  if (counts.persons < 100) throw new UsageError("Set --persons to 100 or more");
  const folder = await mkdtemp(join(tmpdir(), "idem-bench-registry-"));
  try {
    const { IDEM_REGISTRIES: _, ...environment } = process.env;
    const config = readConfig({
      ...environment,
      IDEM_DATA: join(folder, "data"),
      IDEM_MASTER_KEY: randomBytes(32).toString("base64"),
      ...(values.postgres !== undefined && { IDEM_DATABASE_URL: values.postgres }),
    });
    const ready = { ...config, masterKey: randomBytes(32) };
    const figures = await measure(ready, counts);
    if (values.json) print(JSON.stringify(figures));
    else
      printTable([
        ["measured", "n", "result"],
        ...figures.map(({ what, n, result }) => [what, String(n), result]),
      ]);
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const readCount = (text: string): number => {
  if (/^\d{1,8}$/.test(text)) return Number(text);
  throw new UsageError(`"${text}" is no count. Set --persons, --rows, --photos and --calls to whole numbers`);
};

type Figure = { readonly what: string; readonly n: number; readonly result: string };

type Measured = Pick<RecordingStorage, "store" | "keyring"> & {
  readonly config: ReadyConfig;
  readonly owner: RegistryOwner;
  readonly photo: Uint8Array;
};

type Counts = {
  readonly persons: number;
  readonly rows: number;
  readonly photos: number;
  readonly calls: number;
};

const measure = async (config: ReadyConfig, { calls, ...counts }: Counts): Promise<readonly Figure[]> => {
  const figures = await measureRegistry(config, counts);
  if (calls === 0) return figures;
  const { civilMs, faceMs, addedMs } = await measureCalls(calls);
  const what = "processor time of a civil validation beyond its comparison of faces";
  const result = `${addedMs.toFixed(1)} ms (${civilMs.toFixed(1)} and ${faceMs.toFixed(1)} ms)`;
  return [...figures, { what, n: 5 * calls, result }];
};

const measureRegistry = async (
  config: ReadyConfig,
  { persons, rows, photos }: Omit<Counts, "calls">,
): Promise<readonly Figure[]> => {
  const migrated = await opening(openStore(config, { migrate: true }));
  await migrated.close();
  const { store, keyring, close } = openRecordingStore(await opening(openStore(config)), config);
  try {
    const tenantId = randomUUID();
    await store.createTenant({ id: tenantId, name: `bench ${tenantId}`, createdAt: new Date() });
    const measured = { store, keyring, config, owner: measuredOwner(tenantId), photo: await drawPhoto() };
    const imports = [
      await timeImport(measured, "import without photos", persons),
      await timeImport(measured, "the same list again", persons),
    ];
    await fill(measured, rows - persons);
    return [
      ...imports,
      await timeAsk(measured, "a person who is held", (n) => personNumber((n * 7_919) % persons)),
      await timeAsk(measured, "a person who is not", (n) => `1801${personNumber(n).slice(4)}`),
      ...(photos > 0
        ? [
            await timeImport(measured, "import with photos", photos, "photo"),
            await timeAsk(measured, "a person with photo", (n) => personNumber(n % photos)),
          ]
        : []),
    ];
  } finally {
    await close();
  }
};

/**
 * Fills the table with random rows. Their keys are as random as keyed hashes, and their seals have about the
 * length of a generated person.
 */
const fill = async ({ store, keyring, owner }: Measured, rows: number): Promise<void> => {
  const { dataKeyId } = await makePersonKeys(keyring).seal(owner, "", { fields: {} });
  for (let written = 0; written < rows; written += fillRows) {
    const persons = Array.from({ length: Math.min(fillRows, rows - written) }, () => {
      const [hash, content] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
      return { hash, content, dataKeyId, sealed: new Uint8Array(randomBytes(280)) };
    });
    await store.putRegistryPersons(owner, persons, new Date());
  }
};

const fillRows = 500;

const timeImport = async (
  { config, owner, photo, ...opened }: Measured,
  what: string,
  n: number,
  name?: string,
): Promise<Figure> => {
  const inference = { ...config.inference, workers: availableParallelism() };
  const started = performance.now();
  const used = process.cpuUsage();
  const before = process.memoryUsage.rss();
  let most = before;
  await openLocalRegistry(opened, { ...config, inference }, owner).importPersons(generatedPersons(n, name), {
    readPhoto: () => Promise.resolve(photo),
    onRefused: (line, { fault }) => say(`Line ${line}: ${fault}`),
    onReplaced: (line) => say(`Line ${line} is replaced`),
    onProgress: () => {
      most = Math.max(most, process.memoryUsage.rss());
    },
  });
  const perSecond = Math.round(n / ((performance.now() - started) / 1000));
  const perProcessorSecond = Math.round((1000 * n) / processorMs(used));
  return {
    what,
    n,
    result: `${perSecond} a second, ${perProcessorSecond} for each second of processor time, at most ${Math.round((most - before) / 1e6)} MB more memory`,
  };
};

/** Processor time of this process since then, all threads. */
const processorMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

const timeAsk = async (
  { store, keyring, owner }: Measured,
  what: string,
  numberOf: (n: number) => string,
): Promise<Figure> => {
  const settings = { connector: "local", legalBasis: "measurement" } as const;
  const { ask } = makeLocalRegistry(settings, owner, { store, keys: makePersonKeys(keyring) });
  const times: number[] = [];
  const used = process.cpuUsage();
  for (let n = 0; n < asked; n++) {
    const question = { ...owner, transactionId: "measurement", documentNumber: numberOf(n) };
    const started = performance.now();
    await ask(question, new AbortController().signal);
    times.push(performance.now() - started);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (quantile(sorted, share) ?? 0).toFixed(2);
  return {
    what,
    n: asked,
    result: `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${(processorMs(used) / asked).toFixed(2)} ms of processor time`,
  };
};

const asked = 2_000;

/** A noisy photo of one megapixel, which is decoded and scaled: its content does not matter. */
const drawPhoto = async (): Promise<Uint8Array> => {
  const [width, height] = [960, 1_080];
  const noise = randomBytes(width * height * 3);
  const data = new Uint8Array(noise.map((byte, at) => 96 + ((at / 3) % width) / 16 + byte / 8));
  const { encodeJpeg } = makeImaging({ limits: defaultImagingLimits });
  return new Uint8Array(await encodeJpeg({ width, height, data }, 90));
};
