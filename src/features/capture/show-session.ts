import { Base64Parts } from "#contract/base64";
import type { CaptureOwner, CaptureSession } from "./capture-session.ts";
import { type CaptureDeps, getSession } from "./sessions.ts";
import { tokenNames } from "./uploads/make-tokens.ts";

/** The tokens of a session, by name. */
export type CaptureResults = { readonly [Name in (typeof tokenNames)[number]]?: Base64Parts };

/** A session with its tokens. Fails with not_found, stored_damaged or stored_newer. */
export const showSession = async (
  deps: Pick<CaptureDeps, "store" | "seal" | "blobs">,
  of: CaptureOwner,
  id: string,
): Promise<{ readonly session: CaptureSession; readonly results: CaptureResults | undefined }> => {
  const session = await getSession(deps, of, id);
  const results: { -readonly [Name in keyof CaptureResults]: Base64Parts } = {};
  for (const name of tokenNames) {
    const object = session.content.tokens[name];
    if (object !== undefined) results[name] = new Base64Parts([await deps.blobs.get(of.tenantId, object.id)]);
  }
  return { session, results: Object.keys(results).length === 0 ? undefined : results };
};
