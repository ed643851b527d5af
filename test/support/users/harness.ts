import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { makeRecordingStore } from "#app/recording-store";
import { openSearch, type Search } from "#app/search";
import type { Store } from "#app/store";
import { makeAuthenticateUser } from "#features/users/authenticate-user";
import { makeBlockList } from "#features/users/block-list";
import { makeDeleteUsers } from "#features/users/delete-users";
import {
  authenticateUserEndpoint,
  authenticateUserV2Endpoint,
  type SealTemplate,
} from "#features/users/http/authenticate-user.endpoint";
import { deleteUsersEndpoint } from "#features/users/http/delete-users.endpoint";
import { updateUserTemplateEndpoint } from "#features/users/http/update-user-template.endpoint";
import { defaultUserPolicy, type SearchPolicy } from "#features/users/policy";
import { entryOf, pseudonymOf, type UserService } from "#features/users/service";
import { makeTemplateVault } from "#features/users/template-vault";
import { makeUpdateTemplate } from "#features/users/update-template";
import { makeUserAdmin } from "#features/users/user-admin";
import { makeFaceJudging } from "#judging/face/judging";
import { scoreAtFmr } from "#judging/face/matching/calibration";
import { mapTemplate, recogniserOfTemplate } from "#judging/face/matching/template";
import { defaultFacePolicy, type FacePolicy } from "#judging/face/policy";
import type { BestImageRules } from "#judging/face/use-best-image";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { makeBlobs } from "#machine/storage/sealed-blobs";
import { makeHashAuthentication } from "#record/transactions/authentication-hash";
import { makeRecordCall, stepOf, transactionOf } from "#record/transactions/record-call";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import type { OpenToken } from "#trust/tokens/token";
import { openStoreHere } from "../app/store-here.ts";
import { imageOf, openFaceEngine } from "../face/images.ts";
import { startServer } from "../http/harness.ts";
import { openOperations, type Query } from "../operations/open-operations.ts";
import { openTokens, tokenAgeMs, tokenBytesMax } from "../tokens/open-tokens.ts";

type Engine = ReturnType<typeof openFaceEngine>;

const makeTemplateOf =
  (engine: Engine) =>
  async (name: string): Promise<Uint8Array> => {
    const measured = await engine.measure(imageOf(name), { template: true });
    if (measured.kind !== "measured" || measured.template === undefined) {
      throw new Error(`No template in ${name}`);
    }
    return measured.template;
  };

type HarnessParts = {
  readonly file: string;
  readonly sealedStore: Store;
  readonly engine: Engine;
  readonly openToken: OpenToken;
  readonly recogniser: string;
  readonly clock: () => Date;
};

const onError = (_: string, error: unknown): never => {
  throw error;
};

const makeFace = (
  { engine, recogniser }: Pick<HarnessParts, "engine" | "recogniser">,
  policy: FacePolicy,
  levelMin?: BestImageRules["levelMin"],
) =>
  makeFaceJudging(
    {
      engine: { measure: engine.measure },
      policy,
      bestImages: { uses: "operation", ageMs: tokenAgeMs, ...(levelMin && { levelMin }) },
      onError,
    },
    recogniser,
  );

const makeService = ({ clock, ...parts }: HarnessParts) => {
  const { sealedStore, openToken } = parts;
  const master = new Uint8Array(randomBytes(32));
  const keyring = makeKeyring({
    store: sealedStore,
    masters: [masterKeyOf(master)],
    now: () => new Date(),
  });
  const store = makeRecordingStore(sealedStore, keyring);
  const policy = defaultFacePolicy;
  const face = makeFace(parts, policy);
  const vault = makeTemplateVault(keyring, randomUUID);
  const blobs = makeBlobs(makeDiskObjects(path.dirname(parts.file)), keyring, sealedStore);
  const operations = openOperations({ keyring, blobs, file: parts.file });
  const { trackCall, trackDecision } = operations.tracking;
  const recordCall = makeRecordCall(store, trackCall);
  const hashAuthentication = makeHashAuthentication(keyring);
  const tracking = { recordCall, hashAuthentication, trackCall, trackDecision };
  const users = { policy: defaultUserPolicy, ...tracking, clock, newId: randomUUID };
  const scoreMin = scoreAtFmr(policy.comparison.falseMatchRates.selfie);
  /** What the search reports to the operator. */
  const reports: string[] = [];
  const searchBy = (search: SearchPolicy): Search =>
    openSearch({
      masters: [master],
      store,
      report: (_, note, error) => {
        if (!note.startsWith("Enrolments answer 503")) onError(note, error);
        reports.push(note);
      },
      note: () => undefined,
      face,
      vault,
      policy: search,
      scoreMin,
    });
  const search = searchBy(users.policy.search);
  const { deduplication } = search;
  const opened = { face, vault, keyring, store, openToken, deduplication, operations };
  return { ...opened, ...users, search, searchBy, reports };
};

