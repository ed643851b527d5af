import { createHash } from "node:crypto";
import { Type } from "typebox";
import { canonicalJson } from "#contract/canonical-json";
import { registryFields } from "#contract/civil-code";
import { Failure } from "#contract/failure";
import { makeCheck } from "#contract/make-check";
import type { Keyring } from "#machine/storage/blobs";
import type { RegistryPerson } from "../registry.ts";
import type { RegistryOwner, RegistryPersonRow } from "../store/registry-person.ts";

/**
 * The keys of local registries: hashes by which persons are found, and their seals. Made by
 * {@link makePersonKeys}.
 */
export type PersonKeys = {
  readonly hashOf: (of: RegistryOwner, documentNumber: string) => Promise<string>;
  /** The same for the same fields and the same original photo. */
  readonly contentOf: (
    of: RegistryOwner,
    documentNumber: string,
    fields: RegistryPerson["fields"],
    photo: Uint8Array | undefined,
  ) => Promise<string>;
  readonly seal: (
    of: RegistryOwner,
    hash: string,
    person: RegistryPerson,
  ) => Promise<Pick<RegistryPersonRow, "dataKeyId" | "sealed" | "sealedPhoto">>;
  readonly open: (
    of: RegistryOwner,
    hash: string,
    row: Pick<RegistryPersonRow, "sealed" | "sealedPhoto">,
  ) => Promise<RegistryPerson>;
};

const purpose = "registry";

/**
 * The owner of sealed bytes: a person under another number, or a photo in the place of fields, does not open.
 */
const contextOf = (kind: "person" | "photo", { environment, country }: RegistryOwner, hash: string): string =>
  `registry ${kind} ${environment} ${country} ${hash}`;

const fieldsShape = makeCheck(
  Type.Object(Object.fromEntries(registryFields.map((field) => [field, Type.Optional(Type.String())])), {
    additionalProperties: false,
  }),
);

const parseFields = (bytes: Uint8Array): RegistryPerson["fields"] => {
  const fields: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!fieldsShape.Check(fields)) throw new Failure("stored_newer");
  return fields;
};

export const makePersonKeys = ({ seal, open, pseudonym, dataKeyIdOf }: Keyring): PersonKeys => ({
  hashOf: ({ tenantId, environment, country }, documentNumber) =>
    pseudonym(tenantId, purpose, canonicalJson(["person", environment, country, documentNumber])),

  contentOf: ({ tenantId }, documentNumber, fields, photo) => {
    const hash = photo === undefined ? null : createHash("sha256").update(photo).digest("hex");
    return pseudonym(tenantId, purpose, canonicalJson(["content", documentNumber, fields, hash]));
  },

  seal: async (of, hash, { fields, photo }) => {
    const plain = Buffer.from(canonicalJson(fields), "utf8");
    const sealed = await seal(of.tenantId, purpose, plain, contextOf("person", of, hash));
    const sealedPhoto = photo && (await seal(of.tenantId, purpose, photo, contextOf("photo", of, hash)));
    return { dataKeyId: dataKeyIdOf(sealed), sealed, ...(sealedPhoto && { sealedPhoto }) };
  },

  open: async (of, hash, { sealed, sealedPhoto }) => {
    const fields = parseFields(await open(of.tenantId, purpose, sealed, contextOf("person", of, hash)));
    const photo =
      sealedPhoto && (await open(of.tenantId, purpose, sealedPhoto, contextOf("photo", of, hash)));
    return { fields, ...(photo && { photo }) };
  },
});
