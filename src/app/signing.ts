/**
 * Composition of signing: the deployment's signer, its time-stamp authorities, the way out, and the threads
 * that work on files.
 */
import { X509Certificate } from "node:crypto";
import { Failure } from "#contract/failure";
import type { Certificate } from "#features/clearing/certificate/certificate";
import type { SignReport } from "#features/signing/evidence/bundle/make-bundle";
import type { SignDocument } from "#features/signing/evidence/sign-document";
import type { SigningTerms } from "#features/signing/evidence/sign-with-statement";
import type { ExtendedPdf } from "#features/signing/pades/extend-pdf";
import type { Revision } from "#features/signing/pades/place-signature";
import type { SignedPdf } from "#features/signing/pades/sign-pdf";
import { type Config, ConfigError } from "#machine/config/config";
import type { Egress } from "#machine/egress/egress";
import { readCertificate } from "#trust/asn1/certificate";
import type { SecretCommands } from "#trust/key-ring/secret-store";
import { makeFetchValidation } from "#trust/revocation/fetch-validation";
import type { SigningPorts } from "#trust/revocation/ports";
import { type DevelopmentAuthority, openDevelopmentAuthority } from "#trust/signers/development/authority";
import { developmentAuthoritySecret, makeDevelopmentKeyStore } from "#trust/signers/development/key-store";
import type { OpenedSigner } from "#trust/signers/make-signer";
import { openSigner } from "#trust/signers/open-signer";
import { makeAuthorities, makeStampDigest } from "#trust/timestamps/authorities";
import type { Authority } from "#trust/timestamps/authority";
import { makeEmbeddedAuthority } from "#trust/timestamps/respond";
import type { Roots } from "#trust/timestamps/trust";
import { openAuthorities, readRootFile } from "./evidence.ts";
import type { Module } from "./module.ts";
import type { Note, Parts } from "./parts.ts";
import type { Report } from "./report.ts";
import { openSigningThreads, type SigningThreads } from "./signing-threads.ts";
import { masterSealerOf, type ReadyConfig } from "./storage.ts";
import type { RootFiles } from "./threads/signing.ts";

/**
 * The sources of signatures. The command line uses them without threads. Made by {@link openSigningSources}.
 */
export type SigningSources = {
  readonly ports: SigningPorts;
  readonly terms: SigningTerms;
  readonly signer: OpenedSigner;
  /** Trusted in verifications. */
  readonly roots: RootFiles;
  /** In the order in which they are asked. */
  readonly authorities: readonly Authority[];
};

export type SigningSourceParts = {
  readonly config: ReadyConfig;
  readonly egress: Egress;
  readonly store: SecretCommands;
  readonly clock: () => Date;
  readonly note: Note;
};

/**
 * The roots that the operator trusts for signers and for time-stamps, and the roots of the authorities, for
 * time-stamps alone. A time-stamp authority answers for no signer.
 */
export const openRoots = async ({ signing, timestamps }: Config): Promise<RootFiles> => {
  const rootsFile = signing.rootsFile;
  const trusted = rootsFile === undefined ? [] : derOf(await readRootFile(rootsFile, "IDEM_SIGNING_ROOTS"));
  const stamping = timestamps === undefined ? [] : derOf(await readRootFile(timestamps.caFile));
  return { signers: trusted, stamps: [...trusted, ...stamping] };
};

/**
 * The last issuer of a signer is trusted for signers where the operator names no roots; a certificate that
 * signs itself is its own.
 */
const lastIssuerOf = ({ certificate, chain }: Pick<OpenedSigner, "certificate" | "chain">) => {
  const last = chain.at(-1) ?? certificate;
  return readCertificate(last).isSelfIssued ? [last] : chain.slice(-1);
};

const derOf = (roots: Roots): readonly Uint8Array[] => roots.map(({ raw }) => new Uint8Array(raw));

