import { alpha2Of } from "../alpha-2.ts";
import {
  type AnnouncedDocument,
  type MorphologyProvider,
  ProviderError,
  type SentPicture,
} from "../morphology-provider.ts";
import { readErrorCode, readFound, readOpened, veriffTypes } from "./messages.ts";
import { makeSignedCall, type SignedAnswer, type VeriffOptions } from "./signed-call.ts";
import { toldDecisionOf } from "./told-decision.ts";

/**
 * A provider that speaks the public session API of Veriff (devdocs.veriff.com, API v1): a session, its media, submitted,
 * its decision by asking for it.
 */
export const makeVeriff = (options: VeriffOptions): MorphologyProvider => {
  const call = makeSignedCall(options);
  const host = new URL(options.baseUrl).host;
  const refuse = refuseAt(host);
  return {
    name: "veriff",
    openSession: async (document, signal) => {
      const body = { verification: verificationOf(document) };
      const answer = await call({ method: "POST", path: "/v1/sessions", body, signal });
      refuse(answer);
      return readOpened(answer.body) ?? misunderstood(host);
    },
    sendPicture: async (session, picture, signal) => {
      const path = `/v1/sessions/${session}/media`;
      const answer = await call({ method: "POST", path, body: { image: imageOf(picture) }, signal });
      // It was submitted by a run that ended before it could note that.
      if (answer.status !== 409) refuse(answer);
    },
    submit: async (session, signal) => {
      const body = { verification: { status: "submitted" } };
      const answer = await call({ method: "PATCH", path: `/v1/sessions/${session}`, body, signal });
      const isSubmitted = answer.status === 409 || readErrorCode(answer.body) === transitionRefused;
      if (!isSubmitted) refuse(answer);
    },
    findDecision: async (session, signal) => {
      const path = `/v1/sessions/${session}/decision`;
      const answer = await call({ method: "GET", path, signed: session, signal });
      refuse(answer);
      const found = readFound(answer.body);
      return found === null ? undefined : ((found && toldDecisionOf(found)) ?? misunderstood(host));
    },
    checkAccess: async (signal) => {
      const path = `/v1/sessions/${noSession}/decision`;
      const answer = await call({ method: "GET", path, signed: noSession, signal });
      // That there is no such session is told to those alone whose credentials are right.
      if (answer.status !== 404 && answer.status !== 400) refuse(answer);
    },
  };
};

/** The nil UUID (RFC 9562, 5.9): the name of no session. */
const noSession = "00000000-0000-0000-0000-000000000000";

/** 1304: the session is no longer one that can be submitted. */
const transitionRefused = "1304";

const verificationOf = ({ reference, type, country }: AnnouncedDocument) => {
  const alpha2 = alpha2Of(country);
  return {
    document: { type: veriffTypes[type], ...(alpha2 !== undefined && { country: alpha2 }) },
    vendorData: reference,
  };
};

const imageOf = ({ side, format, bytes }: SentPicture) => ({
  context: `document-${side}`,
  content: `data:image/${format};base64,${Buffer.from(bytes).toString("base64")}`,
});

/** Credentials that are refused may be mended, a load passes; any other refusal is for good. */
const passing: readonly number[] = [401, 403, 408, 425, 429];

const refuseAt =
  (host: string) =>
  ({ status, body }: SignedAnswer): void => {
    if (status >= 200 && status < 300) return;
    const code = readErrorCode(body);
    const what = code === undefined ? `status ${status}` : `status ${status}, code ${code}`;
    throw new ProviderError(`${host} refused with ${what}`, passing.includes(status) || status >= 500);
  };

const misunderstood = (host: string): never => {
  throw new ProviderError(`${host} answered in a form that is not known`, true);
};
