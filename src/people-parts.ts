/** Composition of the registered users: what their room takes, and its endpoints. */
import { randomUUID } from "node:crypto";
import type { Endpoint } from "./contract/endpoint.ts";
import { makeFaceJudging } from "./face/judging.ts";
import type { FaceService } from "./face/service.ts";
import { recogniserOf } from "./face/template.ts";
import type { Engine } from "./open-engine.ts";
import type { ReadyConfig, Storage } from "./open-storage.ts";
import { makeAuthenticateUser } from "./people/authenticate-user.ts";
import { makeDeleteUsers } from "./people/delete-users.ts";
import {
  authenticateUserEndpoint,
  authenticateUserV2Endpoint,
} from "./people/http/authenticate-user.endpoint.ts";
import { deleteUsersEndpoint } from "./people/http/delete-users.endpoint.ts";
import { updateUserTemplateEndpoint } from "./people/http/update-user-template.endpoint.ts";
import { defaultPeoplePolicy } from "./people/policy.ts";
import type { PeopleService } from "./people/service.ts";
import { makeTemplateVault } from "./people/template-vault.ts";
import { makeUpdateTemplate } from "./people/update-template.ts";
import { openBox, sealBox } from "./storage/sealed-box.ts";
import { type PublishedKeys, sealToken } from "./tokens/seal.ts";
import type { OpenToken } from "./tokens/token.ts";

type PeopleParts = {
  readonly config: ReadyConfig;
  readonly storage: Storage;
  readonly engine: Engine;
  /** The deployment's keys of this moment: a template is sealed to the newest. */
  readonly publishedKeys: () => PublishedKeys;
  readonly openToken: OpenToken;
  readonly faceService: FaceService;
  readonly clock: () => Date;
};

const makePeopleService = ({
  config,
  storage,
  engine,
  openToken,
  faceService,
  clock,
}: PeopleParts): PeopleService => {
  const { store, keyring } = storage;
  const face = makeFaceJudging(faceService, recogniserOf(engine.recogniserModels));
  const vault = makeTemplateVault({ keyring, sealBox, openBox, face, newId: randomUUID });
  const policy = { ...defaultPeoplePolicy, templateWithoutPicture: config.people.templateWithoutPicture };
  return { face, vault, keyring, store, openToken, policy, clock, newId: randomUUID };
};

/** The endpoints of registered users. */
export const makePeopleEndpoints = (parts: PeopleParts): readonly Endpoint[] => {
  const service = makePeopleService(parts);
  const { config, publishedKeys } = parts;
  const sealTemplate = (payload: Uint8Array, now: Date): Promise<string> =>
    sealToken({ keys: publishedKeys(), kind: "template", payload, now });
  const authenticateUser = makeAuthenticateUser(service);
  const authenticate = { authenticateUser, sealTemplate, imageBytesMax: config.images.bytesMax };
  return [
    authenticateUserEndpoint(authenticate),
    authenticateUserV2Endpoint(authenticate),
    deleteUsersEndpoint(makeDeleteUsers(service)),
    updateUserTemplateEndpoint({ updateTemplate: makeUpdateTemplate(service), sealTemplate }),
  ];
};