/** The authorities of the configuration; without one the embedded authority, which production refuses. */
const openStampers = async (
  { config, egress, clock }: SigningSourceParts,
  development: DevelopmentAuthority | undefined,
): Promise<readonly Authority[]> => {
  const named = await openAuthorities(config, egress, clock);
  if (named === undefined && development === undefined) {
    throw new ConfigError(["IDEM_TIMESTAMP_URL is missing: signatures need a time-stamp authority."]);
  }
  const embedded =
    development === undefined
      ? []
      : [
          makeEmbeddedAuthority({
            signer: development.stamper,
            clock,
            roots: [new X509Certificate(development.root)],
          }),
        ];
  return named ?? embedded;
};

/** A time-stamp of the first authority of the list that gives one. */
const makeStamp = (
  authorities: readonly Authority[],
  { clock, note }: SigningSourceParts,
): SigningPorts["stamp"] => {
  const onFallBack = (authority: string, faults: string): void =>
    note("A time-stamp came from a later authority of the list", { authority, faults });
  return makeStampDigest(makeAuthorities({ authorities, clock, onFallBack }));
};

/** A signer signs only while its certificate and its issuers are valid. */
const signWhileValid =
  ({ sign, judge }: OpenedSigner, clock: () => Date): SigningPorts["sign"] =>
  async (message) => {
    const fault = judge(clock().getTime());
    if (fault !== undefined) {
      throw new Failure("signer_unusable", { reason: fault.reason }, { cause: new Error(fault.words) });
    }
    return sign(message);
  };

/** The development authority answers in this process; no other address of its kind exists. */
const makeFetch = (
  { egress, clock, note }: SigningSourceParts,
  development: DevelopmentAuthority | undefined,
): SigningPorts["fetch"] => {
  const answer = development?.answer;
  const onMissing = (host: string, reason: string): void =>
    note("A server of certificates gave no answer", { host, reason });
  return makeFetchValidation({
    egress,
    clock,
    onMissing,
    ...(answer && { answer }),
  });
};

const signerOf = (development: DevelopmentAuthority | undefined): OpenedSigner => {
  if (development === undefined) throw new Error("The development authority is not open");
  return development.signer;
};

/** Whether the development authority signs or stamps for this configuration. */
const needsDevelopment = ({ signing, timestamps, mode }: Config): boolean =>
  signing.signer.kind === "development" || (timestamps === undefined && mode !== "production");

/**
 * Opens signer and authorities; undefined where the configuration names no signer. Throws ConfigError or
 * SignerError with the next step for a signer that cannot be opened.
 */
export const openSigningSources = async (parts: SigningSourceParts): Promise<SigningSources | undefined> => {
  const { config, egress, store, clock } = parts;
  const { signer: wanted, level, bytesMax, repair } = config.signing;
  if (wanted.kind === "none") return undefined;
  const development = needsDevelopment(config)
    ? openDevelopmentAuthority(
        await makeDevelopmentKeyStore(store, masterSealerOf(config, developmentAuthoritySecret)).loadOrCreate(
          clock(),
        ),
        clock,
      )
    : undefined;
  const signer = wanted.kind === "development" ? signerOf(development) : await openSigner(wanted, { egress });
  const configured = await openRoots(config);
  const own = development === undefined ? [] : [development.root];
  const roots: RootFiles = {
    signers: [
      ...(config.signing.rootsFile === undefined ? lastIssuerOf(signer) : configured.signers),
      ...own,
    ],
    stamps: [...configured.stamps, ...own],
  };
  const authorities = await openStampers(parts, development);
  const { name, certificate, chain, keyKind, hash } = signer;
  return {
    signer,
    roots,
    authorities,
    terms: {
      signer: { name, certificate, chain, keyKind, hash },
      level,
      known: roots.stamps,
      bytesMax,
      repair,
    },
    ports: {
      sign: signWhileValid(signer, clock),
      stamp: makeStamp(authorities, parts),
      fetch: makeFetch(parts, development),
    },
  };
};

/**
 * The certificates about whose signatures servers may be asked: the signer's own, with its issuers, and the
 * trusted ones.
 */
export const extensionKnown = ({ signer, known }: SigningTerms): readonly Uint8Array[] => [
  signer.certificate,
  ...signer.chain,
  ...known,
];

