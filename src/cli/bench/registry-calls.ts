import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalRegistry } from "#app/local-registry";
import { quantile } from "#contract/statistics/quantile";
import { readConfig } from "#machine/config/config";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { makeCases } from "#sandbox/specimen/demo-cases";
import { readPersons } from "#sandbox/specimen/persons";
import { CommandError, say } from "../command.ts";
import { makeClient } from "../kit/service/client.ts";
import { call } from "../kit/service/onboarding.ts";
import { type ServiceProcess, startService } from "../kit/service/service-process.ts";
import { withTenant } from "../kit/store/with-tenant.ts";
import { readUsage } from "./process-usage.ts";
import { generatedPersons, personNumber } from "./registry-persons.ts";

/**
 * Processor time of one call in milliseconds: the medians of the rounds, and of what a civil validation takes
 * more.
 */
export type CallCost = { readonly civilMs: number; readonly faceMs: number; readonly addedMs: number };

const rounds = 5;

const settings = 'test:\n  HND: { connector: local, legalBasis: "measurement" }\n';

/**
 * Processor time of a service for civil validations with a local registry, and for comparisons of the same
 * two images. Takes `calls` of each in five rounds, in turns, so that other work on the machine meets both.
 */
export const measureCalls = async (calls: number): Promise<CallCost> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-bench-civil-"));
  try {
    const environment = { IDEM_LOG_LEVEL: "error", IDEM_REGISTRIES: join(folder, "registries.yaml") };
    await writeFile(environment.IDEM_REGISTRIES, settings);
    const directory = join(folder, "data");
    const face = await drawFace();
    // The first start makes the tenant. The list is imported while no service owns the embedded store.
    await (await startService(directory, environment)).stop();
    await importPerson(directory, face);
    const service = await startService(directory, environment);
    try {
      return await compareCosts(service, face, calls);
    } finally {
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** A drawn selfie: the photo of the registry, and the face that is compared with it. */
const drawFace = async (): Promise<Uint8Array> => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  const [genuine] = await makeCases(imaging, await readPersons(), new Date());
  if (genuine === undefined) throw new Error("The demo has no case");
  return genuine.selfie;
};

const importPerson = async (directory: string, photo: Uint8Array): Promise<void> => {
  const configured = readConfig({ IDEM_DATA: directory });
  await withTenant(
    undefined,
    async ({ tenant, config, ...storage }) => {
      const owner = { tenantId: tenant.id, environment: "test", country: "HND" } as const;
      const counts = await openLocalRegistry(storage, config, owner).importPersons(
        generatedPersons(1, "photo"),
        {
          readPhoto: () => Promise.resolve(photo),
          onRefused: (_, { fault }) => say(`The person was refused: ${fault}`),
          onReplaced: () => undefined,
          onProgress: () => undefined,
        },
      );
      if (counts.added !== 1) throw new CommandError("The registry holds no person to ask for");
      return 0;
    },
    undefined,
    configured,
  );
};

const compareCosts = async (service: ServiceProcess, face: Uint8Array, calls: number): Promise<CallCost> => {
  const client = makeClient(service.url, service.apiKey);
  const image = Buffer.from(face).toString("base64");
  const civil = () =>
    call(client, "/services/civilValidation", {
      operation: "FACIAL",
      platform: "WEB",
      countryCode: "HND",
      documentNumber: personNumber(0),
      imageFrontDocument: image,
      imageBackDocument: image,
      templateRaw: image,
    });
  const compare = () =>
    call(client, "/services/authenticateFacial", { token1: image, token2: image, method: "1" });
  await costOf(service, civil, calls);
  await costOf(service, compare, calls);
  const pairs: (readonly [civil: number, face: number])[] = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push([await costOf(service, civil, calls), await costOf(service, compare, calls)]);
  }
  return {
    civilMs: median(pairs.map(([one]) => one)),
    faceMs: median(pairs.map(([, other]) => other)),
    addedMs: median(pairs.map(([one, other]) => one - other)),
  };
};

const median = (values: readonly number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  ) ?? 0;

const costOf = async (
  { pid }: ServiceProcess,
  ask: () => Promise<unknown>,
  calls: number,
): Promise<number> => {
  const before = await readUsage(pid);
  for (let n = 0; n < calls; n++) await ask();
  return ((await readUsage(pid)).cpuMs - before.cpuMs) / calls;
};
