import { createPrivateKey } from "node:crypto";
import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { readCertificate } from "#trust/asn1/certificate";
import type { SecretCommands } from "#trust/key-ring/secret-store";
import type { Sealer } from "#trust/tokens/key-store";
import type { Issued } from "../issue-certificate.ts";
import { judgeRenewal, type Role } from "./lifetimes.ts";
import type { DevelopmentKeys } from "./make-keys.ts";

/** The keys of the development authority, sealed in the store and shared by all processes. */
export type DevelopmentKeyStore = {
  /**
   * Reads the keys; makes them when there are none, and new certificates when they come near their end. Seals
   * them anew when a former master key sealed them. Fails when they cannot be opened.
   */
  readonly loadOrCreate: (now: Date) => Promise<DevelopmentKeys>;
  /** Seals existing keys anew under the current master key. Does nothing when there are none. */
  readonly reseal: () => Promise<void>;
};

/** The name of the stored secret. */
export const developmentAuthoritySecret = "development-authority";

/** Keeps the keys of the development authority under the deployment's master key. */
export const makeDevelopmentKeyStore = (store: SecretCommands, sealer: Sealer): DevelopmentKeyStore => {
  const read = async () => {
    const sealed = await store.findSecret(developmentAuthoritySecret);
    if (sealed === undefined) return undefined;
    const { plain, isStale } = await sealer.open(sealed);
    return { keys: parse(plain), sealed, isStale };
  };
  const write = async (seen: Uint8Array | undefined, keys: DevelopmentKeys): Promise<boolean> =>
    await store.replaceSecret(developmentAuthoritySecret, seen, await sealer.seal(serialise(keys)));

  const loadOrCreate = async (now: Date): Promise<DevelopmentKeys> => {
    const found = await read();
    const changed = await changeOf(found?.keys, now);
    const keys = changed ?? found?.keys;
    if (keys !== undefined && changed === undefined && found?.isStale === false) return keys;
    // When several processes start together, one of them writes the keys. The others read them.
    const isWritten = keys !== undefined && (await write(found?.sealed, keys));
    return isWritten ? keys : await loadOrCreate(now);
  };

  const reseal = async (): Promise<void> => {
    const found = await read();
    if (found?.isStale === true && !(await write(found.sealed, found.keys))) await reseal();
  };

  return { loadOrCreate, reseal };
};

/** New keys where there are none, or where one ends soon. What makes certificates loads only then. */
const changeOf = async (
  keys: DevelopmentKeys | undefined,
  now: Date,
): Promise<DevelopmentKeys | undefined> => {
  const renewal = keys === undefined ? "all" : judgeRenewal(mapKeys(keys, endOf), now.getTime());
  if (renewal === "none") return undefined;
  const { makeDevelopmentKeys, renewLeaves } = await import("./make-keys.ts");
  return keys === undefined || renewal === "all"
    ? await makeDevelopmentKeys(now)
    : await renewLeaves(keys, now);
};

const endOf = ({ certificate }: Issued): number => readCertificate(certificate).validTo;

const mapKeys = <From, To>(keys: Readonly<Record<Role, From>>, map: (one: From) => To): Record<Role, To> => ({
  root: map(keys.root),
  issuing: map(keys.issuing),
  signer: map(keys.signer),
  stamper: map(keys.stamper),
  responder: map(keys.responder),
});

/** Certificate in DER and key in PKCS #8, in Base64. */
const storedPair = Type.Object({ certificate: Type.String(), key: Type.String() });
const stored = makeCheck(
  Type.Object({
    root: storedPair,
    issuing: storedPair,
    signer: storedPair,
    stamper: storedPair,
    responder: storedPair,
  }),
);

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

const serialise = (keys: DevelopmentKeys): Uint8Array =>
  Buffer.from(
    JSON.stringify(
      mapKeys(keys, ({ certificate, key }) => ({
        certificate: textOf(certificate),
        key: textOf(key.export({ type: "pkcs8", format: "der" })),
      })),
    ),
  );

const parse = (plain: Uint8Array): DevelopmentKeys => {
  const value: unknown = JSON.parse(Buffer.from(plain).toString());
  if (!stored.Check(value)) {
    throw new Error(
      "The keys of the development authority in the store have a form that this release cannot read: a newer release wrote them. Start that release again.",
    );
  }
  return mapKeys(value, revive);
};

const revive = ({ certificate, key }: Static<typeof storedPair>): Issued => ({
  certificate: new Uint8Array(Buffer.from(certificate, "base64")),
  key: createPrivateKey({ key: Buffer.from(key, "base64"), format: "der", type: "pkcs8" }),
});
