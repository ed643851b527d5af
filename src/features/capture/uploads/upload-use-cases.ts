/** Uploads in pieces: begun, continued after a lost connection, and kept sealed until they are judged. */
import { Failure } from "#contract/failure";
import type { CaptureUpload } from "../capture-session.ts";
import type { InTurn } from "../in-turn.ts";
import { payerOf, requireNoPause } from "../pause.ts";
import { requireOpen } from "../session-state.ts";
import { type CaptureDeps, changeSession, getSession, type PageCall } from "../sessions.ts";
import {
  type Announcement,
  addPiece,
  beginUpload,
  getUpload,
  judgePiece,
  requireCapture,
} from "./upload-state.ts";

export type UploadDeps = CaptureDeps & {
  /** Most bytes of an upload, by step. */
  readonly bytesMax: { readonly face: number; readonly document: number };
  /**
   * How many captures are judged before this upload; undefined for one that does not wait here for its
   * judgement.
   */
  readonly countAhead: InTurn["countAhead"];
};

export type UploadPlace = { readonly uploadId: string; readonly offset: number };

/**
 * How far an upload has come. `ahead`: captures that are judged before it, while it waits for its judgement.
 */
export type ShownUpload = { readonly offset: number; readonly ahead?: number };

export type UploadUseCases = {
  readonly begin: (call: PageCall, announced: Announcement) => Promise<UploadPlace>;
  readonly add: (call: PageCall, uploadId: string, offset: number, data: Uint8Array) => Promise<number>;
  readonly show: (call: PageCall, uploadId: string) => Promise<ShownUpload>;
};

export const makeUploadUseCases = (deps: UploadDeps): UploadUseCases => ({
  begin: async (call, announced) => {
    const bytesMax = deps.bytesMax[announced.step];
    if (announced.bytes > bytesMax) throw new Failure("image_too_large", { bytesMax });
    const asked = await getSession(deps, call.owner, call.sessionId);
    await requireNoPause(deps, call.owner, payerOf(asked, call));
    const place = { holder: call.holder, id: deps.newId() };
    let begun: CaptureUpload | undefined;
    await changeSession(deps, call.owner, call.sessionId, (session) => {
      const made = beginUpload(session.content, place, announced, { policy: deps.policy, now: deps.clock() });
      begun = made.upload;
      return made.content === session.content ? undefined : { content: made.content };
    });
    if (begun === undefined) throw new Error("An upload began without its state");
    return { uploadId: begun.id, offset: begun.offset };
  },
  add: (call, uploadId, offset, data) => addTo(deps, call, uploadId, offset, data),
  show: async (call, uploadId) => {
    const { content } = await getSession(deps, call.owner, call.sessionId);
    const { offset } = getUpload(content, uploadId);
    const ahead = deps.countAhead(uploadId);
    return { offset, ...(ahead !== undefined && { ahead }) };
  },
});

/**
 * The piece is durable before the session names it. A piece that no session names is removed by the sweep.
 */
const addTo = async (
  deps: UploadDeps,
  { owner, sessionId, holder }: PageCall,
  uploadId: string,
  offset: number,
  data: Uint8Array,
): Promise<number> => {
  const before = await getSession(deps, owner, sessionId);
  requireOpen(before, deps.clock());
  const asked = getUpload(before.content, uploadId);
  if (judgePiece(asked, offset, data.length) === "known") return asked.offset;
  requireCapture(before.content, holder, asked, deps.clock());
  const piece = await deps.blobs.put(owner.tenantId, data);
  let isTaken = false;
  const session = await changeSession(deps, owner, sessionId, ({ content }) => {
    const upload = getUpload(content, uploadId);
    isTaken = judgePiece(upload, offset, data.length) === "next";
    return isTaken ? { content: addPiece(content, uploadId, piece) } : undefined;
  });
  if (!isTaken) await deps.blobs.remove(owner.tenantId, piece.id);
  return getUpload(session.content, uploadId).offset;
};
