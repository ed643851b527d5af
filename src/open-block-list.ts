/** Composition of the operator's block list: faces from pictures or from registered users. */
import { randomUUID } from "node:crypto";
import type { Config } from "./config.ts";
import { judgeAlone } from "./face/matching/judge-comparison.ts";
import { isSameTemplate, mapTemplate, recogniserOfTemplate } from "./face/matching/template.ts";
import { openEngine, readEngineFiles } from "./open-engine.ts";
import { readFacePolicy } from "./open-face-policy.ts";
import { readAdded } from "./open-models.ts";
import { recogniserInUse } from "./open-recogniser.ts";
import { mastersOf, type ReadyConfig } from "./open-storage.ts";
import { type BlockList, makeBlockList } from "./people/block-list.ts";
import { makeTemplateVault } from "./people/template-vault.ts";
import { makeKeyring } from "./storage/keyring.ts";
import type { Person } from "./storage/person.ts";
import { openBox, sealBox } from "./storage/sealed-box.ts";
import type { Store } from "./storage/store.ts";

export type BlockDesk = BlockList & {
  /** The template of a picture; a sentence where it shows no face that could be known again. */
  readonly readPicture: (bytes: Uint8Array) => Promise<Uint8Array | string>;
  /** The registered template of a user. */
  readonly readPerson: (person: Person) => Promise<Uint8Array>;
};

/** Tells which templates are of another recogniser than that in use: they match nobody. */
export const readOutdated = async (
  config: Config,
): Promise<(template: { readonly recogniser: string }) => boolean> => {
  const current = recogniserInUse(await readAdded(config));
  return ({ recogniser }) => recogniser !== current;
};

const clock = (): Date => new Date();

export const openBlockDesk = (store: Store, config: ReadyConfig): BlockDesk => {
  const keyring = makeKeyring({ store, masters: mastersOf(config), now: clock });
  const face = { mapTemplate, recogniserOf: recogniserOfTemplate, isSameTemplate };
  const vault = makeTemplateVault({ keyring, sealBox, openBox, face, newId: randomUUID });
  return {
    ...makeBlockList({ store, keyring, vault, face, clock, newId: randomUUID }),
    readPerson: vault.open,
    readPicture: (bytes) => readPicture(config, bytes),
  };
};

/** Measured as for an enrolment: what could not be compared there is no use here. */
const readPicture = async (config: ReadyConfig, bytes: Uint8Array): Promise<Uint8Array | string> => {
  const files = await readEngineFiles(config);
  const engine = openEngine(config, files, () => undefined);
  try {
    await engine.pool.ready;
    const measured = await engine.face.measure(bytes, { template: true });
    if (measured.kind !== "measured") {
      return "The file is no picture that can be read.";
    }
    const { comparison } = await readFacePolicy(config, files.added);
    const judged = judgeAlone(measured, comparison);
    if (judged === "None") {
      return "The picture shows several faces. Cut out the one that is meant.";
    }
    return judged === "Positive" && measured.template !== undefined
      ? measured.template
      : "The picture shows no face that could be known again: too small, too blurred, turned away, or none.";
  } finally {
    await engine.pool.close();
  }
};