const serveService = (service: UserService, sealTemplate: SealTemplate) => {
  const authenticateUser = makeAuthenticateUser(service);
  const authenticate = { authenticateUser, sealTemplate, imageBytesMax: tokenBytesMax };
  return startServer({
    endpoints: [
      authenticateUserEndpoint(authenticate),
      authenticateUserV2Endpoint(authenticate),
      deleteUsersEndpoint(makeDeleteUsers(service)),
      updateUserTemplateEndpoint({ updateTemplate: makeUpdateTemplate(service), sealTemplate }),
    ],
  });
};

/** One man at several moments, and another person. */
export const portrait = "franck_01829.jpg";
export const selfies = ["franck_02221.jpg", "franck_02159.jpg", "franck_04035.jpg"] as const;
export const impostor = "cage.jpg";

/** Registers a user of the test environment with any template, as an earlier release may have done. */
const makeRegister =
  (service: UserService) =>
  async (tenantId: string, userId: string, template: Uint8Array): Promise<void> => {
    const [at, environment] = [new Date(), "test" as const];
    const owner = { tenantId, environment, id: randomUUID() };
    const sealed = await service.vault.seal(owner, template);
    const pseudonym = await pseudonymOf(service.keyring, { tenantId, environment }, userId);
    const call = {
      caller: { tenantId, keyId: randomUUID(), environment },
      transactionId: randomUUID(),
      receivedAt: at,
      signal: new AbortController().signal,
    };
    const record = transactionOf(call, entryOf(service, { endpoint: "authenticateUser", result: 0 }));
    const entry = { id: randomUUID(), kind: "person_enrolled", at, body: { person: owner.id } };
    const user = { ...owner, ...sealed, pseudonym, enrolledAt: at };
    await service.store.enrolUser(user, record, [], stepOf({ evidence: [entry] }));
  };

/** A template that claims this cohort score. */
export const claiming = (template: Uint8Array, cohortScore: number): Uint8Array => {
  const claimed = mapTemplate(template, { vector: (vector) => vector, cohortScore: () => cohortScore });
  if (claimed === undefined) {
    throw new Error("The bytes are not a template");
  }
  return claimed;
};

const makeBlocking = (service: Parameters<typeof makeBlockList>[0]) => {
  const blockList = makeBlockList(service);
  /** Blocks a face in the test environment and returns its id. */
  const block = async (tenantId: string, template: Uint8Array, note = ""): Promise<string> => {
    const [entry] = await blockList.block(tenantId, [{ environment: "test", template }], note);
    return entry?.id ?? "";
  };
  return { blockList, block };
};

/** Reads what the store holds of a tenant. */
const makeReading = (query: Query) => ({
  peopleOf: (tenant: string) => query(`select * from users where tenant_id = '${tenant}'`),
  evidenceOf: (tenant: string) =>
    query(
      `select kind, body from evidence join evidence_bodies using (tenant_id, seq)
        where tenant_id = '${tenant}' order by seq`,
    ).map(({ kind, body }) => ({ kind, body: JSON.parse(String(body)) })),
});

