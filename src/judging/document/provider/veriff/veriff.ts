import { ProviderError } from "#contract/provider-error";
import type {
  AnnouncedDocument,
  MorphologyProvider,
  SentImage,
} from "../../validation/provider/document-provider.ts";
import { alpha2Of } from "../alpha-2.ts";
import { readErrorCode, readFound, readOpened, veriffTypes } from "./messages.ts";
import { providerDecisionOf } from "./reported-decision.ts";
import { makeSignedCall, type SignedAnswer, type VeriffOptions } from "./signed-call.ts";

/** A provider with the public session API of Veriff (devdocs.veriff.com, API v1). Polls for the decision. */
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
    sendImage: async (session, image, signal) => {
      const path = `/v1/sessions/${session}/media`;
      const answer = await call({ method: "POST", path, body: { image: imageOf(image) }, signal });
      // 409: an earlier run submitted the session, and ended before it could keep that.
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
      return found === null ? undefined : ((found && providerDecisionOf(found)) ?? misunderstood(host));
    },
    checkAccess: async (signal) => {
      const path = `/v1/sessions/${noSession}/decision`;
      const answer = await call({ method: "GET", path, signed: noSession, signal });
      // Only valid credentials get the answer that the session does not exist.
      if (answer.status !== 404 && answer.status !== 400) refuse(answer);
    },
  };
};

/** The nil UUID (RFC 9562, 5.9). No session has this id. */
const noSession = "00000000-0000-0000-0000-000000000000";

/** 1304: the session is already submitted. */
const transitionRefused = "1304";

const verificationOf = ({ reference, type, country }: AnnouncedDocument) => {
  const alpha2 = alpha2Of(country);
  return {
    document: { type: veriffTypes[type], ...(alpha2 !== undefined && { country: alpha2 }) },
    vendorData: reference,
  };
};

const imageOf = ({ side, format, bytes }: SentImage) => ({
  context: `document-${side}`,
  content: `data:image/${format};base64,${Buffer.from(bytes).toString("base64")}`,
});

/** The operator can correct credentials, and high load ends. Any other refusal is permanent. */
const transient: readonly number[] = [401, 403, 408, 425, 429];

const refuseAt =
  (host: string) =>
  ({ status, body }: SignedAnswer): void => {
    if (status >= 200 && status < 300) return;
    const code = readErrorCode(body);
    const what = code === undefined ? `status ${status}` : `status ${status}, code ${code}`;
    throw new ProviderError(`${host} refused with ${what}`, transient.includes(status) || status >= 500);
  };

const misunderstood = (host: string): never => {
  throw new ProviderError(`${host} answered in a form that is not known`, true);
};
