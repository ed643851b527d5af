import { type Look, makeLook } from "./look.ts";

/** Loads the weights and makes the measuring function. Rejects if they cannot be loaded. */
export const loadLook = async (weightsUrl: string): Promise<Look> => {
  const answer = await fetch(weightsUrl, { credentials: "omit", signal: AbortSignal.timeout(30_000) });
  if (!answer.ok) throw new Error(`The weights of the detector were answered ${answer.status}`);
  return makeLook(new Uint8Array(await answer.arrayBuffer()));
};
