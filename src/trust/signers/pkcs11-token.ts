import { createRequire } from "node:module";
import { SignerError } from "./signer-error.ts";

export type Pkcs11SignerConfig = {
  readonly kind: "pkcs11";
  /** Path of the library. */
  readonly module: string;
  /** Label of the token. Absent: the only one. */
  readonly token?: string | undefined;
  readonly pin: string;
  /** Label of the private key. */
  readonly key: string;
  readonly certificatesFile?: string | undefined;
};

/** An open session with one key. */
export type Token = {
  readonly sign: (kind: "rsa" | "ec", data: Uint8Array) => Promise<Uint8Array>;
  /** Certificates with the identifier of the key. */
  readonly certificates: readonly Uint8Array[];
  readonly otherCertificates: readonly Uint8Array[];
};

/** Constants of PKCS #11 2.40. */
const constants = {
  serialSession: 4,
  user: 1,
  class: 0x000,
  label: 0x003,
  value: 0x011,
  id: 0x102,
  certificate: 1,
  privateKey: 3,
  rsaPkcs: 0x0001,
  ecdsa: 0x1041,
} as const;

type Attribute = { readonly type: number; readonly value?: Uint8Array | string | number };

/**
 * The part of pkcs11js (https://github.com/PeculiarVentures/pkcs11js) that is used: it is installed by the
 * operator.
 */
type Pkcs11 = {
  load(path: string): void;
  C_Initialize(): void;
  C_GetSlotList(tokenPresent: boolean): readonly Uint8Array[];
  C_GetTokenInfo(slot: Uint8Array): { readonly label: string };
  C_OpenSession(slot: Uint8Array, flags: number): Uint8Array;
  C_Login(session: Uint8Array, user: number, pin: string): void;
  C_FindObjectsInit(session: Uint8Array, template: readonly Attribute[]): void;
  C_FindObjects(session: Uint8Array, count: number): readonly Uint8Array[];
  C_FindObjectsFinal(session: Uint8Array): void;
  C_GetAttributeValue(
    session: Uint8Array,
    object: Uint8Array,
    template: readonly Attribute[],
  ): readonly { readonly value: Uint8Array }[];
  C_SignInit(session: Uint8Array, mechanism: { readonly mechanism: number }, key: Uint8Array): void;
  C_SignAsync(session: Uint8Array, data: Uint8Array, space: Uint8Array): Promise<Uint8Array>;
};

const missing =
  "The package pkcs11js is not installed. It is compiled for this machine: run `npm ci --prefix ops/pkcs11 --ignore-scripts=false` in the folder of this service.";

/** The package stands in a folder and a lock file of its own, because it alone needs an install script. */
const packageFolder = new URL("../../../ops/pkcs11/package.json", import.meta.url);

/** Loads the package without naming it as a dependency: it needs a compiler, and few deployments a token. */
const loadLibrary = (): Pkcs11 => {
  try {
    const loaded: { readonly PKCS11: new () => Pkcs11 } = createRequire(packageFolder)("pkcs11js");
    return new loaded.PKCS11();
  } catch {
    throw new SignerError(missing);
  }
};

const trimmed = (label: string): string => label.replace(/[\s\0]+$/, "");

const chooseSlot = (library: Pkcs11, wanted: string | undefined): Uint8Array => {
  const slots = library
    .C_GetSlotList(true)
    .map((slot) => ({ slot, label: trimmed(library.C_GetTokenInfo(slot).label) }));
  const [first, ...others] = slots.filter(({ label }) => wanted === undefined || label === wanted);
  const labels = slots.map(({ label }) => label).join(", ") || "none";
  if (first === undefined)
    throw new SignerError(`IDEM_SIGNER_PKCS11_TOKEN names no token. Tokens: ${labels}.`);
  if (others.length > 0)
    throw new SignerError(`There are several tokens. Set IDEM_SIGNER_PKCS11_TOKEN: ${labels}.`);
  return first.slot;
};

/** More objects than these are not read. */
const objectsMax = 100;

const findObjects = (library: Pkcs11, session: Uint8Array, template: readonly Attribute[]) => {
  library.C_FindObjectsInit(session, template);
  const found = library.C_FindObjects(session, objectsMax);
  library.C_FindObjectsFinal(session);
  return found;
};

/**
 * A library is initialised, and a token logged in, once for a process: a second signer finds it done (PKCS
 * #11 2.40, 5.4, 5.6).
 */
const unlessDone = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    const isDone =
      error instanceof Error &&
      /CKR_(CRYPTOKI_ALREADY_INITIALIZED|USER_ALREADY_LOGGED_IN)/.test(error.message);
    if (!isDone) throw error;
  }
};

const openSession = ({ module, token, pin }: Pkcs11SignerConfig) => {
  const library = loadLibrary();
  try {
    library.load(module);
    unlessDone(() => library.C_Initialize());
    const session = library.C_OpenSession(chooseSlot(library, token), constants.serialSession);
    unlessDone(() => library.C_Login(session, constants.user, pin));
    return { library, session };
  } catch (error) {
    if (error instanceof SignerError) throw error;
    const reason = error instanceof Error ? error.message : "no reason";
    throw new SignerError(
      `The token cannot be opened (${reason}). Check IDEM_SIGNER_PKCS11_MODULE and IDEM_SIGNER_PKCS11_PIN.`,
    );
  }
};

/** Opens a session and finds the key. Throws SignerError. */
export const loadToken = async (config: Pkcs11SignerConfig): Promise<Token> => {
  const { library, session } = openSession(config);
  const valueOf = (object: Uint8Array, type: number): Uint8Array =>
    new Uint8Array(library.C_GetAttributeValue(session, object, [{ type }])[0]?.value ?? []);
  const [key, ...others] = findObjects(library, session, [
    { type: constants.class, value: constants.privateKey },
    { type: constants.label, value: config.key },
  ]);
  if (key === undefined || others.length > 0) {
    throw new SignerError(
      `The token has ${others.length + (key ? 1 : 0)} private keys of the label ${config.key}.`,
    );
  }
  const id = Buffer.from(valueOf(key, constants.id));
  const all = findObjects(library, session, [{ type: constants.class, value: constants.certificate }]);
  const isOwn = (object: Uint8Array): boolean => id.length > 0 && id.equals(valueOf(object, constants.id));
  const read = (object: Uint8Array): Uint8Array => valueOf(object, constants.value);
  let last: Promise<unknown> = Promise.resolve();
  return {
    certificates: all.filter(isOwn).map(read),
    otherCertificates: all.filter((object) => !isOwn(object)).map(read),
    // A session signs one message at a time (PKCS #11 2.40, 5.11).
    sign: async (kind, data) => {
      const work = last.then(async () => {
        library.C_SignInit(session, { mechanism: kind === "rsa" ? constants.rsaPkcs : constants.ecdsa }, key);
        return new Uint8Array(await library.C_SignAsync(session, data, Buffer.alloc(1_024)));
      });
      last = work.catch(() => undefined);
      return await work;
    },
  };
};
