import { randomBytes } from "node:crypto";
import { Failure } from "#contract/failure";
import type { FaceJudging } from "#face/judging";
import type { Keyring } from "#storage/blobs";
import type { Person, SealedTemplate } from "#storage/person";
import type { openBox, sealBox } from "#storage/sealed-box";
import { makeSecretTransform } from "./secret-transform.ts";

export type VaultParts = {
  readonly keyring: Keyring;
  readonly sealBox: typeof sealBox;
  readonly openBox: typeof openBox;
  readonly face: Pick<FaceJudging, "mapTemplate" | "recogniserOf">;
  readonly newId: () => string;
};

const secretBytes = 32;

type Owner = Pick<Person, "tenantId" | "id">;

/**
 * Templates at rest (ISO/IEC 24745: renewable, unlinkable, irreversible without the keys). A template is rotated by a
 * transform that only its own secret tells, then sealed under a key of its own. The key is sealed under the tenant's
 * key for templates; the secret, and what else would tell a face again, under its key for secrets: who learns one of the
 * two reads nothing.
 */
export type TemplateVault = {
  /** A new key and a new secret every time, so that nothing sealed before tells of it. */
  readonly seal: (owner: Owner, template: Uint8Array) => Promise<SealedTemplate>;
  /** The template as it was but for rounding. Fails with stored_damaged, or store_unavailable amid an erasure. */
  readonly open: (person: Owner & SealedTemplate) => Promise<Uint8Array>;
};

export const makeTemplateVault = (parts: VaultParts): TemplateVault => ({
  seal: (owner, template) => sealTemplate(parts, owner, template),
  open: (person) => openTemplate(parts, person),
});

/** The secret of the transform, then how common the face looks: of one face the same number in every tenant. */
const packAuxiliary = (secret: Uint8Array, commonness: number): Uint8Array => {
  const bytes = Buffer.concat([secret, Buffer.alloc(4)]);
  bytes.writeFloatLE(commonness, secretBytes);
  return bytes;
};

const sealTemplate = async (
  { keyring, sealBox: seal, face, newId }: VaultParts,
  owner: Owner,
  template: Uint8Array,
): Promise<SealedTemplate> => {
  const [key, secret] = [randomBytes(32), randomBytes(secretBytes)];
  let auxiliary = packAuxiliary(secret, 0);
  const rotated = face.mapTemplate(template, {
    vector: makeSecretTransform(secret).apply,
    commonness: (value) => {
      auxiliary = packAuxiliary(secret, value);
      return 0;
    },
  });
  const recogniser = face.recogniserOf(template);
  if (recogniser === undefined || rotated === undefined) {
    throw new Error("Bytes that are no template were to be kept");
  }
  const keyId = newId();
  const [wrappedKey, sealedTransform] = await Promise.all([
    keyring.seal(owner.tenantId, "templates", key, contextOf(owner, "key")),
    keyring.seal(owner.tenantId, "secrets", auxiliary, contextOf(owner, "transform")),
  ]);
  const sealedTemplate = seal(boxKey(keyId, key), wordsOf(owner), rotated);
  const dataKeyId = keyring.dataKeyIdOf(wrappedKey);
  return { keyId, dataKeyId, recogniser, wrappedKey, sealedTransform, sealedTemplate };
};

const openTemplate = async (
  { keyring, openBox: open, face }: VaultParts,
  person: Owner & SealedTemplate,
): Promise<Uint8Array> => {
  const { tenantId, keyId, wrappedKey, sealedTransform, sealedTemplate } = person;
  const [key, auxiliary] = await Promise.all([
    keyring.open(tenantId, "templates", wrappedKey, contextOf(person, "key")),
    keyring.open(tenantId, "secrets", sealedTransform, contextOf(person, "transform")),
  ]).catch(amidErasure);
  const rotated = orDamaged(() => open(boxKey(keyId, key), wordsOf(person), sealedTemplate));
  const template = face.mapTemplate(rotated, {
    vector: makeSecretTransform(auxiliary.subarray(0, secretBytes)).undo,
    commonness: () => Buffer.from(auxiliary).readFloatLE(secretBytes),
  });
  if (template === undefined) {
    throw new Failure("stored_damaged");
  }
  return template;
};

const boxKey = (keyId: string, bytes: Uint8Array) => ({ id: keyId.replaceAll("-", ""), bytes });

const contextOf = ({ id }: Owner, part: string): string => `person ${id} ${part}`;

const wordsOf = ({ tenantId, id }: Owner): readonly string[] => ["person template", tenantId, id];

/** The tenant's keys were destroyed after the row was read: the next try will not find the row. */
const amidErasure = (cause: unknown): never => {
  const isDestroyed = cause instanceof Failure && cause.code === "not_found";
  throw isDestroyed ? new Failure("store_unavailable", {}, { cause }) : cause;
};

const orDamaged = (open: () => Uint8Array): Uint8Array => {
  try {
    return open();
  } catch (cause) {
    throw new Failure("stored_damaged", {}, { cause });
  }
};
