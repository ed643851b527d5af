import { decodeBase64 } from "#contract/base64";
import { pieceBytesMax } from "#contract/capture";
import {
  beginUploadRoute,
  cancelPageRoute,
  challengeRoute,
  confirmHandoffRoute,
  consentRoute,
  finishUploadRoute,
  handoffRoute,
  openPageRoute,
  showPageRoute,
  showUploadRoute,
  uploadPieceRoute,
} from "#contract/capture-page.routes";
import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { thumbprintOf } from "#judging/face/challenge/container-signature";
import type { PageUseCases } from "../page/open-session.ts";
import type { PageCall } from "../sessions.ts";
import type { FinishUpload } from "../uploads/finish-upload.ts";
import type { UploadUseCases } from "../uploads/upload-use-cases.ts";

type Deps = {
  readonly page: PageUseCases;
  readonly uploads: UploadUseCases;
  readonly finishUpload: FinishUpload;
};

const pageCallOf = ({ caller, session }: Pick<Call<unknown>, "caller" | "session">): PageCall => {
  if (session === undefined) throw new Error("A call of a page has no session");
  const { id: sessionId, holder, address: remoteAddress } = session;
  return { owner: caller, sessionId, holder, remoteAddress };
};

/** The calls of the page that captures. */
export const pageEndpoints = ({ page, uploads, finishUpload }: Deps): readonly Endpoint[] => [
  implement(openPageRoute, async (call) => {
    const { pageKey, device, language, takeOver } = call.request;
    const opening = { thumbprint: await thumbprintOf(pageKey), language, takeOver };
    return await page.open(pageCallOf(call), { ...opening, ...(device && { device: { ...device } }) });
  }),
  implement(showPageRoute, (call) => page.show(pageCallOf(call))),
  implement(consentRoute, (call) => page.consent(pageCallOf(call), call.request)),
  implement(challengeRoute, async (call) => {
    const { id, issuedAt, expiresAt, finishMs, steps } = await page.challenge(pageCallOf(call));
    return { id, issuedAt, expiresAt, finishMs, steps: steps.map(({ turn }) => ({ turn })) };
  }),
  implement(beginUploadRoute, async (call) => await uploads.begin(pageCallOf(call), call.request)),
  implement(uploadPieceRoute, async (call) => {
    const { uploadId, offset, data } = call.request;
    const bytes = decodeBase64("data", data, { bytesMax: pieceBytesMax });
    return { offset: await uploads.add(pageCallOf(call), uploadId, offset, bytes) };
  }),
  implement(showUploadRoute, (call) => uploads.show(pageCallOf(call), call.request.uploadId)),
  implement(finishUploadRoute, async ({ request, signal, ...call }) =>
    finishUpload({ ...pageCallOf(call), recorded: call, signal }, request.uploadId),
  ),
  implement(handoffRoute, async (call) => {
    const { url, code, expiresAt } = await page.handOff(pageCallOf(call));
    return { url, code, expiresAt: expiresAt.toISOString() };
  }),
  implement(confirmHandoffRoute, (call) => page.confirmHandOff(pageCallOf(call))),
  implement(cancelPageRoute, (call) => page.cancel(pageCallOf(call))),
];
