import type { Egress } from "#machine/egress/egress";
import { DerError } from "#trust/asn1/der";
import { readIssuers } from "./find-chain.ts";
import type { FetchValidation, ValidationQuestion } from "./ports.ts";
import { crlBytesMax, readCrl } from "./read-crl.ts";
import { ocspBytesMax } from "./read-ocsp.ts";

/** Bounds of the answers. A list of issuers in a CMS has up to 30 kB. */
const bytesMax: Readonly<Record<ValidationQuestion["kind"], number>> = {
  ocsp: ocspBytesMax,
  certificate: 65_536,
  crl: crlBytesMax,
};

/** Time of one call, to the end of its answer: a signature waits for several. */
const callMsMax = 5_000;
const crlMsMax = 15_000;

/** Mirrors of authorities redirect once or twice. */
const redirectsMax = 2;

/**
 * A CRL is asked anew after an hour, also where its nextUpdate is far: authorities issue earlier when they
 * revoke. A certificate of an issuer does not change.
 */
const keptMsMax = { crl: 3_600_000, certificate: 86_400_000 } as const;

/** Bytes of all kept answers. The least recently made go first. */
const cacheBytesMax = 67_108_864;

const accepted: Readonly<Record<ValidationQuestion["kind"], string>> = {
  ocsp: "application/ocsp-response",
  crl: "application/pkix-crl",
  certificate: "application/pkix-cert, application/pkcs7-mime",
};

export type FetchDeps = {
  readonly egress: Egress;
  readonly clock: () => Date;
  /** Answers in this process: the development authority. */
  readonly answer?: (question: ValidationQuestion) => Uint8Array | undefined;
  /** Called for each question without an answer, with the host and the reason. */
  readonly onMissing?: (host: string, reason: string) => void;
};

/** The time until which an answer is kept; undefined if it is not kept. */
const keptUntil = ({ kind }: ValidationQuestion, bytes: Uint8Array, now: number): number | undefined => {
  if (kind === "ocsp") return undefined;
  const end = now + keptMsMax[kind];
  if (kind === "certificate") return readIssuers(bytes).length > 0 ? end : undefined;
  try {
    return Math.min(end, readCrl(bytes).nextUpdate ?? now);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
};

type Kept = { readonly bytes: Uint8Array; readonly until: number };

/** Answers by their URL, bounded in bytes. */
const makeCache = () => {
  const kept = new Map<string, Kept>();
  let total = 0;
  const remove = (url: string): void => {
    total -= kept.get(url)?.bytes.length ?? 0;
    kept.delete(url);
  };
  return {
    find: (url: string, now: number): Uint8Array | undefined => {
      const found = kept.get(url);
      if (found !== undefined && found.until > now) return found.bytes;
      remove(url);
      return undefined;
    },
    keep: (url: string, one: Kept): void => {
      remove(url);
      kept.set(url, one);
      total += one.bytes.length;
      for (const [first] of kept) {
        if (total <= cacheBytesMax) return;
        remove(first);
      }
    },
  };
};

const readAll = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
};

/**
 * Asks the servers that certificates name, through `egress` alone. Bounded in bytes and time; one question
 * for each CRL or certificate at a time. CRLs and certificates are kept; an OCSP answer is not, since a
 * signature needs one that is newer than its time-stamp (ETSI EN 319 102-1, 5.5.4).
 */
export const makeFetchValidation = ({ egress, clock, answer, onMissing }: FetchDeps): FetchValidation => {
  const cache = makeCache();
  const running = new Map<string, Promise<Uint8Array | undefined>>();

  const ask = async (question: ValidationQuestion): Promise<Uint8Array | undefined> => {
    const { url, kind, body } = question;
    try {
      const {
        status,
        body: bytes,
        discard,
      } = await egress(url, {
        bytesMax: bytesMax[kind],
        verifiesAnswer: true,
        headers: {
          accept: accepted[kind],
          ...(body !== undefined && { "content-type": "application/ocsp-request" }),
        },
        ...(body === undefined ? { redirectsMax } : { method: "POST", body }),
        headMsMax: callMsMax,
        silenceMsMax: callMsMax,
        signal: AbortSignal.timeout(kind === "crl" ? crlMsMax : callMsMax),
      });
      if (status === 200) return await readAll(bytes);
      discard();
      onMissing?.(hostOf(url), `HTTP ${status}`);
    } catch (error) {
      onMissing?.(hostOf(url), reasonOf(error));
    }
    return undefined;
  };

  const askAndKeep = async (question: ValidationQuestion): Promise<Uint8Array | undefined> => {
    const bytes = await ask(question);
    const now = clock().getTime();
    const until = bytes && keptUntil(question, bytes, now);
    if (bytes !== undefined && until !== undefined && until > now) cache.keep(question.url, { bytes, until });
    return bytes;
  };

  return async (question) => {
    const { url, kind } = question;
    const own = answer?.(question);
    if (own !== undefined) return own;
    if (kind === "ocsp") return await ask(question);
    const kept = question.isAnew === true ? undefined : cache.find(url, clock().getTime());
    if (kept !== undefined) return kept;
    const work = running.get(url) ?? askAndKeep(question).finally(() => running.delete(url));
    running.set(url, work);
    return await work;
  };
};

const hostOf = (url: string): string => URL.parse(url)?.host ?? "no URL";

/** Throws what is no failure of the network. */
const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === "EgressError") return error.message;
  if (error instanceof Error && error.name === "TimeoutError") return "no answer in time";
  throw error;
};
