/** What a page does with its session before and beside the images. */

import type { CaptureChallenge } from "#contract/capture";
import type { PageState } from "#contract/capture-fields";
import { Failure } from "#contract/failure";
import type { CaptureLanguage } from "#contract/guidance";
import { hashSessionToken, makeSessionToken } from "#contract/session-token";
import { makeChallenge } from "#judging/face/challenge/make-challenge";
import type { CaptureSession } from "../capture-session.ts";
import { pageStateOf } from "../page-state.ts";
import { payerOf, requireNoPause } from "../pause.ts";
import {
  confirmHandoff,
  type Opening,
  offerHandoff,
  openPage,
  requirePage,
  stateAt,
} from "../session-state.ts";
import { type CaptureDeps, changeSession, getSession, type PageCall } from "../sessions.ts";
import { issueChallenge } from "../uploads/challenge-state.ts";

/** Address of this service's own page of a session, without the token. */
export type PageUrl = (sessionId: string) => string;

/** The calls of a page, but for uploads. Each answers the state of the session, if nothing else is stated. */
export type PageUseCases = {
  readonly open: (call: PageCall, opening: Opening) => Promise<PageState>;
  readonly show: (call: PageCall) => Promise<PageState>;
  readonly consent: (
    call: PageCall,
    given: { readonly version: string; readonly accepted: boolean },
  ) => Promise<PageState>;
  readonly challenge: (call: PageCall) => Promise<CaptureChallenge>;
  readonly handOff: (
    call: PageCall,
  ) => Promise<{ readonly url: string; readonly code: string; readonly expiresAt: Date }>;
  readonly confirmHandOff: (call: PageCall) => Promise<PageState>;
  readonly cancel: (call: PageCall) => Promise<PageState>;
};

export const makePageUseCases = (deps: CaptureDeps, pageUrl: PageUrl): PageUseCases => {
  const show = (session: CaptureSession): PageState => pageStateOf(session, { ...deps, now: deps.clock() });
  const change = (call: PageCall, make: Parameters<typeof changeSession>[3]) =>
    changeSession(deps, call.owner, call.sessionId, make);
  return {
    open: async (call, opening) =>
      show(
        await change(call, ({ content }) => ({
          content: openPage(content, call.holder, opening, deps.clock()),
        })),
      ),
    show: async (call) => show(await getSession(deps, call.owner, call.sessionId)),
    consent: async (call, given) =>
      show(await change(call, (session) => consented(deps, call, session, given))),
    challenge: async (call) => {
      const asked = await getSession(deps, call.owner, call.sessionId);
      await requireNoPause(deps, call.owner, payerOf(asked, call));
      const made = makeChallenge(deps.randomBytes, deps.clock());
      await change(call, (session) => ({
        content: issueChallenge(session.content, call.holder, made, deps.policy),
      }));
      return made;
    },
    handOff: (call) => handOff(deps, call, pageUrl),
    confirmHandOff: async (call) =>
      show(
        await change(call, ({ content }) => {
          const confirmed = confirmHandoff(content, call.holder, deps.clock());
          return confirmed === content ? undefined : { content: confirmed };
        }),
      ),
    cancel: async (call) => show(await cancelSession(deps, call)),
  };
};

/** A token of its own for the telephone, and the code that both screens show. */
const handOff = async (deps: CaptureDeps, call: PageCall, pageUrl: PageUrl) => {
  const token = makeSessionToken(deps.randomBytes);
  const code = codeOf(deps.randomBytes(4));
  const offered = await changeSession(deps, call.owner, call.sessionId, ({ content, expiresAt }) => {
    requirePage(content, call.holder);
    if (call.holder !== "page") throw new Failure("capture_open_elsewhere");
    const until = Math.min(expiresAt.getTime(), deps.clock().getTime() + deps.policy.handoffMs);
    return {
      content: offerHandoff(content, code, new Date(until)),
      token: { hash: hashSessionToken(token), holder: "handoff" },
    };
  });
  const { handoff } = offered.content;
  return {
    url: `${pageUrl(call.sessionId)}#${token}`,
    code,
    expiresAt: new Date(handoff?.expiresAt ?? offered.expiresAt),
  };
};

/** Four digits that two screens show: a person compares them, so they protect nothing by themselves. */
const codeOf = (random: Uint8Array): string =>
  String(Buffer.from(random).readUInt32BE(0) % 10_000).padStart(4, "0");

/** The consent and its evidence, in one commit. A refusal ends the session. */
const consented = (
  { consent, newId, clock }: CaptureDeps,
  call: PageCall,
  { id, content, operationId }: CaptureSession,
  { version, accepted }: { readonly version: string; readonly accepted: boolean },
) => {
  requirePage(content, call.holder);
  if (version !== consent.version)
    throw new Failure("capture_consent_outdated", { version: consent.version });
  const at = clock();
  const { language }: { readonly language: CaptureLanguage } = content;
  const body = { sessionId: id, operationId, version, language, accepted };
  const step = { evidence: [{ id: newId(), kind: "capture_consented", at, body }] };
  if (!accepted) return { content, state: "CANCELLED" as const, step };
  if (content.consent !== undefined) return undefined;
  return { content: { ...content, consent: { version, language, at: at.getTime() } }, step };
};

/** Ends an open session. One that has ended stays as it is. */
export const cancelSession = async (
  deps: Pick<CaptureDeps, "store" | "seal" | "clock">,
  { owner, sessionId }: Pick<PageCall, "owner" | "sessionId">,
): Promise<CaptureSession> => {
  const session = await getSession(deps, owner, sessionId);
  if (stateAt(session, deps.clock()) !== "OPEN") return session;
  try {
    return await changeSession(deps, owner, sessionId, ({ content }) => ({ content, state: "CANCELLED" }));
  } catch (error) {
    const ended = error instanceof Failure && ["capture_ended", "capture_expired"].includes(error.code);
    if (!ended) throw error;
    return await getSession(deps, owner, sessionId);
  }
};