/** The users module behind a whole server, on a real store and by default on the real engine. */
export const openUserHarness = async (engine: Engine = openFaceEngine()) => {
  const folder = await mkdtemp(path.join(tmpdir(), "idem-users-"));
  const file = path.join(folder, "idem.sqlite");
  const sealedStore = await openStoreHere({ path: file });
  const { openToken, seal, sealFor } = await openTokens();
  const sealTemplate: SealTemplate = (template, { caller }) => sealFor(caller.tenantId, "template", template);
  const clock = { aheadMs: 0 };
  const now = (): Date => new Date(Date.now() + clock.aheadMs);
  const templateOf = makeTemplateOf(engine);
  const recogniser = recogniserOfTemplate(await templateOf(portrait)) ?? "";
  const parts = { file, sealedStore, engine, openToken, recogniser };
  const service = makeService({ ...parts, clock: now });
  const { store, operations } = service;
  const { query } = operations;
  return {
    file,
    store,
    engine,
    keyring: service.keyring,
    service,
    operations,
    clock,
    seal,
    sealFor,
    templateOf,
    register: makeRegister(service),
    ...makeBlocking(service),
    admin: makeUserAdmin(service),
    recogniser,
    /** The face module under another policy. */
    faceUnder: (policy: FacePolicy, levelMin?: BestImageRules["levelMin"]) =>
      makeFace(parts, policy, levelMin),
    /** The face module over the real networks. */
    faceOfNetworks: () => makeFace({ ...parts, engine: openFaceEngine() }, defaultFacePolicy),
    serve: (change: Partial<UserService> = {}) => serveService({ ...service, ...change }, sealTemplate),
    newTenant: async (): Promise<string> => {
      const id = randomUUID();
      await store.createTenant({ id, name: id, createdAt: new Date() });
      return id;
    },
    query,
    ...makeReading(query),
    live: (name: string) => seal("best-image", imageOf(name)),
    token: async (name: string) => seal("template", await templateOf(name)),
    close: async (): Promise<void> => {
      await service.search.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
};

export type UserHarness = Awaited<ReturnType<typeof openUserHarness>>;

/**
 * One harness and server for a file of tests; each test gets its own tenant, its caller and the real time.
 */
export const useUserHarness = (makeEngine: () => Engine = openFaceEngine) => {
  let harness: UserHarness;
  let server: ReturnType<UserHarness["serve"]>;
  let tenantId: string;
  let caller: ReturnType<typeof makeCaller>;
  beforeAll(async () => {
    harness = await openUserHarness(makeEngine());
    server = harness.serve();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    tenantId = await harness.newTenant();
    caller = makeCaller(harness, server, tenantId);
    harness.clock.aheadMs = 0;
  });
  return {
    get harness() {
      return harness;
    },
    get server() {
      return server;
    },
    get tenantId() {
      return tenantId;
    },
    get caller() {
      return caller;
    },
  };
};

/** A caller with a key of one tenant, through the server without a socket. */
export const makeCaller = (
  harness: UserHarness,
  server: ReturnType<UserHarness["serve"]>,
  tenantId: string,
  environment: "live" | "test" = "test",
) => {
  const key = server.makeKey({ tenantId, environment });
  const call = async (method: "POST" | "DELETE", url: string, body: object) => {
    const response = await server.server.app.inject({
      method,
      url,
      headers: { "x-api-key": key, "content-type": "application/json" },
      payload: JSON.stringify(body),
    });
    const answer: Readonly<Record<string, unknown>> = response.json();
    return { status: response.statusCode, headers: response.headers, body: answer };
  };
  const authenticate = (fields: object, version: "" | "/v2" = "/v2") =>
    call("POST", `/services/authenticateUser${version}`, { merchantReferenceId: "login-1", ...fields });
  return {
    call,
    authenticate,
    /** Enrols with the registry's image and returns the template for later calls. */
    enrol: async (userId: string, imageFile: string = portrait, selfie: string = selfies[0]) => {
      const image = Buffer.from(imageOf(imageFile)).toString("base64");
      const bestImageToken = await harness.seal("best-image", imageOf(selfie));
      const { body } = await authenticate({ userId, image, bestImageToken });
      if (typeof body["registeredTemplateRaw"] !== "string") {
        throw new Error(`The user was not enrolled: ${JSON.stringify(body)}`);
      }
      return body["registeredTemplateRaw"];
    },
    update: (
      userId: string,
      oldRegisteredTemplateRaw: string,
      newRegisteredTemplateRaw: string,
      fields: object = {},
    ) =>
      call("POST", "/services/updateUserTemplate", {
        userId,
        oldRegisteredTemplateRaw,
        newRegisteredTemplateRaw,
        ...fields,
      }),
    remove: (...userIds: readonly string[]) => call("DELETE", "/services/authenticateUser", { userIds }),
  };
};
