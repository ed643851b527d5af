/** Composition of the registered users: what their room takes, and its endpoints. */
import { randomUUID } from "node:crypto";
import type { Endpoint } from "./contract/endpoint.ts";
import type { LookUpHistory } from "./document/history.ts";
import { makeFaceJudging } from "./face/judging.ts";
import { scoreAtFmr } from "./face/matching/calibration.ts";
import type { FaceService } from "./face/service.ts";
import type { Parts } from "./parts.ts";
import { makeAuthenticateUser } from "./people/authenticate-user.ts";
import { makeDeleteUsers } from "./people/delete-users.ts";
import { makeLookUpHistory } from "./people/document-history.ts";
import {
  authenticateUserEndpoint,
  authenticateUserV2Endpoint,
} from "./people/http/authenticate-user.endpoint.ts";
import { deleteUsersEndpoint } from "./people/http/delete-users.endpoint.ts";
import { updateUserTemplateEndpoint } from "./people/http/update-user-template.endpoint.ts";
import { defaultPeoplePolicy, withSettings } from "./people/policy.ts";
import type { PeopleService } from "./people/service.ts";
import { makeTemplateVault } from "./people/template-vault.ts";
import { makeUpdateTemplate } from "./people/update-template.ts";
import { openSearch, type Search } from "./search-parts.ts";
import { openBox, sealBox } from "./storage/sealed-box.ts";
import { type PublishedKeys, sealToken } from "./tokens/seal.ts";

type PeopleParts = Parts & {
  /** The deployment's keys of this moment: a template is sealed to the newest. */
  readonly publishedKeys: () => PublishedKeys;
  readonly faceService: FaceService;
  readonly clock: () => Date;
};

const makePeopleService = ({
  config,
  storage,
  engine,
  openToken,
  faceService,
  report,
  note,
  clock,
}: PeopleParts): PeopleService & { readonly search: Search } => {
  const { store, keyring } = storage;
  const face = makeFaceJudging(faceService, engine.recogniser);
  const vault = makeTemplateVault({ keyring, sealBox, openBox, face, newId: randomUUID });
  const policy = withSettings(defaultPeoplePolicy, config.people);
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
  const { newcomers } = search;
  return { face, vault, keyring, store, openToken, newcomers, policy, clock, newId: randomUUID, search };
};

export type People = {
  readonly endpoints: readonly Endpoint[];
  readonly search: Search;
  /** What document validations ask of people. */
  readonly lookUpHistory: LookUpHistory;
};

/** Registered users: their endpoints, and the search among them and the blocked, which begins to fill itself. */
export const openPeople = (parts: PeopleParts): People => {
  const service = makePeopleService(parts);
  const { config, publishedKeys } = parts;
  const sealTemplate = (payload: Uint8Array, now: Date): Promise<string> =>
    sealToken({ keys: publishedKeys(), kind: "template", payload, now });
  const authenticateUser = makeAuthenticateUser(service);
  const authenticate = { authenticateUser, sealTemplate, imageBytesMax: config.images.bytesMax };
  const endpoints = [
    authenticateUserEndpoint(authenticate),
    authenticateUserV2Endpoint(authenticate),
    deleteUsersEndpoint(makeDeleteUsers(service)),
    updateUserTemplateEndpoint({ updateTemplate: makeUpdateTemplate(service), sealTemplate }),
  ];
  const { search, policy } = service;
  const lookUpHistory = makeLookUpHistory({
    ...service,
    ...search,
    policy: policy.search,
    keepsNumbers: config.validation.numbersKeptMs > 0,
    store: parts.storage.store,
  });
  return { endpoints, search, lookUpHistory };
};
