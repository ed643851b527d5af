import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { makeFaceJudging } from "../../face/judging.ts";
import { scoreAtFmr } from "../../face/matching/calibration.ts";
import { mapTemplate, recogniserOfTemplate } from "../../face/matching/template.ts";
import { defaultFacePolicy, type FacePolicy } from "../../face/policy.ts";
import { openFaceEngine, pictureOf } from "../../face/testing/pictures.ts";
import { startServer } from "../../http/testing/harness.ts";
import { openSearch, type Search } from "../../search-parts.ts";
import { makeKeyring } from "../../storage/keyring.ts";
import { masterKeyOf } from "../../storage/master-key.ts";
import { openBox, sealBox } from "../../storage/sealed-box.ts";
import { openSqliteStore } from "../../storage/sqlite-store.ts";
import type { Store } from "../../storage/store.ts";
import { openTokens, tokenAgeMs, tokenBytesMax } from "../../tokens/testing/open-tokens.ts";
import type { OpenToken } from "../../tokens/token.ts";
import { makeAuthenticateUser } from "../authenticate-user.ts";
import { makeBlockList } from "../block-list.ts";
import { makeDeleteUsers } from "../delete-users.ts";
import { authenticateUserEndpoint, authenticateUserV2Endpoint } from "../http/authenticate-user.endpoint.ts";
import { deleteUsersEndpoint } from "../http/delete-users.endpoint.ts";
import { updateUserTemplateEndpoint } from "../http/update-user-template.endpoint.ts";
import { makePeopleDesk } from "../people-desk.ts";
import { defaultPeoplePolicy, type SearchPolicy } from "../policy.ts";
import { type PeopleService, pseudonymOf, recordOf } from "../service.ts";
import { makeTemplateVault } from "../template-vault.ts";
import { makeUpdateTemplate } from "../update-template.ts";

type Engine = ReturnType<typeof openFaceEngine>;

const makeTemplateOf =
  (engine: Engine) =>
  async (name: string): Promise<Uint8Array> => {
    const measured = await engine.measure(pictureOf(name), { template: true });
    if (measured.kind !== "measured" || measured.template === undefined) {
      throw new Error(`${name} gave no template`);
    }
    return measured.template;
  };

type Parts = {
  readonly store: Store;
  readonly engine: Engine;
  readonly openToken: OpenToken;
  readonly recogniser: string;
  readonly clock: () => Date;
};

const onError = (_: string, error: unknown): never => {
  throw error;
};

const makeFace = ({ store, engine, openToken, recogniser }: Omit<Parts, "clock">, policy: FacePolicy) =>
  makeFaceJudging(
    {
      engine: { measure: engine.measure },
      openToken,
      store,
      policy,
      bestImageTokenAgeMs: tokenAgeMs,
      onError,
    },
    recogniser,
  );

const makeService = ({ clock, ...parts }: Parts) => {
  const { store, openToken } = parts;
  const master = new Uint8Array(randomBytes(32));
  const keyring = makeKeyring({ store, masters: [masterKeyOf(master)], now: () => new Date() });
  const policy = defaultFacePolicy;
  const face = makeFace(parts, policy);
  const vault = makeTemplateVault({ keyring, sealBox, openBox, face, newId: randomUUID });
  const people = { policy: defaultPeoplePolicy, clock, newId: randomUUID };
  const scoreMin = scoreAtFmr(policy.comparison.falseMatchRates.selfie);
  /** What the operator is told by the search. */
  const reports: string[] = [];
  const searchBy = (search: SearchPolicy): Search =>
    openSearch({
      masters: [master],
      store,
      report: (_, note, error) => {
        if (!note.startsWith("First calls answer 503")) onError(note, error);
        reports.push(note);
      },
      note: () => undefined,
      face,
      vault,
      policy: search,
      scoreMin,
    });
  const search = searchBy(people.policy.search);
  const { newcomers } = search;
  return { face, vault, keyring, store, openToken, newcomers, ...people, search, searchBy, reports };
};