/** Signatures of the service, each in a thread. Made by {@link openSigning}. */
export type SigningService = {
  readonly sources: SigningSources;
  readonly signDocument: SignDocument;
  /**
   * Signs a file of the service's own, such as the evidence of an operation, at the level of the
   * configuration.
   */
  readonly signPdf: (document: Uint8Array, revision: Revision, signal?: AbortSignal) => Promise<SignedPdf>;
  /** Draws and signs a certificate of pension clearing. */
  readonly signCertificate: (certificate: Certificate, signal: AbortSignal) => Promise<readonly Uint8Array[]>;
  /** Fails as {@link extendPdf}. `provableUntil` is the end of the new time-stamp's certificate. */
  readonly signReport: SignReport;
  readonly extendPdf: (
    document: Uint8Array,
    signal?: AbortSignal,
  ) => Promise<Omit<ExtendedPdf, "provableUntil"> & { readonly provableUntil?: Date }>;
  readonly verifyPdf: SigningThreads["verifyPdf"];
  readonly ready: Promise<void>;
  readonly module: Module;
};

const dayMs = 86_400_000;

const moduleOf = (threads: SigningThreads, { signer }: SigningSources, clock: () => Date): Module => ({
  name: "signing",
  readiness: [
    {
      missing: "no signing thread is alive",
      check: async () => {
        if (threads.readings().threads === 0) throw new Error("The pool has no thread");
      },
    },
  ],
  gauges: [
    ...threads.gauges,
    {
      name: "idem_signer_days_left",
      help: "Days until the certificate of the signer ends",
      read: () => [{ value: Math.floor((signer.validTo - clock().getTime()) / dayMs) }],
    },
  ],
  close: threads.close,
});

/** Starts the signing threads. One that dies is replaced; the document that it held fails. */
export const openSigning = (
  { config, clock, report }: Pick<SigningSourceParts, "config" | "clock"> & { readonly report: Report },
  sources: SigningSources,
): SigningService => {
  const { terms, ports } = sources;
  const { signer, level, known } = terms;
  const threads = openSigningThreads({
    threads: config.signing.threads,
    ports,
    onDeath: (cause) => report("signing", "A signing thread died and was replaced", cause),
  });
  return {
    sources,
    signDocument: (file, instruction, signal) => threads.signDocument(file, instruction, terms, signal),
    signPdf: (document, revision, signal) =>
      threads.signPdf(document, { signer, level, known, revision }, signal),
    signCertificate: async (certificate, signal) => {
      const { issuedAt } = certificate.content;
      const revision = { at: new Date(issuedAt), reason: "Certificado de verificación", certify: 1 } as const;
      const document = new Uint8Array(Buffer.from(JSON.stringify(certificate)));
      return (await threads.signCertificate(document, { signer, level, known, revision }, signal)).parts;
    },
    signReport: async ({ attachments: [evidence, ...files] }, { at, reason }) => {
      if (evidence === undefined) throw new Error("A bundle begins with its content");
      const revision = { at, reason, certify: 1 } as const;
      return await threads.signReport(evidence.bytes, files, { signer, level, known, revision });
    },
    extendPdf: async (document, signal) => {
      const request = { hash: signer.hash, known: extensionKnown(terms), now: clock() };
      const { provableUntil, ...extended } = await threads.extendPdf(document, request, signal);
      return { ...extended, ...(provableUntil && { provableUntil }) };
    },
    verifyPdf: threads.verifyPdf,
    ready: threads.ready,
    module: moduleOf(threads, sources, clock),
  };
};

/** The line of a start that names what signs. */
const noteSigner = ({ signer, terms: { level }, authorities }: SigningSources, note: Note): void =>
  note("The signer is open", {
    signer: signer.subject,
    padesLevel: level,
    validTo: new Date(signer.validTo).toISOString(),
    authorities: authorities.map(({ name }) => name).join(", "),
  });

/** The sources and threads with which a service signs; undefined without a signer. */
export const openSigningOf = async ({
  config,
  egress,
  storage,
  clock,
  note,
  report,
}: Pick<Parts, "config" | "egress" | "storage" | "clock" | "note" | "report">): Promise<
  SigningService | undefined
> => {
  const sources = await openSigningSources({ config, egress, store: storage.store, clock, note });
  if (sources === undefined) return undefined;
  noteSigner(sources, note);
  const service = openSigning({ config, clock, report }, sources);
  await service.ready;
  return service;
};
