/** Composition of the operator's block list: faces from images or from registered users. */
import { randomUUID } from "node:crypto";
import { type BlockList, makeBlockList } from "#features/users/block-list";
import type { User } from "#features/users/store/user";
import { makeTemplateVault } from "#features/users/template-vault";
import { judgeAlone } from "#judging/face/matching/judge-comparison";
import type { Config } from "#machine/config/config";
import { makeKeyring } from "#trust/key-ring/keyring";
import { openEngine, readEngineFiles } from "./engine.ts";
import { readFacePolicy } from "./face-policy.ts";
import { readAdded } from "./models.ts";
import { recogniserInUse } from "./recogniser.ts";
import { mastersOf, type ReadyConfig } from "./storage.ts";
import type { Store } from "./store.ts";

/** The operator's work on the block list. Made by {@link openBlockListAdmin}. */
export type BlockListAdmin = BlockList & {
  /** The template of the face in an image, or a sentence that says why the image is unusable. */
  readonly readImage: (bytes: Uint8Array) => Promise<Uint8Array | string>;
  /** The registered template of a user. */
  readonly readTemplateOf: (user: User) => Promise<Uint8Array>;
};

/**
 * Returns a test for templates of another recogniser than the current one. Such a template matches no face.
 */
export const readOutdated = async (
  config: Config,
): Promise<(template: { readonly recogniser: string }) => boolean> => {
  const current = recogniserInUse(await readAdded(config));
  return ({ recogniser }) => recogniser !== current;
};

const clock = (): Date => new Date();

export const openBlockListAdmin = (store: Store, config: ReadyConfig): BlockListAdmin => {
  const keyring = makeKeyring({ store, masters: mastersOf(config), now: clock });
  const vault = makeTemplateVault(keyring, randomUUID);
  return {
    ...makeBlockList({ store, keyring, vault, clock, newId: randomUUID }),
    readTemplateOf: vault.open,
    readImage: (bytes) => readImage(config, bytes),
  };
};

/**
 * Measures and judges as an enrolment does: a face that an enrolment cannot compare is useless on the block
 * list.
 */
const readImage = async (config: ReadyConfig, bytes: Uint8Array): Promise<Uint8Array | string> => {
  const files = await readEngineFiles(config);
  const engine = openEngine(config, files, () => undefined);
  try {
    await engine.pool.ready;
    const measured = await engine.face.measure(bytes, { template: true });
    if (measured.kind !== "measured") {
      return "The file is not a readable image.";
    }
    const { comparison } = await readFacePolicy(config, files.added);
    const judged = judgeAlone(measured, comparison);
    if (judged === "None") {
      return "The image shows several faces. Crop it to the face to block.";
    }
    return judged === "Positive" && measured.template !== undefined
      ? measured.template
      : "The image shows no face that can be recognised: too small, too blurred, not frontal, or none.";
  } finally {
    await engine.pool.close();
  }
};
