/** Composition of the registered users: the dependencies of their use cases, the endpoints, the search. */
import { randomUUID } from "node:crypto";
import type { Endpoint } from "#contract/endpoint";
import { type AuthenticateUser, makeAuthenticateUser } from "#features/users/authenticate-user";
import { makeDeleteUsers } from "#features/users/delete-users";
import { makeLookUpHistory } from "#features/users/document-history";
import {
  authenticateUserEndpoint,
  authenticateUserV2Endpoint,
  type SealTemplate,
} from "#features/users/http/authenticate-user.endpoint";
import { deleteUsersEndpoint } from "#features/users/http/delete-users.endpoint";
import { updateUserTemplateEndpoint } from "#features/users/http/update-user-template.endpoint";
import { defaultUserPolicy, withSettings } from "#features/users/policy";
import { makeRequireUser, type RequireUser } from "#features/users/require-user";
import type { UserService } from "#features/users/service";
import { makeTemplateVault } from "#features/users/template-vault";
import { makeUpdateTemplate } from "#features/users/update-template";
import type { LookUpHistory } from "#judging/document/decision/history/history";
import { makeFaceJudging } from "#judging/face/judging";
import { scoreAtFmr } from "#judging/face/matching/calibration";
import type { FaceDeps, FaceService } from "#judging/face/service";
import type { PublishedKeys } from "#trust/tokens/seal";
import { type ByEnvironment, byEnvironment } from "./by-environment.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import { personaEndpoints } from "./personas.ts";
import { makeSealForCaller } from "./seal-for-caller.ts";
import { openSearch } from "./search.ts";

type UserParts = Parts & {
  /** The deployment's current public keys. A template is sealed to the newest. */
  readonly publishedKeys: () => PublishedKeys;
  readonly faceServiceOf: ByEnvironment<FaceService>;
};

type UserCoreParts = Pick<Parts, "config" | "report" | "note" | "clock"> & {
  readonly storage: Pick<Parts["storage"], "store" | "keyring">;
  readonly engine: Pick<Parts["engine"], "recogniser">;
  readonly faceService: FaceDeps;
};

/** The dependencies of enrolments, with the search, which the caller has to close. */
export const openUserCore = ({
  config,
  storage,
  engine,
  faceService,
  report,
  note,
  clock,
}: UserCoreParts) => {
  const { store, keyring } = storage;
  const face = makeFaceJudging(faceService, engine.recogniser);
  const vault = makeTemplateVault(keyring, randomUUID);
  const policy = withSettings(defaultUserPolicy, config.users);
  const scoreMin = scoreAtFmr(faceService.policy.comparison.falseMatchRates.selfie);
  const { masterKey, masterKeyPrevious: previous } = config;
  const masters = [masterKey, ...(previous === undefined ? [] : [previous])];
  const search = openSearch({
    masters,
    store,
    report,
    note,
    face,
    vault,
    policy: policy.search,
    scoreMin,
    scale: faceService.policy.comparison.scale,
  });
  const { deduplication } = search;
  const shared = { policy, clock, newId: randomUUID };
  return { face, vault, keyring, store, deduplication, ...shared, search };
};

/** Registered users as a module, and the port that the documents use. Made by {@link openUsers}. */
export type Users = {
  readonly module: Module;
  /** Looks up faces and document numbers for document validations. Made by {@link makeLookUpHistory}. */
  readonly lookUpHistory: LookUpHistory;
  readonly authenticateUserOf: ByEnvironment<AuthenticateUser>;
  readonly requireUser: RequireUser;
};

const makeUserEndpoints = (
  service: UserService,
  authenticateUser: AuthenticateUser,
  { config, publishedKeys }: UserParts,
): readonly Endpoint[] => {
  const sealTemplate: SealTemplate = makeSealForCaller("template", publishedKeys);
  const authenticate = { authenticateUser, sealTemplate, imageBytesMax: config.images.bytesMax };
  return [
    authenticateUserEndpoint(authenticate),
    authenticateUserV2Endpoint(authenticate),
    deleteUsersEndpoint(makeDeleteUsers(service)),
    updateUserTemplateEndpoint({ updateTemplate: makeUpdateTemplate(service), sealTemplate }),
  ];
};

/**
 * Opens the registered users and the one-to-many search among users and blocked faces. Resolves when the
 * block list is in memory, or when the first attempt to load it has failed. The gallery of users may still be
 * filling.
 */
export const openUsers = async (parts: UserParts): Promise<Users> => {
  const [testFaces, liveFaces] = [{ environment: "test" }, { environment: "live" }] as const;
  const { search, ...core } = openUserCore({ ...parts, faceService: parts.faceServiceOf(liveFaces) });
  const { openToken, recordCall, hashAuthentication, trackCall, trackDecision } = parts;
  const service: UserService = {
    ...core,
    openToken,
    recordCall,
    hashAuthentication,
    trackCall,
    trackDecision,
  };
  const serviceOf = (environment: typeof testFaces | typeof liveFaces): UserService => ({
    ...service,
    face: makeFaceJudging(parts.faceServiceOf(environment), parts.engine.recogniser),
  });
  const [test, live] = [serviceOf(testFaces), serviceOf(liveFaces)];
  const authenticate = { test: makeAuthenticateUser(test), live: makeAuthenticateUser(live) };
  await search.begun;
  const lookUpHistory = makeLookUpHistory({
    ...service,
    ...search,
    policy: service.policy.search,
    keepsNumbers: parts.config.validation.numbersKeptMs > 0,
    store: parts.storage.store,
  });
  return {
    module: {
      name: "users",
      endpoints: personaEndpoints(
        makeUserEndpoints(test, authenticate.test, parts),
        makeUserEndpoints(live, authenticate.live, parts),
        parts,
      ),
      readiness: search.needs,
      gauges: search.gauges,
      close: search.close,
    },
    lookUpHistory,
    authenticateUserOf: byEnvironment(authenticate.test, authenticate.live),
    requireUser: makeRequireUser(service),
  };
};
