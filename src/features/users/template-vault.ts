import { randomBytes } from "node:crypto";
import { Failure } from "#contract/failure";
import { mapTemplate, recogniserOfTemplate } from "#judging/face/matching/template";
import type { BoundContext, Keyring } from "#machine/storage/blobs";
import { openBox, sealBox } from "#machine/storage/sealed-box";
import { makeSecretTransform } from "./secret-transform.ts";
import type { SealedTemplate, User } from "./store/user.ts";

const secretBytes = 32;

type Owner = Pick<User, "tenantId" | "environment" | "id">;

/**
 * Seals templates at rest (ISO/IEC 24745: renewable, unlinkable, irreversible without the keys). A transform
 * with its own secret rotates each template, then a key of its own seals it. The tenant's key for templates
 * seals that key, bound to the environment; so the template opens in no other. The tenant's key for secrets
 * seals the secret and the cohort score, which could link two enrolments. One of the two tenant keys alone
 * reads nothing. Made by {@link makeTemplateVault}.
 */
export type TemplateVault = {
  /** Seals under a new key and a new secret every time, so that it cannot be linked to an earlier seal. */
  readonly seal: (owner: Owner, template: Uint8Array) => Promise<SealedTemplate>;
  /**
   * Returns the original template, except for rounding. Fails with stored_damaged, stored_newer, or with
   * store_unavailable during an erasure.
   */
  readonly open: (user: Owner & SealedTemplate) => Promise<Uint8Array>;
};

export const makeTemplateVault = (keyring: Keyring, newId: () => string): TemplateVault => ({
  seal: (owner, template) => sealTemplate(keyring, newId(), owner, template),
  open: (user) => openTemplate(keyring, user),
});

/** The secret of the transform, then the cohort score, which would be equal for one face in every tenant. */
const packAuxiliary = (secret: Uint8Array, cohortScore: number): Uint8Array => {
  const bytes = Buffer.concat([secret, Buffer.alloc(4)]);
  bytes.writeFloatLE(cohortScore, secretBytes);
  return bytes;
};

const sealTemplate = async (
  keyring: Keyring,
  keyId: string,
  owner: Owner,
  template: Uint8Array,
): Promise<SealedTemplate> => {
  const [key, secret] = [randomBytes(32), randomBytes(secretBytes)];
  let auxiliary = packAuxiliary(secret, 0);
  const rotated = mapTemplate(template, {
    vector: makeSecretTransform(secret).apply,
    cohortScore: (value) => {
      auxiliary = packAuxiliary(secret, value);
      return 0;
    },
  });
  const recogniser = recogniserOfTemplate(template);
  if (recogniser === undefined || rotated === undefined) {
    throw new Error("The bytes to seal are not a template");
  }
  const [wrappedKey, sealedTransform] = await Promise.all([
    keyring.seal(owner.tenantId, "templates", key, contextOf(owner, "key")),
    keyring.seal(owner.tenantId, "secrets", auxiliary, contextOf(owner, "transform")),
  ]);
  const sealedTemplate = sealBox(boxKey(keyId, key), associatedDataOf(owner), rotated);
  const dataKeyId = keyring.dataKeyIdOf(wrappedKey);
  return { keyId, dataKeyId, recogniser, wrappedKey, sealedTransform, sealedTemplate };
};

const openTemplate = async (keyring: Keyring, user: Owner & SealedTemplate): Promise<Uint8Array> => {
  const { tenantId, keyId, wrappedKey, sealedTransform, sealedTemplate } = user;
  const [key, auxiliary] = await Promise.all([
    keyring.open(tenantId, "templates", wrappedKey, contextOf(user, "key")),
    keyring.open(tenantId, "secrets", sealedTransform, contextOf(user, "transform")),
  ]).catch(translateErasure);
  const rotated = orDamaged(() => openBox(boxKey(keyId, key), associatedDataOf(user), sealedTemplate));
  const template = mapTemplate(rotated, {
    vector: makeSecretTransform(auxiliary.subarray(0, secretBytes)).undo,
    cohortScore: () => Buffer.from(auxiliary).readFloatLE(secretBytes),
  });
  // The seals vouch for the bytes: a later release wrote a template in another format.
  if (template === undefined) {
    throw new Failure(
      "stored_newer",
      {},
      { cause: new Error("The format of the stored template is unknown") },
    );
  }
  return template;
};

const boxKey = (keyId: string, bytes: Uint8Array) => ({ id: keyId.replaceAll("-", ""), bytes });

const contextOf = ({ id, environment }: Owner, part: string): BoundContext => ({
  owner: `person ${id} ${part}`,
  environment,
});

const associatedDataOf = ({ tenantId, id }: Owner): readonly string[] => ["person template", tenantId, id];

/** The tenant's keys were destroyed after the row was read. The next try will not find the row. */
const translateErasure = (cause: unknown): never => {
  const isDestroyed = cause instanceof Failure && cause.code === "not_found";
  throw isDestroyed ? new Failure("store_unavailable", {}, { cause }) : cause;
};

const orDamaged = (open: () => Uint8Array): Uint8Array => {
  try {
    return open();
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure("stored_damaged", {}, { cause });
  }
};