const serveService = (service: PeopleService, sealTemplate: (template: Uint8Array) => Promise<string>) => {
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

/** One man at several moments, and somebody else. */
export const portrait = "franck_01829.jpg";
export const selfies = ["franck_02221.jpg", "franck_02159.jpg", "franck_04035.jpg"] as const;
export const stranger = "cage.jpg";

/** Rows of a file, as a thief of the disk would read them. */
const makeQuery =
  (file: string) =>
  (statement: string): readonly Record<string, unknown>[] => {
    const sqlite = new Database(file, { readonly: true });
    try {
      return sqlite.prepare<[], Record<string, unknown>>(statement).all();
    } finally {
      sqlite.close();
    }
  };

/** Commits a user of the test world with any template, as an earlier release or another caller may have. */
const makeRegister =
  (service: PeopleService) =>
  async (tenantId: string, userId: string, template: Uint8Array): Promise<void> => {
    const [at, world] = [new Date(), "test" as const];
    const owner = { tenantId, id: randomUUID() };
    const sealed = await service.vault.seal(owner, template);
    const pseudonym = await pseudonymOf(service.keyring, { tenantId, world }, userId);
    const call = {
      caller: { tenantId, keyId: randomUUID(), world },
      transactionId: randomUUID(),
      receivedAt: at,
      signal: new AbortController().signal,
    };
    const record = recordOf(service, call, { endpoint: "authenticateUser", result: 0 });
    const entry = { id: randomUUID(), kind: "person_enrolled", at, body: { person: owner.id } };
    const person = { ...owner, ...sealed, world, pseudonym, enrolledAt: at };
    await service.store.enrolPerson(person, record, [], { events: [], evidence: [entry] });
  };

/** A template that claims to be that common. */
export const claiming = (template: Uint8Array, commonness: number): Uint8Array => {
  const claimed = mapTemplate(template, { vector: (vector) => vector, commonness: () => commonness });
  if (claimed === undefined) {
    throw new Error("These bytes are no template");
  }
  return claimed;
};

const makeBlocking = (service: Parameters<typeof makeBlockList>[0]) => {
  const blockList = makeBlockList(service);
  /** Blocks a face in the test world; its id. */
  const block = async (tenantId: string, template: Uint8Array, note = ""): Promise<string> => {
    const [entry] = await blockList.block(tenantId, [{ world: "test", template }], note);
    return entry?.id ?? "";
  };
  return { blockList, block };
};

/** The room behind a whole server, on a real store and the real engine. */
export const openPeopleHouse = async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "idem-people-"));
  const file = path.join(folder, "idem.sqlite");
  const store = await openSqliteStore({ path: file });
  const engine = openFaceEngine();
  const { openToken, seal } = await openTokens();
  const sealTemplate = (template: Uint8Array): Promise<string> => seal("template", template);
  const query = makeQuery(file);
  const clock = { aheadMs: 0 };
  const now = (): Date => new Date(Date.now() + clock.aheadMs);
  const templateOf = makeTemplateOf(engine);
  const recogniser = recogniserOfTemplate(await templateOf(portrait)) ?? "";
  const parts = { store, engine, openToken, recogniser };
  const service = makeService({ ...parts, clock: now });
  return {
    file,
    store,
    engine,
    keyring: service.keyring,
    service,
    clock,
    seal,
    templateOf,
    register: makeRegister(service),
    ...makeBlocking({ ...service, store }),
    desk: makePeopleDesk(service),
    recogniser,
    /** The face room under another policy. */
    faceUnder: (policy: FacePolicy) => makeFace(parts, policy),
    serve: (change: Partial<PeopleService> = {}) => serveService({ ...service, ...change }, sealTemplate),
    newTenant: async (): Promise<string> => {
      const id = randomUUID();
      await store.createTenant({ id, name: id, createdAt: new Date() });
      return id;
    },
    query,
    peopleOf: (tenant: string) => query(`select * from people where tenant_id = '${tenant}'`),
    evidenceOf: (tenant: string) =>
      query(`select kind, body from evidence where tenant_id = '${tenant}' order by seq`).map(
        ({ kind, body }) => ({ kind, body: JSON.parse(String(body)) }),
      ),
    live: (name: string) => seal("best-image", pictureOf(name)),
    token: async (name: string) => seal("template", await templateOf(name)),
    close: async (): Promise<void> => {
      await service.search.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
};

export type PeopleHouse = Awaited<ReturnType<typeof openPeopleHouse>>;

/** One house and server for a file of tests; each test gets an own tenant, a caller of it, and the real time. */
export const usePeopleHouse = () => {
  let house: PeopleHouse;
  let server: ReturnType<PeopleHouse["serve"]>;
  let tenantId: string;
  let caller: ReturnType<typeof makeCaller>;
  beforeAll(async () => {
    house = await openPeopleHouse();
    server = house.serve();
  });
  afterAll(() => house.close());
  beforeEach(async () => {
    tenantId = await house.newTenant();
    caller = makeCaller(house, server, tenantId);
    house.clock.aheadMs = 0;
  });
  return {
    get house() {
      return house;
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
  house: PeopleHouse,
  server: ReturnType<PeopleHouse["serve"]>,
  tenantId: string,
  world: "live" | "test" = "test",
) => {
  const key = server.makeKey({ tenantId, world });
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
    /** A first call with a registry's picture; the template for later calls. */
    enrol: async (userId: string, picture: string = portrait, selfie: string = selfies[0]) => {
      const image = Buffer.from(pictureOf(picture)).toString("base64");
      const bestImageToken = await house.seal("best-image", pictureOf(selfie));
      const { body } = await authenticate({ userId, image, bestImageToken });
      if (typeof body["registeredTemplateRaw"] !== "string") {
        throw new Error(`The user was not established: ${JSON.stringify(body)}`);
      }
      return body["registeredTemplateRaw"];
    },
    update: (userId: string, oldRegisteredTemplateRaw: string, newRegisteredTemplateRaw: string) =>
      call("POST", "/services/updateUserTemplate", {
        userId,
        oldRegisteredTemplateRaw,
        newRegisteredTemplateRaw,
      }),
    remove: (...userIds: readonly string[]) => call("DELETE", "/services/authenticateUser", { userIds }),
  };
};
